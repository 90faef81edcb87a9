import { afterAll, describe, expect, test } from "vitest";
import { START_PHASES, type StartView, startView } from "@/lib/session/contract";
import { makeRepository, type Repository, skill, withSetup } from "@/tests/fixtures/repos";
import { outputOf, toolParts } from "./client";
import { poll } from "./poll";
import { collectUntil } from "./sse";
import { api, expectError } from "./subject";

const repositories: Repository[] = [];
async function repository(made: Promise<Repository>): Promise<Repository> {
  const one = await made;
  repositories.push(one);
  return one;
}
afterAll(async () => {
  for (const one of repositories) await one.remove();
});

/** The start views that the stream shows, in order. */
async function streamed(sessionId: string): Promise<StartView[]> {
  const events = await collectUntil(api, `/api/sessions/${sessionId}/start?stream=1`, () => false, {
    timeoutMs: 150_000,
  });
  return events.flatMap((event) => {
    const view = startView.safeParse(event.start ?? event);
    return view.success ? [view.data] : [];
  });
}

const order = (status: string) => [...START_PHASES, "READY", "ERROR"].indexOf(status as "READY");

describe("a start", () => {
  test("goes through its phases in order; stream and poll show the same, and the stream ends at READY", async () => {
    const source = await repository(withSetup("echo setting up\n"));
    const made = await api.create({ repo: { url: source.path } });
    const views = await streamed(made.session.id);
    const statuses = views.map(({ status }) => order(status));
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
    const last = views.at(-1);
    expect(last?.status).toBe("READY");
    expect(last).toEqual(await api.start(made.session.id));
    expect(last?.phases.map(({ state }) => state)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(done|skipped)$/)]),
    );
    for (const phase of last?.phases ?? []) {
      expect(["done", "skipped"], phase.name).toContain(phase.state);
      expect(phase.endedAt, phase.name).not.toBeNull();
    }
    const ends = (last?.phases ?? []).map(({ endedAt }) => endedAt ?? "");
    expect(ends).toEqual([...ends].sort());
  });

  test("is not cancelled by closing its stream", async () => {
    const made = await api.create({});
    const stop = new AbortController();
    const reading = collectUntil(api, `/api/sessions/${made.session.id}/start?stream=1`, () => true, {
      signal: stop.signal,
    });
    await reading.catch(() => undefined);
    stop.abort();
    expect((await api.started(made.session.id)).status).toBe("READY");
  });

  test("without a repository makes an empty workspace under git with one commit", async () => {
    const made = await api.ready({});
    const start = await api.start(made.session.id);
    const setup = start.phases.find(({ name }) => name === "RUNNING_SETUP_SCRIPT");
    expect(setup?.state).toBe("skipped");
    const turn = await api.turn(made.chat.id, "$ pwd; git rev-list --count HEAD; git status --porcelain | wc -l");
    expect(outputOf(toolParts(turn.message)[0])).toMatch(/\/workspace\\n1\\n\s*0/);
  });

  test("clones a local repository with nested folders into /workspace", async () => {
    const source = await repository(makeRepository());
    const made = await api.ready({ repo: { url: `file://${source.path}` } });
    const turn = await api.turn(made.chat.id, "$ cat /workspace/packages/deep/er/still/leaf.txt; git rev-parse HEAD");
    expect(outputOf(toolParts(turn.message)[0])).toContain("leaf");
    expect(outputOf(toolParts(turn.message)[0])).toContain(source.head);
  });
});

