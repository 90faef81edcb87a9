import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { git } from "@/tests/fixtures/repos";

const FILES = 20_000;
const FILE_BYTES = 10_000;
const FOLDERS = 500;

/** 200 MB in 20,000 files, half of it random: about as compressible as sources beside binaries. */
export async function makeBigTree(): Promise<{ path: string; remove(): Promise<void> }> {
  const root = await mkdtemp(path.join(os.tmpdir(), "dormouse-bench-"));
  const work = path.join(root, "project");
  await mkdir(work);
  const line = "export const value = compute(previous, next); // a line like many others\n";
  const words = Buffer.from(line.repeat(Math.ceil(FILE_BYTES / 2 / line.length)).slice(0, FILE_BYTES / 2));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const place = path.join(work, `group-${folder % 20}`, `package-${folder}`, "src");
    await mkdir(place, { recursive: true });
    await Promise.all(
      Array.from({ length: FILES / FOLDERS }, (_, file) =>
        writeFile(path.join(place, `file-${file}.ts`), Buffer.concat([words, randomBytes(FILE_BYTES / 2)])),
      ),
    );
  }
  return { path: work, remove: () => rm(root, { recursive: true, force: true }) };
}

/** The same as a repository; `setup` is its setup script. */
export async function makeBigRepository(setup: string): Promise<{ path: string; remove(): Promise<void> }> {
  const tree = await makeBigTree();
  await mkdir(path.join(tree.path, ".dormouse"));
  await writeFile(path.join(tree.path, ".dormouse", "setup.sh"), setup);
  await git(tree.path, "init", "--quiet", "--initial-branch=main");
  await git(tree.path, "config", "gc.auto", "0");
  await git(tree.path, "add", "--all");
  await git(tree.path, "commit", "--quiet", "-m", "first");
  // As a git host keeps it; loose objects would be packed anew for the first clone alone.
  await git(tree.path, "gc", "--quiet");
  return tree;
}

/** Runs a program to its end; fails when it does. */
export async function run(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 });
}
