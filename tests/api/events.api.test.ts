import { beforeAll, describe, expect, test } from "vitest";
import { borrow } from "./borrow";
import { newMessageId, turnOf } from "./client";
import type { StreamedEvent } from "./sse";
import { api, expectError } from "./subject";

const KINDS = ["action", "observation", "state", "notice", "delta"];

/** What a reader may compare: everything but the time of arrival. */
const bare = (events: readonly StreamedEvent[]) => events.map(({ arrivedAtMs: _, ...event }) => event);

describe("the stored stream of a chat", () => {
  let chatId: string;
  let all: StreamedEvent[];
  beforeAll(async () => {
    const made = await api.ready({});
    chatId = made.chat.id;
    const lines = ["think about it", "say first words", "$ echo one", "write a.txt: text", "read a.txt", "slow 12"];
    await api.turn(chatId, lines.join("\n"));
    await api.turn(chatId, "$ exit 3\nread no-such-file.txt\nsay done");
    all = await api.history(chatId);
  });

  test("is numbered from 1 without a gap, and id is the number", () => {
    expect(all.length).toBeGreaterThan(20);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    for (const event of all) {
      expect(event.lineId).toBe(String(event.seq));
      expect(KINDS).toContain(event.kind);
      expect(["user", "agent", "system"]).toContain(event.source);
      expect(new Date(event.at).toISOString()).toBe(event.at);
    }
    const times = all.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  test("begins with the person's message, and a message is an action of its source", () => {
    expect(all[0]).toMatchObject({ kind: "action", name: "message", source: "user", status: "queued" });
    const agent = all.filter(({ kind, name, source }) => kind === "action" && name === "message" && source === "agent");
    expect(agent.length).toBeGreaterThanOrEqual(2);
    for (const action of all.filter(({ kind }) => kind === "action")) {
      expect(action.message?.length ?? 0, JSON.stringify(action)).toBeGreaterThan(0);
    }
  });

  test("gives every tool action of the agent exactly one observation, later, by cause", () => {
    const actions = all.filter(
      ({ kind, source, name }) => kind === "action" && source === "agent" && name !== "message",
    );
    expect(actions.map(({ name }) => name)).toEqual(["run", "write", "read", "run", "read"]);
    const observations = all.filter(({ kind }) => kind === "observation");
    expect(observations.length).toBe(actions.length);
    for (const action of actions) {
      const mine = observations.filter(({ cause }) => cause === action.seq);
      expect(mine.length).toBe(1);
      expect(mine[0]?.name).toBe(action.name);
      expect(mine[0]?.seq ?? 0).toBeGreaterThan(action.seq ?? 0);
      expect(mine[0]?.turnId).toBe(action.turnId);
      expect(action.args).toBeTypeOf("object");
    }
  });

  test("shows each turn running once and ended once", () => {
    const turns = all.flatMap((event) => turnOf(event) ?? []);
    const ids = new Set(turns.map(({ id }) => id));
    expect(ids.size).toBe(2);
    for (const id of ids) {
      const states = turns.filter((turn) => turn.id === id).map(({ state }) => state);
      expect(states.at(-1)).toBe("completed");
      expect(states.filter((state) => state === "completed").length).toBe(1);
      expect(states).toContain("running");
    }
  });

  test("resumes at every index: what came before plus what comes then is the whole", async () => {
    for (let index = 0; index <= all.length; index += 1) {
      const rest = await api.history(chatId, { after: index });
      expect(bare(rest), `after=${index}`).toEqual(bare(all.slice(index)));
    }
  });

  test("is the same for two readers at the same time", async () => {
    const [one, two] = await Promise.all([api.history(chatId), api.history(chatId)]);
    expect(bare(one)).toEqual(bare(two));
  });

  test.for([
    ["-1", "all"],
    ["-99", "all"],
    ["0", "all"],
    [undefined, "all"],
    ["999999", "none"],
  ] as const)("after=%s gives %s", async ([after, what]) => {
    const events = await api.history(chatId, after === undefined ? {} : { after });
    expect(events.length).toBe(what === "all" ? all.length : 0);
  });

  test.for(["abc", "1.5", "", "1e3", "0x10", "9".repeat(30)])("after=%j is 400", async (after) => {
    const answer = await api.get(`/api/chats/${chatId}/events?after=${after}&until=turn-end`);
    if (after === "" && answer.status === 200) return;
    expectError(answer, 400, "malformed");
  });

  test.for(["view=odd", "until=odd"])("%s is 400", async (query) => {
    expectError(await api.get(`/api/chats/${chatId}/events?${query}`), 400, "malformed");
  });

  test("Last-Event-ID wins over after; an unreadable one means from the beginning", async () => {
    const half = Math.floor(all.length / 2);
    expect(bare(await api.history(chatId, { after: 0, lastEventId: String(half) }))).toEqual(bare(all.slice(half)));
    expect((await api.history(chatId, { after: half, lastEventId: "garbage" })).length).toBe(all.length);
    expect((await api.history(chatId, { after: half, lastEventId: "0" })).length).toBe(all.length);
  });

  test("sends now once after the history, without an id, with the states of sandbox and start", async () => {
    const events = await api.collect(chatId, (event) => event.name === "now");
    const now = events.at(-1);
    expect(now).toMatchObject({ kind: "state", name: "now" });
    expect(now?.lineId).toBeUndefined();
    expect(now?.seq).toBeUndefined();
    expect(JSON.stringify(now)).toContain("active");
    expect(JSON.stringify(now)).toContain("READY");
    expect(events.filter(({ name }) => name === "now").length).toBe(1);
  });

  test("view=actions leaves out deltas and nothing else", async () => {
    const actions = await api.history(chatId, { view: "actions" });
    expect(bare(actions)).toEqual(bare(all.filter(({ kind }) => kind !== "delta")));
    expect(all.some(({ kind }) => kind === "delta")).toBe(true);
  });

  test("until=turn-end ends right after now when nothing runs", async () => {
    const events = await api.collect(chatId, () => false, { until: "turn-end" });
    expect(events.at(-1)?.name).toBe("now");
  });

  test("joins text deltas: far fewer events than words, in the words of the message", () => {
    const text = all
      .filter((event) => event.kind === "delta" && event.name === "chunk")
      .map((event) => event.chunk as { type: string; delta?: string })
      .filter(({ type }) => type === "text-delta")
      .map(({ delta }) => delta)
      .join("");
    expect(text).toContain("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12");
    expect(text).toContain("first words");
  });
});

describe("the state of the sandbox", () => {
  test("is sent without an id and takes no number of the stream", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "say anything");
    const before = await api.history(made.chat.id);
    const reading = api.collect(
      made.chat.id,
      (event) => event.kind === "state" && event.name === "sandbox" && JSON.stringify(event).includes("hibernated"),
      { after: before.length },
    );
    await api.asleep(made.session.id);
    const states = (await reading).filter(({ name }) => name === "sandbox");
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) expect(state.lineId).toBeUndefined();
    expect(bare(await api.history(made.chat.id))).toEqual(bare(before));
  });
});

