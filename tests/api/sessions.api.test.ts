import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type CreateSessionView, type SessionView, sessionListView, sessionView } from "@/lib/session/contract";
import { makeRepository, type Repository } from "@/tests/fixtures/repos";
import { parsed } from "./client";
import { poll } from "./poll";
import { api, expectError, other } from "./subject";

const one = z.object({ session: sessionView });

async function get(id: string): Promise<SessionView> {
  return (await api.read(`/api/sessions/${id}`, one)).session;
}

describe("creating a session", () => {
  test("answers 201 with session, chat and start at once, and no message without a prompt", async () => {
    const from = performance.now();
    const made = await api.create({ title: "Plain", tags: ["a", "b"], idleTimeoutSeconds: 77 });
    expect(performance.now() - from).toBeLessThan(5_000);
    expect(made.session).toMatchObject({
      title: "Plain",
      status: "running",
      repo: null,
      tags: ["a", "b"],
      parentId: null,
      model: "demo/demo",
      idleTimeoutSeconds: 77,
      chatId: made.chat.id,
      pr: null,
    });
    expect(made.chat).toMatchObject({ sessionId: made.session.id, activeTurn: null });
    expect(made.message).toBeUndefined();
    expect(made.startTask.phases.map(({ name }) => name)).toEqual([
      "WORKING",
      "WAITING_FOR_SANDBOX",
      "PREPARING_REPOSITORY",
      "RUNNING_SETUP_SCRIPT",
      "SETTING_UP_GIT_HOOKS",
      "SETTING_UP_SKILLS",
      "STARTING_CONVERSATION",
    ]);
    expect(await get(made.session.id)).toMatchObject({ id: made.session.id });
  });

  test("without a prompt starts no turn: the session waits for a message", async () => {
    const made = await api.ready({});
    expect((await get(made.session.id)).activity).not.toBe("working");
    const events = await api.history(made.chat.id);
    expect(events.filter((event) => event.name === "turn" || event.source === "agent")).toEqual([]);
  });

  test("with a prompt queues it as the first message and answers it after READY", async () => {
    const made = await api.create({ prompt: "say hello there" });
    expect(made.message).toMatchObject({ role: "user", metadata: { status: "queued" } });
    expect(made.chat.activeTurn).toMatchObject({ state: "queued", id: made.message?.metadata.turnId });
    const turn = await api.finished(made.chat.id, made.message?.metadata.turnId ?? "");
    expect(turn.state).toBe("completed");
    expect(turn.text).toContain("hello there");
    expect((await api.start(made.session.id)).status).toBe("READY");
  });

  test("gives itself a title from the first message, and never overwrites one that was given", async () => {
    const [named, unnamed] = await Promise.all([
      api.create({ title: "My own", prompt: "say one" }),
      api.create({ prompt: "say fix the parser of dates" }),
    ]);
    await api.finished(named.chat.id, named.message?.metadata.turnId ?? "");
    const titled = await poll(
      () => get(unnamed.session.id),
      (session) => session.title !== unnamed.session.title || /parser/.test(session.title),
      { what: "a title" },
    );
    expect(titled.title.length).toBeGreaterThan(0);
    expect((await get(named.session.id)).title).toBe("My own");
  });

  test("the same id and body again is 200 with the same rows; another body is 409", async () => {
    const body = { id: randomUUID(), prompt: "say once", title: "Once" };
    const first = await api.create(body);
    const again = await api.post("/api/sessions", body);
    expect(again.status, again.text).toBe(200);
    const repeated = again.body as CreateSessionView;
    expect(repeated.session.id).toBe(body.id);
    expect(repeated.chat.id).toBe(first.chat.id);
    expect(repeated.startTask.id).toBe(first.startTask.id);
    expect(repeated.message?.id).toBe(first.message?.id);
    expectError(await api.post("/api/sessions", { ...body, title: "Twice" }), 409);
    expectError(await api.post("/api/sessions", { id: body.id }), 409);
  });

  test("twenty simultaneous creations with one id make one session and one message", async () => {
    const body = { id: randomUUID(), prompt: "say just one", title: `race ${randomUUID()}` };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post("/api/sessions", body)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(19);
    const ids = new Set(answers.map((answer) => (answer.body as CreateSessionView).chat.id));
    expect(ids.size).toBe(1);
    const [chat] = ids;
    expect((await api.messages(chat ?? "")).messages.filter(({ role }) => role === "user").length).toBe(1);
  });

  test("an id that another user has used is not readable through a repeated creation", async () => {
    const body = { id: randomUUID() };
    await other.create(body);
    const answer = await api.post("/api/sessions", body);
    expect(answer.status).toBeGreaterThanOrEqual(404);
  });
});

