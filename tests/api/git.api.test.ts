import { rename } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, inject, test } from "vitest";
import { diffView } from "@/lib/sandbox/contract";
import { commitView } from "@/lib/session/contract";
import { git, makeRepository, type Repository, type RepositorySpec } from "@/tests/fixtures/repos";
import { outputOf, parsed, toolParts } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

const forge = inject("forge");
const closedForge = inject("closedForge");

const repositories: Repository[] = [];
afterAll(async () => {
  for (const one of repositories) await one.remove();
});
async function repository(spec?: RepositorySpec): Promise<Repository> {
  const one = await makeRepository(spec);
  repositories.push(one);
  return one;
}

/** Puts a bare repository on a git host; gives its folder and URL. */
async function hosted(where: { url: string; root: string }, name: string): Promise<{ folder: string; url: string }> {
  const made = await repository({ bare: true });
  const folder = path.join(where.root, name);
  await rename(made.path, folder);
  return { folder, url: `${where.url}/${name}` };
}

const commit = (sessionId: string, body: unknown = {}) => api.post(`/api/sessions/${sessionId}/git/commit`, body);
const diff = (sessionId: string, scope = "") =>
  api.read(`/api/sessions/${sessionId}/diff${scope ? `?scope=${scope}` : ""}`, diffView);

describe("the diff", () => {
  test("shows what changed since the base, commits included; scope=uncommitted only what no commit has", async () => {
    const source = await repository();
    const made = await api.ready({ repo: { url: source.path, newBranch: "diff/x" } });
    expect((await diff(made.session.id)).files).toEqual([]);
    await api.turn(
      made.chat.id,
      [
        "$ echo more >> README.md && git rm -q src/index.ts && git mv packages/deep/er/still/leaf.txt moved.txt && git commit -qam 'first steps'",
        "$ printf 'a\\nb\\n' > new.txt && printf '\\000\\001' > raw.bin && echo last >> README.md",
      ].join("\n"),
    );
    const all = await diff(made.session.id);
    expect(all.base).toBe(source.head);
    expect(all.kept).toBe(false);
    const of = (name: string) => all.files.find((file) => file.path === name);
    expect(of("README.md")).toMatchObject({ status: "modified", additions: 2, deletions: 0 });
    expect(of("README.md")?.patch).toContain("+more");
    expect(of("src/index.ts")).toMatchObject({ status: "deleted" });
    expect(of("moved.txt")).toMatchObject({ status: "renamed", oldPath: "packages/deep/er/still/leaf.txt" });
    expect(of("new.txt")).toMatchObject({ additions: 2 });
    expect(["added", "untracked"]).toContain(of("new.txt")?.status);
    expect(of("raw.bin")).toMatchObject({ binary: true, patch: "" });

    const rest = await diff(made.session.id, "uncommitted");
    expect(rest.files.map((file) => file.path).sort()).toEqual(["README.md", "new.txt", "raw.bin"]);
    expect(rest.files.find((file) => file.path === "README.md")).toMatchObject({ additions: 1 });
    expectError(await api.get(`/api/sessions/${made.session.id}/diff?scope=odd`), 400, "malformed");
  });

  test("does not touch the index: what was staged stays staged, what was not stays out", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "$ echo a > staged.txt && git add staged.txt && echo b > loose.txt");
    await diff(made.session.id);
    const turn = await api.turn(made.chat.id, "$ git status --porcelain");
    expect(outputOf(toolParts(turn.message)[0])).toContain("A  staged.txt");
    expect(outputOf(toolParts(turn.message)[0])).toContain("?? loose.txt");
  });

  test("of a session without a repository starts from the empty commit, and is kept over sleep", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "write a file.txt: content");
    const awake = await diff(made.session.id);
    expect(awake.files.map((file) => file.path)).toEqual(["a file.txt"]);
    const session = (await api.get(`/api/sessions/${made.session.id}`)).body as { session: { linesAdded: number } };
    expect(session.session.linesAdded).toBe(1);
    await api.asleep(made.session.id);
    const asleep = await diff(made.session.id);
    expect(asleep.kept).toBe(true);
    expect(asleep.files).toEqual(awake.files);
    expect((await diff(made.session.id, "uncommitted")).kept).toBe(true);
  });

  test("while the sandbox falls asleep is never an older one", async () => {
    const made = await api.ready({});
    const paths = async () => (await diff(made.session.id)).files.map((file) => file.path);
    const form = new FormData();
    form.append("files", new Blob(["since the last turn"]), "newest.txt");
    const uploaded = await api.post(`/api/sessions/${made.session.id}/files`, undefined, { raw: form });
    expect(uploaded.status, uploaded.text).toBe(200);
    expect(await paths()).toEqual(["newest.txt"]);
    await api.post(`/api/sessions/${made.session.id}/sandbox/hibernate`, {});
    await poll(
      async () => {
        expect(await paths()).toEqual(["newest.txt"]);
        return api.sandbox(made.session.id);
      },
      ({ state }) => state === "hibernated",
      { everyMs: 5, what: "asleep" },
    );
    expect(await paths()).toEqual(["newest.txt"]);
  });
});