describe("a start that cannot succeed ends in ERROR with class, words and reference", () => {
  test.for([
    ["a port where nobody listens", { url: "http://127.0.0.1:1/a.git" }, /egress_denied|unreachable|network/],
    ["a host outside the egress rules", { url: "https://repo.example.net/a/b.git" }, /egress_denied/],
    ["a folder without a repository", { url: "/usr/share" }, /not_found|not_a_repository|not_found_or_private/],
  ] as const)("%s", async ([, repo, kind]) => {
    const answer = await api.post("/api/sessions", { repo });
    if (repo.url.startsWith("/") && answer.status === 422) return; // found out before the start
    expect(answer.status, answer.text).toBe(201);
    const { session } = answer.body as { session: { id: string } };
    const start = await api.started(session.id);
    expect(start.status).toBe("ERROR");
    expect(start.error?.class).toMatch(kind);
    expect(start.error?.message.length).toBeGreaterThan(10);
    expect(start.error?.referenceId).toMatch(/^ref-/);
    expect(start.phases.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual([
      "PREPARING_REPOSITORY",
    ]);
    expect(start.phases.find(({ name }) => name === "STARTING_CONVERSATION")?.state).toBe("pending");
  });

  test("a branch that does not exist, named in the words", async () => {
    const source = await repository(makeRepository());
    const made = await api.create({ repo: { url: source.path, branch: "no/such-branch" } });
    const start = await api.started(made.session.id);
    expect(start.status).toBe("ERROR");
    expect(start.error?.class).toMatch(/branch/);
    expect(start.error?.message).toContain("no/such-branch");
  });

  test("and keeps the prompt: it is answered once after a retry that succeeds, in the same sandbox", async () => {
    const source = await repository(makeRepository());
    const made = await api.create({
      repo: { url: source.path, branch: "later" },
      prompt: "$ git branch --show-current",
    });
    expect((await api.started(made.session.id)).status).toBe("ERROR");
    expect((await api.messages(made.chat.id)).messages.length).toBe(1);

    await source.git("branch", "later", "main");
    const retry = await api.post(`/api/sessions/${made.session.id}/start/retry`);
    expect(retry.status, retry.text).toBe(202);
    const turn = await api.finished(made.chat.id, made.message?.metadata.turnId ?? "");
    expect(turn.state).toBe("completed");
    expect(outputOf(toolParts(turn.message)[0])).toContain("later");
    const start = await api.start(made.session.id);
    expect(start.status).toBe("READY");
    expect(start.error).toBeUndefined();
    const { messages } = await api.messages(made.chat.id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("a retry of a start that is READY is 409", async () => {
    const made = await api.ready({});
    expectError(await api.post(`/api/sessions/${made.session.id}/start/retry`), 409);
  });
});

describe("cancelling a start", () => {
  test("ends it for good, leaves nothing running, and a retry goes on", async () => {
    const source = await repository(withSetup("sleep 300\n"));
    const made = await api.create({ repo: { url: source.path }, prompt: "say never" });
    await poll(
      () => api.start(made.session.id),
      ({ status }) => status === "RUNNING_SETUP_SCRIPT",
      { what: "the setup script" },
    );
    const cancel = await api.post(`/api/sessions/${made.session.id}/start/cancel`);
    expect(cancel.status, cancel.text).toBe(202);
    const start = await api.started(made.session.id);
    expect(start.status).toBe("ERROR");
    expect(start.error?.class).toMatch(/cancel/);
    expect(start.error?.retryable).toBe(true);
    const { messages } = await api.messages(made.chat.id);
    expect(messages.map(({ role }) => role)).toEqual(["user"]);
    const again = await api.post(`/api/sessions/${made.session.id}/start/cancel`);
    expect([202, 409]).toContain(again.status);
  });
});

describe("the setup script", () => {
  test("is sourced: its exports reach the agent's commands, its output and exit code are shown", async () => {
    const source = await repository(withSetup("echo one-line-of-setup\nexport FROM_SETUP='a b'\n"));
    const made = await api.ready({ repo: { url: source.path } });
    const phase = (await api.start(made.session.id)).phases.find(({ name }) => name === "RUNNING_SETUP_SCRIPT");
    expect(phase?.output).toContain("one-line-of-setup");
    expect(phase?.detail).toMatch(/\b0\b/);
    const turn = await api.turn(made.chat.id, '$ echo "[$FROM_SETUP]"');
    expect(outputOf(toolParts(turn.message)[0])).toContain("[a b]");
  });

  test("that fails is shown with its exit code and last lines", async () => {
    const source = await repository(withSetup("echo before the end\nfalse\nexit 7\n"));
    const made = await api.create({ repo: { url: source.path } });
    const start = await api.started(made.session.id);
    const phase = start.phases.find(({ name }) => name === "RUNNING_SETUP_SCRIPT");
    expect(`${phase?.detail} ${start.error?.message}`).toContain("7");
    expect(phase?.output).toContain("before the end");
  });

  test("of .openhands is used when there is none of our own", async () => {
    const source = await repository(
      makeRepository({ files: { "a.txt": "a\n", ".openhands/setup.sh": "export WHOSE=theirs\n" } }),
    );
    const made = await api.ready({ repo: { url: source.path } });
    const turn = await api.turn(made.chat.id, "$ echo whose=$WHOSE");
    expect(outputOf(toolParts(turn.message)[0])).toContain("whose=theirs");
  });

  test("that waits for input gets none and does not hang", async () => {
    const source = await repository(withSetup("read -r answer || echo no-input\n"));
    const made = await api.ready({ repo: { url: source.path } });
    const phase = (await api.start(made.session.id)).phases.find(({ name }) => name === "RUNNING_SETUP_SCRIPT");
    expect(phase?.output).toContain("no-input");
  });

  test("changes can be undone: the tree before it is kept as a hidden ref", async () => {
    const source = await repository(withSetup("echo changed > README.md\n"));
    const made = await api.ready({ repo: { url: source.path } });
    const turn = await api.turn(
      made.chat.id,
      "$ git for-each-ref --format='%(refname)' | grep -v heads; git branch -a",
    );
    expect(outputOf(toolParts(turn.message)[0])).toMatch(/refs\/[a-z-]+\/.*start/);
  });
});

describe("git hooks", () => {
  test("of the repository stay in force: a failing one blocks the agent's commit and it sees why", async () => {
    const hook = "#!/bin/sh\\nif git diff --cached | grep -q FORBIDDEN; then echo hook-says-no >&2; exit 1; fi\\n";
    const source = await repository(
      withSetup(`mkdir -p .git/hooks\nprintf '${hook}' > .git/hooks/pre-commit\nchmod +x .git/hooks/pre-commit\n`),
    );
    const made = await api.ready({ repo: { url: source.path } });
    const bad = await api.turn(
      made.chat.id,
      "$ echo FORBIDDEN > x.txt; git add x.txt; git commit -m bad; echo code=$?",
    );
    expect(outputOf(toolParts(bad.message)[0])).toContain("hook-says-no");
    expect(outputOf(toolParts(bad.message)[0])).not.toContain("code=0");
    const good = await api.turn(made.chat.id, "$ echo fine > x.txt; git add x.txt; git commit -m good; echo code=$?");
    expect(outputOf(toolParts(good.message)[0])).toContain("code=0");
  });
});

describe("skills", () => {
  test("of the repository are listed with their source; a broken one is listed as broken and stops nothing", async () => {
    const source = await repository(
      makeRepository({
        files: {
          "a.txt": "a\n",
          ".agents/skills/release/SKILL.md": skill("release", "Makes a release"),
          ".agents/skills/broken/SKILL.md": "---\nname: [unclosed\n---\n",
        },
      }),
    );
    const made = await api.ready({ repo: { url: source.path } });
    const { skills } = await api.start(made.session.id);
    expect(skills.find(({ name }) => name === "release")).toMatchObject({
      source: expect.stringMatching(/repo/),
      path: expect.stringContaining("SKILL.md"),
    });
    expect(skills.find(({ path }) => path.includes("broken"))?.problem).toBeTruthy();
  });
});
