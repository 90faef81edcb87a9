import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Dormouse, startDormouse } from "@/tests/harness/server";
import { Client, outputOf, toolParts } from "./client";
import type { Served } from "./global-setup";
import { poll } from "./poll";
import { expectError } from "./subject";
import { addUser } from "./users";

const server = inject("small");

/** A user nobody else uses: the limits are per user. */
async function freshUser(name: string, on: Pick<Served, "url" | "databaseUrl" | "dataDir"> = server): Promise<Client> {
  return new Client(on.url, await addUser(on, `${name}-${crypto.randomUUID().slice(0, 8)}`));
}

describe("the limit of creations", () => {
  test("is six an hour here; the seventh is 429 with Retry-After, and it is counted per user", async () => {
    const user = await freshUser("creator");
    const first = { id: crypto.randomUUID(), title: "first" };
    expect((await user.post("/api/sessions", first)).status).toBe(201);
    for (let index = 0; index < 8; index += 1) {
      expect((await user.post("/api/sessions", first)).status, "a repeated id does not count").toBe(200);
      expect((await user.post("/api/sessions", { oops: 1 })).status, "a malformed body does not count").toBe(400);
      const refused = await user.post("/api/sessions", { repo: { url: "git@github.com:a/b.git" } });
      expect(refused.status, "a refused body does not count").toBe(422);
    }
    const rest = await Promise.all(Array.from({ length: 9 }, () => user.post("/api/sessions", {})));
    expect(rest.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 429, 429, 429, 429]);
    const limited = rest.find(({ status }) => status === 429);
    if (!limited) throw new Error("none was limited");
    expect(expectError(limited, 429, "rate_limited").retryable).toBe(true);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await user.post("/api/sessions", first)).status, "a repeated id works at the limit").toBe(200);
    expect((await new Client(server.url, server.token).get("/api/sessions")).status).toBe(200);
  });
});

describe("the limit of requests", () => {
  let strict: Dormouse;
  // Twice as many in twice the time: 20 in 20 s, in which the slowest machine asks thirty times.
  beforeAll(async () => {
    strict = await startDormouse({ env: { DORMOUSE_RATE_LIMIT: "10/10" } });
  });
  afterAll(() => strict.stop());

  test("answers 429 with Retry-After beyond the burst, leaves health and streams alone, and recovers", async () => {
    const user = await freshUser("hasty", strict);
    const answers = await Promise.all(Array.from({ length: 30 }, () => user.get("/api/config")));
    const limited = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBe(20);
    expect(limited.length).toBe(10);
    for (const answer of limited.slice(0, 3)) {
      expectError(answer, 429, "rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await user.get("/api/healthz")).status).toBe(200);
    const back = await poll(
      () => user.get("/api/config"),
      ({ status }) => status === 200,
      { timeoutMs: 60_000, everyMs: 400, what: "recovery from 429" },
    );
    expect(back.status).toBe(200);
  });
});

describe("two sandboxes in use per user", () => {
  test("the longest-idle one goes to sleep with a notice when a third is made, and a message brings it back", async () => {
    const user = await freshUser("collector");
    const oldest = await user.ready({ title: "oldest" });
    await user.turn(oldest.chat.id, "write kept.txt: kept through eviction");
    const second = await user.ready({ title: "second" });
    await user.turn(second.chat.id, "say newer");
    await user.ready({ title: "third" });
    const slept = await user.sandboxIn(oldest.session.id, "hibernated");
    expect(slept.reason ?? "").toMatch(/limit/);
    const notices = (await user.history(oldest.chat.id)).filter((event) => event.kind === "notice");
    expect(notices.map(({ name }) => name)).toContain("too_many_sessions");
    expect(notices.find(({ name }) => name === "too_many_sessions")?.message).toMatch(
      /Put to sleep because \d+ sessions/,
    );
    expect((await user.sandbox(second.session.id)).state).toBe("active");

    const turn = await user.turn(oldest.chat.id, "$ cat kept.txt");
    expect(outputOf(toolParts(turn.message)[0])).toContain("kept through eviction");
    await user.sandboxIn(second.session.id, "hibernated");
  });

  test("all at work: a start waits in line with its position and goes on when one is free", async () => {
    const user = await freshUser("busy");
    const working = await Promise.all([user.ready({}), user.ready({})]);
    for (const { chat } of working) {
      await user.send(chat.id, "$ sleep 60");
      await user.collect(chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    }
    const waiting = await user.create({ prompt: "say my turn at last" });
    const later = await user.create({ title: "later" });
    const position = (id: string) =>
      poll(
        () => user.start(id),
        ({ queuePosition }) => queuePosition !== undefined,
        { what: "a queue position" },
      );
    expect((await position(waiting.session.id)).queuePosition).toBe(1);
    expect((await position(later.session.id)).queuePosition).toBe(2);
    expect((await user.start(waiting.session.id)).status).toMatch(/WORKING|WAITING_FOR_SANDBOX/);
    for (const { session } of working) expect((await user.sandbox(session.id)).state).toBe("active");

    await user.post(`/api/chats/${working[0]?.chat.id}/stop`);
    const turn = await user.finished(waiting.chat.id, waiting.message?.metadata.turnId ?? "");
    expect(turn.text).toContain("my turn at last");
    await user.post(`/api/chats/${working[1]?.chat.id}/stop`);
    expect((await user.started(later.session.id)).status).toBe("READY");
  });

  test("simultaneous creations never put more than two to work", async () => {
    const user = new Client(server.url, server.token);
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) => user.create({ title: `crowd ${index}`, prompt: "$ sleep 2" })),
    );
    const look = () =>
      Promise.all(
        made.map(async ({ session, chat }) => {
          const { body } = await user.get(`/api/chats/${chat.id}`);
          const busy = (body as { chat: { activeTurn: unknown } }).chat.activeTurn !== null;
          return { busy, state: (await user.sandbox(session.id)).state };
        }),
      );
    await poll(
      look,
      (views) => {
        const inUse = views.filter(({ state }) => ["active", "hibernating", "restoring"].includes(state)).length;
        expect(inUse).toBeLessThanOrEqual(2);
        return views.every(({ busy }) => !busy);
      },
      { timeoutMs: 240_000, everyMs: 300, what: "all five to be answered" },
    );
    for (const { chat, message } of made) {
      expect((await user.finished(chat.id, message?.metadata.turnId ?? "")).state).toBe("completed");
    }
  });
});