describe("commit", () => {
  test("takes everything, untracked files too, under the configured name, and pushes to a local repository", async () => {
    const source = await repository();
    const made = await api.ready({ repo: { url: source.path, newBranch: "push/me" } });
    await api.turn(made.chat.id, "write deep/new.txt: from the sandbox");
    const done = parsed(
      await commit(made.session.id, { message: "From outside\n\nwith a body", push: true }),
      200,
      commitView,
      "POST commit",
    );
    expect(done).toMatchObject({ branch: "push/me", pushed: true });
    expect(await source.git("rev-parse", "push/me")).toBe(done.sha);
    expect(await source.git("show", "push/me:deep/new.txt")).toBe("from the sandbox");
    expect(await source.git("log", "-1", "--format=%an|%s", "push/me")).toBe("Dormouse|From outside");
    expectError(await commit(made.session.id), 409, "nothing_to_commit");
  });

  test("without a message writes one of its own, and without push stays inside", async () => {
    const source = await repository();
    const made = await api.ready({ repo: { url: source.path, newBranch: "not/pushed" } });
    await api.turn(made.chat.id, "write x.txt: x");
    const done = parsed(await commit(made.session.id), 200, commitView, "POST commit");
    expect(done.pushed).toBe(false);
    expect(await source.git("branch", "--list", "not/pushed")).toBe("");
    const later = await commit(made.session.id, { push: true });
    if (later.status === 200) expect(await source.git("rev-parse", "not/pushed")).toBe(done.sha);
    else expectError(later, 409, "nothing_to_commit");
  });

  test("with push but no repository is 422 no_remote", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "write x.txt: x");
    expectError(await commit(made.session.id, { push: true }), 422, "no_remote");
  });

  test("is 409 when asleep, and while a turn runs", async () => {
    const made = await api.ready({});
    await api.send(made.chat.id, "$ echo x > x.txt; sleep 30");
    await api.collect(made.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    expectError(await commit(made.session.id), 409, "busy");
    await api.post(`/api/sessions/${made.session.id}/sandbox/hibernate`, { force: true });
    await api.sandboxIn(made.session.id, "hibernated");
    expectError(await commit(made.session.id), 409, "asleep");
    expect((await api.sandbox(made.session.id)).state).toBe("hibernated");
  });

  test("to a branch that is checked out there is refused in git's words", async () => {
    const source = await repository();
    const made = await api.ready({ repo: { url: source.path, branch: "main" } });
    await api.turn(made.chat.id, "write x.txt: x");
    const answer = await commit(made.session.id, { push: true });
    const error = expectError(answer, 422, "push_refused");
    expect(error.message, answer.text).toMatch(/checked out/i);
    expect(await source.git("rev-parse", "main")).toBe(source.head);
  });

  test("that a failing hook of the repository blocks says why", async () => {
    const source = await repository({
      files: {
        "a.txt": "a\n",
        ".dormouse/setup.sh":
          "printf '#!/bin/sh\\necho no-thanks >&2\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit\n",
      },
    });
    const made = await api.ready({ repo: { url: source.path, newBranch: "hook/x" } });
    await api.turn(made.chat.id, "write x.txt: x");
    const answer = await commit(made.session.id);
    expect([409, 422], answer.text).toContain(answer.status);
    expect(answer.text).toContain("no-thanks");
  });
});

