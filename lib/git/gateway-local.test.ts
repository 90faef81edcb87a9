import { execFileSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGitGateway, type GitGatewayOptions } from "./http-gateway";
import { exposeGateway, git } from "./testing/git-sandbox";

const isRoot = process.getuid?.() === 0;
/** A user that need not exist by name: the kernel and git know numbers only. */
const OWNER = isRoot ? 54_321 : (process.getuid?.() ?? 0);

let folder: string;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "local-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
});

async function sandbox(remote: string, options: Partial<GitGatewayOptions> = {}): Promise<string> {
  const exposed = await exposeGateway(
    createGitGateway({ tokens: new Map(), allowLocal: true, allow: [], ...options }),
    remote,
  );
  open.push(exposed);
  return exposed.url;
}

/** A repository in a folder of mode 700 that belongs to `OWNER`. */
async function repository(name: string, kind: "bare" | "with files"): Promise<string> {
  const home = path.join(folder, "home");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const place = path.join(home, name);
  const seed = kind === "bare" ? path.join(folder, `seed-${name}`) : place;
  await git(["init", "-q", "-b", "main", seed]);
  await writeFile(path.join(seed, "README.md"), "hello\n");
  await git(["add", "."], { cwd: seed });
  await git(["commit", "-q", "-m", "first"], { cwd: seed });
  if (kind === "bare") await git(["clone", "-q", "--bare", seed, place]);
  if (isRoot) execFileSync("chown", ["-R", `${OWNER}:${OWNER}`, home]);
  return place;
}

const work = () => path.join(folder, "work");
const inRepo = (place: string, ...args: string[]) =>
  git(["-c", "safe.directory=*", "-C", place, ...args], {
    env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
  });

async function commit(): Promise<void> {
  await writeFile(path.join(work(), "a.txt"), "a");
  await git(["add", "."], { cwd: work() });
  expect((await git(["commit", "-q", "-m", "a"], { cwd: work() })).code).toBe(0);
}