describe("what a session cannot be made with", () => {
  test.for([
    ["git@github.com:owner/name.git"],
    ["ssh://git@github.com/owner/name.git"],
    ["https://user:secret-pw@example.com/owner/name.git"],
    ["ftp://example.com/name.git"],
    ["relative/path"],
    ["/no/such/folder/here"],
    ["file:///no/such/folder/here"],
  ])("a repository url of %s is 422 with advice and without its password", async ([url]) => {
    const answer = await api.post("/api/sessions", { repo: { url: url ?? "" } });
    if (url?.includes("/no/such/") && answer.status === 201) return; // found out by the start instead
    const error = expectError(answer, 422);
    expect(JSON.stringify(error)).toContain("repo");
    expect(answer.text).not.toContain("secret-pw");
  });

  test.for([
    ["autoCommit", { autoCommit: true }],
    ["parentId", { parentId: randomUUID() }],
    ["model", { model: "nobody/nothing" }],
  ] as const)("%s that cannot be honoured is 422 or 404 and names the field, never ignored", async ([field, body]) => {
    const answer = await api.post("/api/sessions", body);
    if (field === "autoCommit" && answer.status === 201) return; // built
    expect([404, 422], answer.text).toContain(answer.status);
    if (answer.status === 422) expect(JSON.stringify(answer.body)).toContain(field);
  });

  test("nothing is left of a refused creation", async () => {
    const id = randomUUID();
    await api.post("/api/sessions", { id, repo: { url: "git@github.com:a/b.git" } });
    expectError(await api.get(`/api/sessions/${id}`), 404);
    expect((await api.post("/api/sessions", { id })).status).toBe(201);
  });
});

describe("branches", () => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await makeRepository({ branches: { "feature/x": { "only-here.txt": "x\n" } } });
  });
  afterAll(() => repository.remove());

  test("newBranch true makes <initials>/<8 hex> on top of the base branch", async () => {
    const made = await api.ready({ repo: { url: repository.path, newBranch: true } });
    const session = await get(made.session.id);
    expect(session.repo?.branch).toMatch(/^[a-z]{1,4}\/[0-9a-f]{8}$/);
    expect(session.repo?.baseBranch).toBe("main");
  });

  test("newBranch by name and branch are what the sandbox is on", async () => {
    const made = await api.ready({ repo: { url: repository.path, branch: "feature/x", newBranch: "topic/y" } });
    const turn = await api.turn(made.chat.id, "$ git branch --show-current && git log -1 --format=%s && ls");
    expect(JSON.stringify(turn.message)).toContain("topic/y");
    expect(JSON.stringify(turn.message)).toContain("only-here.txt");
    expect((await get(made.session.id)).repo).toMatchObject({ branch: "topic/y", baseBranch: "feature/x" });
  });

  test.for(["bad name", "-x", "a..b", "x.lock", "HEAD", "a~1"])(
    "a new branch named %j is refused",
    async (newBranch) => {
      const answer = await api.post("/api/sessions", { repo: { url: repository.path, newBranch } });
      expect([400, 422], answer.text).toContain(answer.status);
      expect(answer.text).toMatch(/branch/i);
    },
  );
});