describe("a repository on a git host with a password", () => {
  test("is cloned, fetched and pushed from inside, and the password is nowhere inside", async () => {
    const { folder, url } = await hosted(forge, "private.git");
    const made = await api.ready({ repo: { url, newBranch: "through/gateway" } });
    await api.turn(made.chat.id, "write x.txt: through the gateway");
    const done = parsed(await commit(made.session.id, { push: true }), 200, commitView, "POST commit");
    expect(done.pushed).toBe(true);
    expect(await git(folder, "rev-parse", "through/gateway")).toBe(done.sha);

    const byAgent = await api.turn(
      made.chat.id,
      "$ git fetch origin && echo y > y.txt && git add y.txt && git commit -qm 'by the agent' && git push origin HEAD 2>&1; echo code=$?",
    );
    expect(outputOf(toolParts(byAgent.message)[0])).toContain("code=0");
    expect(await git(folder, "log", "-1", "--format=%s", "through/gateway")).toBe("by the agent");

    const search = await api.turn(
      made.chat.id,
      [
        "$ env; git config --list --show-origin; cat /etc/gitconfig ~/.gitconfig ~/.git-credentials ~/.netrc .git/config 2>/dev/null; git remote -v",
        "$ cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'",
        "$ grep -rIl canary-git-tok[e]n /workspace /etc /run /tmp /home /root 2>/dev/null | head; curl -s -i http://git.internal/ | head -50",
      ].join("\n"),
    );
    expect(search.state).toBe("completed");
    const everything = JSON.stringify(search.message);
    expect(everything).not.toContain(forge.password);
    expect(everything).not.toContain(Buffer.from(`x-access-token:${forge.password}`).toString("base64"));
    expect(everything).toContain("git.internal");
    expect(everything).not.toContain(api.token);
    expect(JSON.stringify(await api.history(made.chat.id))).not.toContain(forge.password);
  });

  test("serves through the gateway only the repository of the session", async () => {
    const mine = await hosted(forge, "mine.git");
    await hosted(forge, "not-mine.git");
    const made = await api.ready({ repo: { url: mine.url } });
    const turn = await api.turn(
      made.chat.id,
      [
        `$ git ls-remote ${forge.url}/not-mine.git 2>&1; echo code=$?`,
        "$ for p in not-mine.git ../not-mine.git repo/../not-mine.git; do curl -s -o /dev/null -w '%{http_code} ' --path-as-is http://git.internal/$p/info/refs?service=git-upload-pack; done",
      ].join("\n"),
    );
    const [direct, sideways] = toolParts(turn.message).map(outputOf);
    expect(direct).not.toContain("code=0");
    expect(direct).not.toContain("refs/heads");
    expect(sideways).not.toContain("200");
  });

  test("for which there is no password ends the start in not_found_or_private, with advice and without a hang", async () => {
    const { url } = await hosted(closedForge, "closed.git");
    const made = await api.create({ repo: { url } });
    const start = await api.started(made.session.id);
    expect(start.status).toBe("ERROR");
    expect(start.error?.class).toBe("not_found_or_private");
    expect(start.error?.message).toMatch(/DORMOUSE_GIT_TOKENS|token/);
    const missing = await api.create({ repo: { url: `${forge.url}/no-such.git` } });
    expect((await api.started(missing.session.id)).error?.class).toBe("not_found_or_private");
  });
});

describe("what a sandbox can reach", () => {
  test("is neither the app, nor the database, nor metadata, nor the host's loopback", async () => {
    const made = await api.ready({});
    const app = new URL(api.url);
    const database = new URL(inject("main").databaseUrl);
    const targets = [
      `http://127.0.0.1:${app.port}/api/healthz`,
      `http://localhost:${app.port}/api/healthz`,
      `http://127.0.0.1:${database.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]:80/",
      "http://example.com/",
    ];
    const turn = await api.turn(
      made.chat.id,
      targets
        .flatMap((url) => [
          `$ curl -s -m 5 -o /dev/null -w '%{http_code}' '${url}'; echo " code=$?"`,
          `$ curl -s -m 5 -o /dev/null -w '%{http_code}' --noproxy '*' '${url}'; echo " code=$?"`,
        ])
        .join("\n"),
    );
    for (const part of toolParts(turn.message))
      expect(outputOf(part), JSON.stringify(part.input)).not.toMatch(/\b[23]\d\d code=/);
  });
});
