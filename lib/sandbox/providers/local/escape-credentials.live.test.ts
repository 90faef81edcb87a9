import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGitGateway } from "@/lib/git/http-gateway";
import { type GitHttpServer, startGitHttpServer } from "@/lib/git/testing/git-http-server";
import { git } from "@/lib/git/testing/git-sandbox";
import { CANARY } from "./testing/decoys";
import { type Scene, setScene } from "./testing/two-sandboxes";

const TOKEN = `${CANARY}-token`;
const ENCODED = Buffer.from(`x-access-token:${TOKEN}`).toString("base64");

describe("a sandbox with a private repository", () => {
  let folder: string;
  let forge: GitHttpServer;
  let scene: Scene;
  let sh: Scene["sh"];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "credentials-"));
    await mkdir(path.join(folder, "forge"));
    for (const name of ["app", "other"]) {
      const seed = path.join(folder, name);
      await git(["init", "-q", "-b", "main", seed]);
      await writeFile(path.join(seed, "README.md"), `${name}\n`);
      await git(["add", "."], { cwd: seed });
      await git(["commit", "-q", "-m", "first"], { cwd: seed });
      await git(["clone", "-q", "--bare", seed, path.join(folder, "forge", `${name}.git`)]);
    }
    forge = await startGitHttpServer({ root: path.join(folder, "forge"), token: TOKEN });
    const gateway = createGitGateway({
      tokens: new Map([[`127.0.0.1:${forge.port}`, TOKEN]]),
      allowLocal: true,
      allow: [`127.0.0.1:${forge.port}`],
    });
    scene = await setScene({ gateway, gitRemote: `${forge.url}/app.git` });
    sh = scene.sh;
  });
  afterAll(async () => {
    await scene?.close();
    await forge?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const run = async (id: string, command: string) => {
    const { exitCode, stdout, stderr } = await scene.provider.exec(id, { command, timeoutMs: 30_000 });
    return { exitCode, text: stdout.toString() + stderr.toString() };
  };

  it("clones, fetches and pushes it by its own URL, though the token is nowhere inside", async () => {
    const cloned = await run("a", `GIT_CURL_VERBOSE=1 git clone ${forge.url}/app.git .`);
    expect(cloned).toMatchObject({ exitCode: 0 });
    expect((await run("a", "git config remote.origin.url")).text).toBe(`${forge.url}/app.git\n`);
    const pushed = await run(
      "a",
      "echo x > x && git add . && git commit -qm x && GIT_CURL_VERBOSE=1 git push origin HEAD:topic && git fetch origin",
    );
    expect(pushed).toMatchObject({ exitCode: 0 });
    expect((await git(["rev-parse", "topic"], { cwd: path.join(folder, "forge/app.git") })).code).toBe(0);
    // The forge did get it, so that it would have been there to be seen.
    expect(forge.requests.some(({ authorization }) => authorization === `Basic ${ENCODED}`)).toBe(true);
    const searched = await sh(
      [
        `grep -rlaE '${TOKEN}|${ENCODED}' /etc /opt/dormouse /run /tmp /var /home /workspace 2>/dev/null`,
        "env; git config --list --show-origin; for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; done",
        "printf 'protocol=http\\nhost=git.internal\\n\\n' | git credential fill; cat ~/.git-credentials ~/.netrc",
        "curl -sv 'http://git.internal/repo/info/refs?service=git-upload-pack' -o /tmp/refs; cat /tmp/refs",
      ].join("; "),
    );
    for (const text of [cloned.text, pushed.text, searched]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(ENCODED);
    }
  });

  it("reaches no other repository with it, neither through the gateway nor at the forge itself", async () => {
    for (const url of [
      "http://git.internal/other",
      "http://git.internal/repo/../other",
      `${forge.url}/other.git`,
      `${forge.url}/app`,
    ]) {
      const tried = await run("a", `rm -rf /tmp/o; git clone ${url} /tmp/o`);
      expect(tried.exitCode, url).not.toBe(0);
      expect(tried.text, url).not.toContain("could not read Username");
    }
    const direct = await sh(`curl -sS --noproxy '' -m 5 '${forge.url}/app.git/info/refs?service=git-upload-pack' 2>&1`);
    expect(direct).toContain("DORMOUSE_EGRESS_ALLOW");
  });

  it("loses the repository as soon as the policy takes it away, and its neighbour never had it", async () => {
    expect(await run("b", "git ls-remote http://git.internal/repo")).toMatchObject({ exitCode: 0 });
    await scene.provider.setNetwork("b", { allow: [], gitRemote: `${forge.url}/other.git` });
    const refs = await run("b", "git ls-remote http://git.internal/repo");
    expect(refs.exitCode).toBe(0);
    expect(refs.text).not.toContain("topic");
    await scene.provider.setNetwork("b", { allow: [], gitRemote: null });
    const gone = await run("b", "git ls-remote http://git.internal/repo");
    expect(gone.exitCode).not.toBe(0);
    expect(gone.text).toContain("no repository");
  });

  it("that is a folder of this host: pushes to it, and sees nothing of it but git's answers", async () => {
    const place = path.join(folder, "app");
    await scene.provider.setNetwork("b", { allow: [], gitRemote: place });
    const cloned = await run(
      "b",
      `git clone http://git.internal/repo . && git remote set-url origin ${place} && echo y > y && git add . && git commit -qm y && git push origin HEAD:from-sandbox`,
    );
    expect(cloned).toMatchObject({ exitCode: 0 });
    expect((await git(["rev-parse", "from-sandbox"], { cwd: place })).code).toBe(0);
    const refused = await run("b", "git push origin HEAD:main");
    expect(refused.exitCode).not.toBe(0);
    expect(refused.text).toContain("refusing to update checked out branch");
    expect((await run("b", `ls ${place}; cat ${place}/README.md`)).exitCode).not.toBe(0);
  });
});