describe("the list", () => {
  const mark = `mark-${randomUUID().slice(0, 8)}`;
  const made: CreateSessionView[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 7; index += 1) made.push(await api.create({ title: `${mark} number ${index}` }));
  });
  const list = async (query: string) =>
    parsed(await api.get(`/api/sessions?${query}`), 200, sessionListView, `GET sessions?${query}`);

  test("finds by words of the title, newest activity first", async () => {
    const { sessions } = await list(`q=${mark.toUpperCase()}`);
    expect(sessions.length).toBe(7);
    const times = sessions.map(({ lastActivityAt }) => lastActivityAt);
    expect(times).toEqual([...times].sort().reverse());
    expect((await list(`q=${mark}%25`)).sessions).toEqual([]);
    expect((await list(`q=${mark}_number`)).sessions).toEqual([]);
  });

  test("pages by cursor without gap or double", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(`q=${mark}&limit=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
      expect(page.sessions.length).toBeLessThanOrEqual(3);
      seen.push(...page.sessions.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.length).toBe(7);
    expect(new Set(seen)).toEqual(new Set(made.map(({ session }) => session.id)));
  });

  test.for(["limit=0", "limit=101", "limit=abc", "limit=1.5", "limit=-1", "cursor=garbage", "status=odd"])(
    "%s is 400",
    async (query) => {
      expectError(await api.get(`/api/sessions?${query}`), 400, "malformed");
    },
  );

  test("counts active and archived sessions of the caller", async () => {
    const { counts } = await list("limit=1");
    expect(counts.active).toBeGreaterThanOrEqual(7);
    expect(counts.archived).toBeGreaterThanOrEqual(0);
  });

  test("moves a session to the top when it gets a message", async () => {
    const oldest = made[0];
    if (!oldest) throw new Error("no session");
    await api.send(oldest.chat.id, "say up");
    const { sessions } = await list(`q=${mark}`);
    expect(sessions[0]?.id).toBe(oldest.session.id);
  });

  test("does not move a session that is only looked at", async () => {
    const before = (await get(made[3]?.session.id ?? "")).lastActivityAt;
    await api.sandbox(made[3]?.session.id ?? "");
    await api.messages(made[3]?.chat.id ?? "");
    await api.history(made[3]?.chat.id ?? "");
    expect((await get(made[3]?.session.id ?? "")).lastActivityAt).toBe(before);
  });
});

describe("changing a session", () => {
  test("PATCH renames it, an empty patch changes nothing", async () => {
    const made = await api.create({ title: "Old" });
    const path = `/api/sessions/${made.session.id}`;
    expect(parsed(await api.patch(path, { title: "  New  " }), 200, one, "PATCH").session.title).toBe("New");
    expect(parsed(await api.patch(path, {}), 200, one, "PATCH").session.title).toBe("New");
    expectError(await api.patch(path, { status: "gone" }), 400, "malformed");
  });

  test("DELETE is 202, reads are 404 from then on, and a second delete is harmless", async () => {
    const made = await api.create({ prompt: "say soon gone" });
    const path = `/api/sessions/${made.session.id}`;
    expect((await api.delete(path)).status).toBe(202);
    for (const gone of [path, `${path}/start`, `${path}/sandbox`, `${path}/chats`, `/api/chats/${made.chat.id}`]) {
      expectError(await api.get(gone), 404, "not_found");
    }
    expectError(await api.get(`/api/chats/${made.chat.id}/events`), 404, "not_found");
    expectError(await api.post(`/api/chats/${made.chat.id}/messages`, { id: "m", text: "x" }), 404, "not_found");
    expect([202, 404]).toContain((await api.delete(path)).status);
    const list = (await api.get("/api/sessions?limit=100")).body as { sessions: { id: string }[] };
    expect(list.sessions.map(({ id }) => id)).not.toContain(made.session.id);
  });
});
