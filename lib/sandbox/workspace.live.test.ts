import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Deps } from "@/lib/deps";
import { keepWork, restoreWork } from "./kept-work";
import { DEFAULT_LIMITS, type SandboxProvider, type SandboxSpec } from "./provider";
import { createLocalProvider } from "./providers/local/provider";
import { providerId, type SandboxRow } from "./store";
import { commitAll, readBranch, readDiff, readListing, runScript } from "./workspace";

const folder = mkdtempSync(path.join(tmpdir(), "dormouse-workspace-"));
let provider: SandboxProvider;
let base: string;
const row = (generation: number) => ({ id: "workspace", generation }) as SandboxRow;
const spec = (generation: number): SandboxSpec => ({
  id: providerId(row(generation)),
  limits: DEFAULT_LIMITS,
  network: { allow: [], gitRemote: null },
  env: {},
});
const id = providerId(row(1));
const sh = async (script: string, sandbox = id) => (await runScript(provider, sandbox, script)).stdout.toString();

beforeAll(async () => {
  provider = createLocalProvider({
    stateDir: path.join(folder, "state"),
    deployment: "test",
    gateway: null,
    baseAllow: [],
  });
  await provider.recover();
  await provider.create(spec(1));
  await provider.create(spec(2));
}, 60_000);

beforeEach(async () => {
  await sh(`find . -mindepth 1 -delete; git init -q -b main . && printf 'a\\nb\\n' > kept.txt && printf 'x\\ny\\nz\\n' > old.txt && echo '*.log' > .gitignore
    git add -A && git commit -qm first`);
  base = (await sh("git rev-parse HEAD")).trim();
});

afterAll(async () => {
  await provider.destroy(id);
  await provider.destroy(providerId(row(2)));
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the diff shows committed, staged, unstaged and untracked changes against the base, and leaves the index as it was", async () => {
  await sh(
    "echo one > committed.txt; git add -A; git commit -qm second; echo c >> kept.txt; git mv old.txt new.txt; echo u > 'new file.txt'; echo l > skip.log; printf '\\0\\1' > pic.bin",
  );
  const status = await sh("git status --porcelain");
  const all = await readDiff(provider, id, base, "all");
  expect(all.files.map((file) => [file.path, file.status, file.untracked ?? false, file.additions]).sort()).toEqual([
    ["committed.txt", "added", false, 1],
    ["kept.txt", "modified", false, 1],
    ["new file.txt", "added", true, 1],
    ["new.txt", "renamed", false, 0],
    ["pic.bin", "added", true, 0],
  ]);
  expect(all.files.find((file) => file.path === "kept.txt")?.patch).toContain("+c");
  const uncommitted = await readDiff(provider, id, base, "uncommitted");
  expect(uncommitted.files.map((file) => file.path)).not.toContain("committed.txt");
  expect(await sh("git status --porcelain")).toBe(status);
});

test("an unchanged workspace has an empty diff, and one without a commit is compared with nothing", async () => {
  expect((await readDiff(provider, id, base, "all")).files).toEqual([]);
  await sh("rm -rf .git; git init -q -b main .");
  expect((await readDiff(provider, id, null, "all")).files.map((file) => file.path)).toEqual([
    ".gitignore",
    "kept.txt",
    "old.txt",
  ]);
});

test("the repository cannot run a program of its own through the diff", async () => {
  await sh(
    "git config diff.external 'touch /tmp/pwned'; git config core.fsmonitor 'touch /tmp/pwned'; echo '*.txt diff=evil' > .gitattributes; git config diff.evil.textconv 'touch /tmp/pwned; cat'; echo z >> kept.txt",
  );
  await readDiff(provider, id, base, "all");
  expect(await sh("ls /tmp/pwned 2>/dev/null | wc -l")).toBe("0\n");
});

test("a listing has files, folders and links, and not the insides of .git and node_modules", async () => {
  await sh("mkdir -p src node_modules/x; touch src/a.ts node_modules/x/i.js; ln -s kept.txt link");
  const entries = (await readListing(provider, id)).map((entry) => `${entry.type} ${entry.path}`);
  expect(entries).toEqual([
    "directory .git",
    "file .gitignore",
    "file kept.txt",
    "symlink link",
    "directory node_modules",
    "file old.txt",
    "directory src",
    "file src/a.ts",
  ]);
});

test("a commit takes everything, says when there is nothing, and passes on why a hook refused", async () => {
  expect(await commitAll(provider, id, "nothing")).toMatchObject({ kind: "nothing" });
  await sh("echo n > n.txt");
  const made = await commitAll(provider, id, "subject\n\nbody with 'quotes' and $(no command)");
  expect(made.kind).toBe("committed");
  expect(await sh("git log -1 --format=%B")).toBe("subject\n\nbody with 'quotes' and $(no command)\n\n");
  await sh(
    "printf '#!/bin/sh\\necho the hook says no >&2\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo m > m.txt",
  );
  expect(await commitAll(provider, id, "refused")).toMatchObject({
    kind: "refused",
    output: expect.stringContaining("the hook says no"),
  });
});

test("kept work comes back in another sandbox: branches, commits, uncommitted and untracked files, but nothing ignored", async () => {
  await sh(
    "git switch -qc topic; echo t > t.txt; git add -A; git commit -qm topic; echo c >> kept.txt; rm old.txt; mkdir d; echo u > d/u.txt; chmod +x d/u.txt; echo l > skip.log",
  );
  const deps = { provider, env: { dataDir: folder } } as unknown as Deps;
  const work = await keepWork(deps, row(1));
  expect(work).toMatchObject({ branch: "topic" });
  const other = providerId(row(2));
  await restoreWork(deps, row(2), work, "https://example.com/o/r");
  expect(await readBranch(provider, other)).toBe("topic");
  expect(
    await sh("git log --format=%s; git branch --format='%(refname:short)'; git remote get-url origin", other),
  ).toBe("topic\nfirst\nmain\ntopic\nhttps://example.com/o/r\n");
  expect(await sh("git status --porcelain", other)).toBe(" M kept.txt\n D old.txt\n?? d/\n");
  expect(await sh("cat kept.txt d/u.txt; test -x d/u.txt && echo x; ls skip.log 2>&1 | grep -c 'No such'", other)).toBe(
    "a\nb\nc\nu\nx\n1\n",
  );
});
