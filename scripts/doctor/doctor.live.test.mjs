import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const doctor = fileURLToPath(new URL("../doctor.mjs", import.meta.url));
const isRoot = process.getuid() === 0;
let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doctor-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the doctor behind a shell that changes what it sees of the host. */
function examine(prepare, { wrap = ["unshare", "--mount", "--propagation", "private", "--"], dataDir = folder } = {}) {
  const line = `${prepare || ":"} && exec "$0" "$1" --json`;
  const [program, ...args] = [...wrap, "/bin/sh", "-c", line, process.execPath, doctor];
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { env: { PATH: process.env.PATH, DORMOUSE_DATA_DIR: dataDir } },
      (error, stdout, stderr) => {
        try {
          const { ok, checks } = JSON.parse(stdout);
          resolve({ code: error?.code ?? 0, ok, of: (name) => checks.find((check) => check.name === name) });
        } catch {
          reject(new Error(`${stdout}\n${stderr}`));
        }
      },
    );
  });
}

describe("the doctor", () => {
  it("finds a host fit that can start a sandbox, and exits with 0", async () => {
    const found = await examine("", { wrap: ["env"] });
    expect(found).toMatchObject({ code: 0, ok: true });
    expect(found.of("launch")).toMatchObject({ ok: true, required: true });
  });

  it("prints one line per check for people", () => {
    const printed = execFileSync(process.execPath, [doctor], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, DORMOUSE_DATA_DIR: folder },
    });
    expect(printed).toMatch(/^ok {4}launch .*\n/m);
    expect(printed).toContain("This host can run sandboxes.");
  });
});

// These take something away in a mount or user namespace of the doctor's own.
describe.runIf(isRoot)("the doctor of a host that lacks something", () => {
  it("names a missing program and the line that installs it, and exits with 1", async () => {
    const found = await examine("mount --bind /dev/null $(command -v bwrap)");
    expect(found).toMatchObject({ code: 1, ok: false });
    expect(found.of("programs")).toMatchObject({
      ok: false,
      required: true,
      message: "missing: bwrap",
      fix: expect.stringContaining("apt-get install -y bubblewrap"),
    });
  });

  it("finds out that /proc is masked, and how a container must be started", async () => {
    const found = await examine("mount --bind /dev/null /proc/cmdline");
    expect(found.code).toBe(1);
    expect(found.of("proc")).toMatchObject({ ok: false, message: expect.stringContaining("/proc/cmdline") });
    expect(found.of("launch")).toMatchObject({ ok: false, fix: expect.stringContaining("systempaths=unconfined") });
  });

  it("finds out that user namespaces are used up, and which setting allows them", async () => {
    // The number is kept per user namespace, so that this one does not touch the host's.
    const wrap = ["unshare", "--user", "--map-root-user", "--mount", "--propagation", "private", "--"];
    const found = await examine("echo 0 > /proc/sys/user/max_user_namespaces", { wrap });
    expect(found.code).toBe(1);
    expect(found.of("user namespaces")).toMatchObject({
      ok: false,
      fix: expect.stringContaining("user.max_user_namespaces="),
    });
    expect(found.of("launch")).toMatchObject({ ok: false, fix: expect.stringContaining("user.max_user_namespaces=") });
  });

  it("does without loop devices and cgroups, and says what that costs", async () => {
    const found = await examine(
      "mount -t tmpfs -o ro none /sys/fs/cgroup && mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3",
    );
    expect(found.of("loop devices")).toMatchObject({ ok: false, required: false, fix: expect.any(String) });
    expect(found.of("cgroups")).toMatchObject({ ok: false, required: false, fix: expect.any(String) });
  });

  it("refuses a data folder without room, or that cannot be written", async () => {
    const full = await examine(`mount -t tmpfs -o size=10m none ${folder}`);
    expect(full.of("data folder")).toMatchObject({
      ok: false,
      required: true,
      message: expect.stringMatching(/only 0\.0 GB free/),
    });
    const foreign = await examine("", {
      wrap: ["setpriv", "--reuid", "61002", "--regid", "61002", "--clear-groups", "--"],
      dataDir: "/root/dormouse",
    });
    expect(foreign.of("data folder")).toMatchObject({ ok: false, fix: expect.stringContaining("DORMOUSE_DATA_DIR") });
  });

  it("starts a sandbox as an ordinary user as well", async () => {
    const found = await examine("", {
      wrap: ["setpriv", "--reuid", "61002", "--regid", "61002", "--clear-groups", "--"],
      dataDir: "/tmp",
    });
    expect(found.of("launch")).toMatchObject({ ok: true, message: expect.stringContaining("ordinary user") });
    expect(found).toMatchObject({ ok: true });
  });
});