describe("the live stream", () => {
  test("follows a turn as it goes and stays open for the next one; three readers see the same", async (context) => {
    const made = await borrow(context);
    const enough = (_: StreamedEvent, events: readonly StreamedEvent[]) =>
      events.filter((event) => turnOf(event)?.state === "completed").length === 2;
    const readers = [1, 2, 3].map(() => api.collect(made.chat.id, enough, { timeoutMs: 60_000 }));
    await api.turn(made.chat.id, "say one\nslow 5");
    await api.turn(made.chat.id, "say two");
    const streams = (await Promise.all(readers)).map((events) => bare(events.filter(({ seq }) => seq !== undefined)));
    expect(streams[0]).toEqual(streams[1]);
    expect(streams[1]).toEqual(streams[2]);
    expect(streams[0]?.map(({ seq }) => seq)).toEqual(streams[0]?.map((_, index) => index + 1));
  });

  test("with until=turn-end ends after the turn that runs", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "slow 10");
    const events = await api.collect(made.chat.id, () => false, { until: "turn-end" });
    const last = events.filter((event) => turnOf(event)?.id === sent.turn.id).at(-1);
    expect(last && turnOf(last)?.state).toBe("completed");
  });

  test("brings words while they are said, not at the end", async (context) => {
    const made = await borrow(context);
    await api.send(made.chat.id, "slow 30");
    const events = await api.collect(made.chat.id, (event) => turnOf(event)?.state === "completed");
    const deltas = events.filter(({ kind, name }) => kind === "delta" && name === "chunk");
    const arrivals = deltas.map(({ arrivedAtMs }) => arrivedAtMs);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1_500);
    const texts = deltas.filter((event) => (event.chunk as { type: string }).type === "text-delta").length;
    expect(texts).toBeLessThanOrEqual(40);
    expect(texts).toBeGreaterThan(5);
  });

  test("sends a heartbeat without an id about every 15 seconds", async (context) => {
    const made = await borrow(context);
    const events = await api.collect(made.chat.id, (event) => event.kind === "heartbeat", { timeoutMs: 25_000 });
    const beat = events.at(-1);
    expect(beat?.lineId).toBeUndefined();
    expect(beat?.seq).toBeUndefined();
  });

  test("cut anywhere while a turn goes on and resumed by Last-Event-ID has no gap and no double", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "slow 30\n$ echo mid\nslow 10");
    const seen: StreamedEvent[] = [];
    let done = false;
    while (!done) {
      const last = seen.at(-1)?.lineId;
      await api.collect(
        made.chat.id,
        (event, events) => {
          if (event.seq !== undefined) seen.push(event);
          const turn = turnOf(event);
          done = turn?.id === sent.turn.id && turn.state === "completed";
          return done || events.filter(({ seq }) => seq !== undefined).length === 4;
        },
        last === undefined ? {} : { lastEventId: last },
      );
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    expect(bare(seen)).toEqual(bare((await api.history(made.chat.id)).slice(0, seen.length)));
  });

  test("is not what keeps a turn alive: closing it cancels nothing", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "slow 15\nsay the end", newMessageId());
    await api.collect(made.chat.id, (event) => event.kind === "delta");
    const turn = await api.finished(made.chat.id, sent.turn.id);
    expect(turn.text).toContain("the end");
  });
});