describe("a folder of this host", { timeout: 60_000 }, () => {
  it.each(["bare", "with files"] as const)(
    "(%s) under a mode-700 parent is cloned and pushed to, and what is written belongs to its owner",
    async (kind) => {
      const place = await repository("app", kind);
      const url = await sandbox(place);
      expect(await git(["clone", "-q", url, work()])).toMatchObject({ code: 0, stderr: "" });
      await commit();
      expect(await git(["push", "-q", "origin", "HEAD:topic"], { cwd: work() })).toMatchObject({ code: 0 });
      const ref = path.join(place, kind === "bare" ? "" : ".git", "refs/heads/topic");
      expect((await stat(ref)).uid).toBe(OWNER);
      expect((await inRepo(place, "rev-parse", "topic")).stdout).toBe(
        (await git(["rev-parse", "HEAD"], { cwd: work() })).stdout,
      );
    },
  );

  it("keeps its own URL in the sandbox: insteadOf serves clone by URL, and fetch and push by remote", async () => {
    const place = await repository("app", "bare");
    const url = await sandbox(place);
    const config = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `url.${url}.insteadOf`, GIT_CONFIG_VALUE_0: place };
    expect((await git(["clone", "-q", url, work()])).code).toBe(0);
    await git(["remote", "set-url", "origin", place], { cwd: work() });
    await commit();
    // The trace tells that the gateway was asked, though the folder could have been opened here.
    const run = (args: string[]) => git(args, { cwd: work(), env: { ...config, GIT_TRACE: "1" } });
    const pushed = await run(["push", "origin", "HEAD:topic"]);
    expect(pushed.code).toBe(0);
    expect(pushed.stderr).toContain("git-remote-http");
    expect((await run(["fetch", "-q", "origin"])).code).toBe(0);
  });

  it("refuses a push to the branch that is checked out, in git's own words", async () => {
    const place = await repository("app", "with files");
    const url = await sandbox(place);
    await git(["clone", "-q", url, work()]);
    await commit();
    const { code, stderr } = await git(["push", "origin", "HEAD:main"], { cwd: work() });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/refusing to update checked out branch/);
    expect((await inRepo(place, "log", "--oneline")).stdout.trim().split("\n")).toHaveLength(1);
  });

  it("runs its hooks as its owner, without anything of our environment", async () => {
    const place = await repository("app", "bare");
    process.env.GATEWAY_CANARY = "CANARY-env";
    await writeFile(
      path.join(place, "hooks/pre-receive"),
      '#!/bin/sh\necho "hook uid $(id -u) groups $(id -G)"\nenv > hook-env\nread old new ref\ncase $ref in */refused) echo "not this one"; exit 1;; esac\n',
      { mode: 0o755 },
    );
    if (isRoot) await chown(path.join(place, "hooks/pre-receive"), OWNER, OWNER);
    const url = await sandbox(place);
    await git(["clone", "-q", url, work()]);
    await commit();
    const pushed = await git(["push", "origin", "HEAD:topic"], { cwd: work() });
    expect(pushed.stderr).toContain(`remote: hook uid ${OWNER}${isRoot ? ` groups ${OWNER}` : ""}`);
    const env = await readFile(path.join(place, "hook-env"), "utf8");
    expect(env).not.toContain("CANARY");
    delete process.env.GATEWAY_CANARY;
    const refused = await git(["push", "origin", "HEAD:refused"], { cwd: work() });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("remote: not this one");
  });

  it("is found by its name without .git, and through a link, as the owner of what the link leads to", async () => {
    const place = await repository("app.git", "bare");
    const link = path.join(folder, "link");
    await symlink(place, link);
    for (const [at, remote] of [place.replace(/\.git$/, ""), link].entries()) {
      const url = await sandbox(remote);
      await rm(work(), { recursive: true, force: true });
      expect((await git(["clone", "-q", url, work()])).code).toBe(0);
      await commit();
      expect((await git(["push", "-q", "origin", `HEAD:topic${at}`], { cwd: work() })).code).toBe(0);
      expect((await stat(path.join(place, `refs/heads/topic${at}`))).uid).toBe(OWNER);
    }
  });

  it("takes a push and a fetch that are large and compressed", async () => {
    const place = await repository("app", "bare");
    const url = await sandbox(place);
    await git(["clone", "-q", url, work()]);
    await writeFile(
      path.join(work(), "big.bin"),
      Buffer.alloc(8 * 1024 * 1024, "0123456789abcdef-").map((byte, at) => (byte * at * 31) & 0xff),
    );
    await commit();
    const tree = (await git(["rev-parse", "HEAD^{tree}"], { cwd: work() })).stdout.trim();
    for (let at = 0; at < 30; at++) {
      const made = await git(["commit-tree", "-m", `${at}`, tree], { cwd: work() });
      await git(["update-ref", `refs/heads/b${at}`, made.stdout.trim()], { cwd: work() });
    }
    expect(await git(["push", "-q", "origin", "--all"], { cwd: work() })).toMatchObject({ code: 0 });
    const again = path.join(folder, "again");
    expect((await git(["-c", "protocol.version=0", "clone", "-q", url, again])).code).toBe(0);
    expect((await git(["fsck"], { cwd: again })).code).toBe(0);
  });

  it("that is no repository, a file, missing, or in a forbidden place is refused without saying which", async () => {
    const place = await repository("app", "with files");
    await mkdir(path.join(place, "sub"), { recursive: true });
    await writeFile(path.join(folder, "file"), "");
    await mkdir(path.join(folder, "data/upper"), { recursive: true });
    await git(["init", "-q", path.join(folder, "data/upper/repo")]);
    await symlink(path.join(folder, "data/upper/repo"), path.join(folder, "alias"));
    const tries = [
      path.join(place, "sub"),
      path.join(folder, "file"),
      path.join(folder, "none"),
      path.join(folder, "data/upper/repo"),
      path.join(folder, "alias"),
    ];
    for (const remote of tries) {
      const url = await sandbox(remote, { forbiddenFolders: [path.join(folder, "data")] });
      const { code, stderr } = await git(["clone", url, work()]);
      expect([code === 0, remote]).toEqual([false, remote]);
      expect(stderr).toContain(`remote: [not_found_or_private] ${remote} is not a git repository`);
    }
    // The same repository is served where nothing forbids it.
    expect((await git(["clone", "-q", await sandbox(path.join(folder, "alias")), work()])).code).toBe(0);
  });

  it("is not served where local folders are not allowed", async () => {
    const place = await repository("app", "bare");
    const { stderr } = await git(["clone", await sandbox(place, { allowLocal: false }), work()]);
    expect(stderr).toContain("DORMOUSE_ALLOW_LOCAL_REPOS");
  });

  it("leaves no git process behind when the sandbox hangs up", async () => {
    const place = await repository("app", "bare");
    await writeFile(path.join(place, "hooks/pre-receive"), "#!/bin/sh\necho $$ > started\nexec sleep 300\n", {
      mode: 0o755,
    });
    if (isRoot) await chown(path.join(place, "hooks/pre-receive"), OWNER, OWNER);
    const exposed = await sandbox(place);
    await git(["clone", "-q", exposed, work()]);
    await commit();
    const pushing = git(["push", "origin", "HEAD:topic"], { cwd: work() });
    await expect
      .poll(() => readFile(path.join(place, "started"), "utf8").catch(() => ""), { timeout: 10_000 })
      .toMatch(/\d\n/);
    const pid = (await readFile(path.join(place, "started"), "utf8")).trim();
    await open.at(-1)?.close();
    await pushing;
    await expect
      .poll(
        () =>
          stat(`/proc/${pid}`).then(
            (info) => info.isDirectory(),
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(false);
  });
});
