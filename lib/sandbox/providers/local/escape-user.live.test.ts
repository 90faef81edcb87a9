import { execFile } from "node:child_process";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";

/** Everything once more as an ordinary user: the app as root takes this test along to a place that such a user can reach. */
describe.runIf(process.getuid?.() === 0)("every attack of these tests", () => {
  it("fails as well when the app is not root", { timeout: 300_000 }, async () => {
    const node = path.dirname(path.dirname(process.execPath));
    const script = [
      'mount -t tmpfs -o mode=755 none /mnt && mkdir /mnt/app /mnt/node && mount --bind "$APP" /mnt/app && mount --bind "$NODE" /mnt/node',
      "mkdir -p /mnt/tmp && chmod 1777 /mnt/tmp && cd /mnt/app",
      "exec setpriv --reuid 61777 --regid 61777 --clear-groups --inh-caps=-all -- env -i HOME=/mnt/tmp TMPDIR=/tmp PATH=/mnt/node/bin:$PATH node node_modules/vitest/vitest.mjs run --project live --no-cache lib/sandbox/providers/local/escape",
    ].join(" && ");
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      const env = {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        APP: process.cwd(),
        NODE: node,
      } as unknown as NodeJS.ProcessEnv;
      execFile(
        "unshare",
        ["--mount", "--propagation", "private", "--", "sh", "-c", script],
        { env, maxBuffer: 1 << 24 },
        (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
        },
      );
    });
    expect(code, output).toBe(0);
    const passed = stripVTControlCharacters(output).match(/Tests\s+(\d+) passed/)?.[1];
    expect(Number(passed), output).toBeGreaterThanOrEqual(20);
    expect(output).toContain("an ordinary user");
  });
});
