import type { UIMessageChunk } from "ai";
import { describe, expect, it } from "vitest";
import { type ChatFold, confirmSent, foldEvents, prependMessages, startFold } from "@/components/chat/fold-events";
import type { ChatEvent, ChatMessage } from "@/lib/chat/contract";

const AT = "2026-01-01T00:00:00.000Z";
const empty = () => startFold({ messages: [], notices: [], eventSeq: 0, activeTurn: null });

/** Numbers the events from `from`, as the server does. */
function numbered(from: number, events: ReadonlyArray<Omit<ChatEvent, "at" | "seq">>): ChatEvent[] {
  return events.map((event, index) => ({ at: AT, ...event, seq: from + index }) as ChatEvent);
}
const chunk = (value: UIMessageChunk, turnId = "t1") => ({
  kind: "delta" as const,
  name: "chunk",
  source: "agent" as const,
  turnId,
  chunk: value,
});
const userMessage = (id: string, status: string, text?: string, turnId = "t1") => ({
  kind: "action" as const,
  name: "message",
  source: "user" as const,
  turnId,
  id,
  status,
  ...(text === undefined ? {} : { text }),
});
const turnEvent = (state: string, id = "t1", reason: string | null = null) => ({
  kind: "state" as const,
  name: "turn",
  source: "system" as const,
  turnId: id,
  turn: { id, state, reason },
});
const resetStep = { kind: "delta" as const, name: "reset-step", source: "agent" as const, turnId: "t1" };
const partsOf = (state: ChatFold, id = "msg_t1") => state.messages.find((message) => message.id === id)?.parts ?? [];
const textsOf = (state: ChatFold) => partsOf(state).flatMap((part) => (part.type === "text" ? [part.text] : []));

const oneStep = [
  chunk({ type: "start-step" }),
  chunk({ type: "text-start", id: "a" }),
  chunk({ type: "text-delta", id: "a", delta: "Hel" }),
  chunk({ type: "text-delta", id: "a", delta: "lo" }),
  chunk({ type: "text-end", id: "a" }),
  chunk({ type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: { command: "ls" } }),
  chunk({ type: "tool-output-available", toolCallId: "c1", output: { stdout: "x", exitCode: 0 } }),
  chunk({ type: "finish-step" }),
];

describe("the answer of a turn", () => {
  it("is built from its chunks", () => {
    const state = foldEvents(empty(), numbered(1, oneStep));
    expect(partsOf(state)).toEqual([
      { type: "step-start" },
      { type: "text", text: "Hello", state: "done" },
      {
        type: "tool-bash",
        toolCallId: "c1",
        state: "output-available",
        input: { command: "ls" },
        output: { stdout: "x", exitCode: 0 },
      },
    ]);
    expect(state.lastSeq).toBe(8);
  });

  it("is the same however the events are cut into batches", () => {
    const events = numbered(1, [...oneStep, ...oneStep.map((event) => ({ ...event, turnId: "t2" }))]);
    const whole = foldEvents(empty(), events);
    for (let cut = 1; cut < events.length; cut++) {
      const parts = foldEvents(foldEvents(empty(), events.slice(0, cut)), events.slice(cut));
      expect(parts.messages).toEqual(whole.messages);
    }
  });

  it("takes an event once, even if a reconnect sends it again", () => {
    const events = numbered(1, oneStep.slice(0, 4));
    expect(textsOf(foldEvents(foldEvents(empty(), events), events))).toEqual(["Hello"]);
  });

  it("loses the parts of the running step, and only those, when a new attempt begins", () => {
    const events = numbered(1, [
      ...oneStep,
      chunk({ type: "start-step" }),
      chunk({ type: "text-start", id: "b" }),
      chunk({ type: "text-delta", id: "b", delta: "half" }),
      resetStep,
      chunk({ type: "start-step" }),
      chunk({ type: "text-start", id: "b" }),
      chunk({ type: "text-delta", id: "b", delta: "whole" }),
    ]);
    expect(textsOf(foldEvents(empty(), events))).toEqual(["Hello", "whole"]);
  });

  it("loses a step that had come to its end but was not saved when a new attempt begins", () => {
    const unsaved = [
      chunk({ type: "start-step" }),
      chunk({ type: "text-start", id: "b" }),
      chunk({ type: "text-delta", id: "b", delta: "unsaved" }),
      chunk({ type: "text-end", id: "b" }),
      chunk({ type: "tool-input-available", toolCallId: "c2", toolName: "bash", input: {} }),
      chunk({ type: "finish-step" }),
    ];
    expect(textsOf(foldEvents(empty(), numbered(1, [...oneStep, ...unsaved, resetStep])))).toEqual(["Hello"]);
  });

  it("keeps a step whose tool has answered, since it was saved before", () => {
    expect(textsOf(foldEvents(empty(), numbered(1, [...oneStep, resetStep, resetStep])))).toEqual(["Hello"]);
  });

  it("goes on in the text that a page load brought", () => {
    const saved: ChatMessage = {
      id: "msg_t1",
      role: "assistant",
      parts: [{ type: "step-start" }, { type: "text", text: "Hel", state: "streaming" }],
    };
    const start = startFold({
      notices: [],
      messages: [saved],
      eventSeq: 3,
      activeTurn: { id: "t1", state: "running", reason: null },
    });
    const state = foldEvents(start, numbered(4, [chunk({ type: "text-delta", id: "a", delta: "lo" })]));
    expect(textsOf(state)).toEqual(["Hello"]);
    expect(saved.parts[1]).toEqual({ type: "text", text: "Hel", state: "streaming" });
    expect(textsOf(foldEvents(state, numbered(5, [resetStep])))).toEqual([]);
  });

  it("keeps a step that a page load brought with all its tools answered", () => {
    const saved = foldEvents(empty(), numbered(1, oneStep)).messages;
    const start = startFold({
      messages: saved,
      notices: [],
      eventSeq: 8,
      activeTurn: { id: "t1", state: "running", reason: null },
    });
    expect(textsOf(foldEvents(start, numbered(9, [resetStep])))).toEqual(["Hello"]);
  });

  it("leaves nothing open when the turn has ended", () => {
    const state = foldEvents(
      empty(),
      numbered(1, [
        turnEvent("running"),
        chunk({ type: "start-step" }),
        chunk({ type: "text-start", id: "a" }),
        chunk({ type: "text-delta", id: "a", delta: "x" }),
        chunk({ type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} }),
        turnEvent("stopped"),
      ]),
    );
    expect(partsOf(state)[1]).toMatchObject({ state: "done" });
    expect(partsOf(state)[2]).toMatchObject({ state: "output-error", errorText: "Stopped before it answered." });
    expect(state.turns).toEqual([]);
    expect(state.lastEnded).toMatchObject({ id: "t1", state: "stopped" });
  });

  it("shows output that is still growing and then the result", () => {
    const call = chunk({ type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} });
    const growing = chunk({ type: "tool-output-available", toolCallId: "c1", output: "1", preliminary: true });
    const state = foldEvents(empty(), numbered(1, [call, growing]));
    expect(partsOf(state)[0]).toMatchObject({ preliminary: true });
    const done = foldEvents(
      state,
      numbered(3, [chunk({ type: "tool-output-available", toolCallId: "c1", output: "12" })]),
    );
    expect(partsOf(done)[0]).not.toHaveProperty("preliminary");
    expect(partsOf(done)[0]).toMatchObject({ output: "12" });
  });

  it("collects what a running command writes, and drops it for the result", () => {
    const call = chunk({ type: "tool-input-available", toolCallId: "c1", toolName: "bash", input: {} });
    const writes = (text: string) =>
      chunk({ type: "data-output", id: "c1", data: { toolCallId: "c1", text }, transient: true });
    const state = foldEvents(empty(), numbered(1, [call, writes("one "), writes("two")]));
    expect(partsOf(state)[0]).toMatchObject({ state: "input-available", liveOutput: "one two" });
    const output = { stdout: "one two", exitCode: 0 };
    const done = foldEvents(state, numbered(4, [chunk({ type: "tool-output-available", toolCallId: "c1", output })]));
    expect(partsOf(done)[0]).not.toHaveProperty("liveOutput");
  });

  it("keeps text and reasoning apart that have the same id", () => {
    const state = foldEvents(
      empty(),
      numbered(1, [
        chunk({ type: "reasoning-start", id: "0" }),
        chunk({ type: "text-start", id: "0" }),
        chunk({ type: "reasoning-delta", id: "0", delta: "why" }),
        chunk({ type: "text-delta", id: "0", delta: "what" }),
        chunk({ type: "reasoning-end", id: "0" }),
        chunk({ type: "text-delta", id: "0", delta: "!" }),
      ]),
    );
    expect(partsOf(state)).toMatchObject([
      { type: "reasoning", text: "why", state: "done" },
      { type: "text", text: "what!", state: "streaming" },
    ]);
  });

  it("keeps the identity of messages that no event touched", () => {
    const first = foldEvents(empty(), numbered(1, oneStep));
    const second = foldEvents(first, numbered(9, [chunk({ type: "start-step" }, "t2")]));
    expect(second.messages[0]).toBe(first.messages[0]);
  });

  it("is folded in linear time", () => {
    const events = numbered(1, [
      chunk({ type: "text-start", id: "a" }),
      ...Array.from({ length: 100_000 }, () => chunk({ type: "text-delta", id: "a", delta: "word " })),
    ]);
    const begin = performance.now();
    let state = empty();
    for (let at = 0; at < events.length; at += 500) state = foldEvents(state, events.slice(at, at + 500));
    expect(textsOf(state)[0]).toHaveLength(500_000);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});

describe("messages of the person", () => {
  it("are queued, edited and removed", () => {
    const queued = foldEvents(
      empty(),
      numbered(1, [userMessage("m1", "queued", "one"), userMessage("m2", "queued", "two")]),
    );
    expect(queued.messages.map((message) => message.metadata?.status)).toEqual(["queued", "queued"]);
    const edited = foldEvents(queued, numbered(3, [userMessage("m1", "edited", "uno"), userMessage("m2", "removed")]));
    expect(edited.messages).toMatchObject([{ id: "m1", parts: [{ text: "uno" }], metadata: { status: "queued" } }]);
  });

  it("stand where they were delivered, not where they were queued", () => {
    const state = foldEvents(
      empty(),
      numbered(1, [
        userMessage("m2", "queued", "next", "t2"),
        ...oneStep,
        userMessage("m2", "delivered", undefined, "t2"),
        chunk({ type: "start-step" }, "t2"),
      ]),
    );
    expect(state.messages.map((message) => message.id)).toEqual(["msg_t1", "m2", "msg_t2"]);
    expect(state.messages[1]).toMatchObject({
      parts: [{ text: "next" }],
      metadata: { status: "delivered", turnId: "t2" },
    });
  });

  it("stop being pending when they come back as an event or as the answer of the call", () => {
    const pending: ChatFold = {
      ...empty(),
      pending: [
        { id: "m1", text: "hi" },
        { id: "m2", text: "ho" },
      ],
    };
    const echoed = foldEvents(pending, numbered(1, [userMessage("m1", "queued", "hi")]));
    expect(echoed.pending.map((entry) => entry.id)).toEqual(["m2"]);
    const message: ChatMessage = {
      id: "m2",
      role: "user",
      parts: [{ type: "text", text: "ho" }],
      metadata: { status: "queued" },
    };
    const confirmed = confirmSent(echoed, message, { id: "t1", state: "queued", reason: null });
    expect(confirmed.pending).toEqual([]);
    expect(confirmed.messages.map((entry) => entry.id)).toEqual(["m1", "m2"]);
    expect(confirmed.turns).toHaveLength(1);
  });

  it("are not set back to queued by an answer that comes after the delivery", () => {
    const state = foldEvents(empty(), numbered(1, [userMessage("m1", "delivered", "hi"), turnEvent("completed")]));
    const message: ChatMessage = {
      id: "m1",
      role: "user",
      parts: [{ type: "text", text: "hi" }],
      metadata: { status: "queued" },
    };
    const confirmed = confirmSent(state, message, { id: "t1", state: "queued", reason: null });
    expect(confirmed.messages[0]?.metadata?.status).toBe("delivered");
    expect(confirmed.turns).toEqual([]);
  });

  it("are not doubled when older ones are fetched", () => {
    const state = foldEvents(empty(), numbered(1, [userMessage("m2", "delivered", "b")]));
    const older: ChatMessage[] = [
      { id: "m1", role: "user", parts: [] },
      { id: "m2", role: "user", parts: [] },
    ];
    expect(prependMessages(state, { messages: older, notices: [] }).messages.map((message) => message.id)).toEqual([
      "m1",
      "m2",
    ]);
  });
});

describe("states and notices", () => {
  it("believes `now` over what the page thought", () => {
    const state = foldEvents(empty(), numbered(1, [turnEvent("running"), turnEvent("queued", "t2")]));
    const now = { at: AT, kind: "state" as const, name: "now", source: "system" as const };
    expect(foldEvents(state, [{ ...now, turn: null }]).turns).toEqual([]);
    const other = foldEvents(state, [{ ...now, turn: { id: "t2", state: "running", reason: null } }]);
    expect(other.turns).toEqual([{ id: "t2", state: "running", reason: null }]);
    expect(other.lastSeq).toBe(2);
  });

  it("keeps notices with the turn that they belong to, and the title", () => {
    const state = foldEvents(
      empty(),
      numbered(1, [
        userMessage("m1", "delivered", "hi"),
        { kind: "notice", name: "retrying", source: "system", message: "Trying again.", turnId: "t1" },
        { kind: "state", name: "title", source: "system", title: "New name" },
      ]),
    );
    expect(state.notices).toMatchObject([{ message: "Trying again.", turnId: "t1", seq: 2 }]);
    expect(state.title).toBe("New name");
  });

  it("has each notice once, from the page load, the stream and older pages", () => {
    const [first, second] = numbered(1, [
      { kind: "notice", name: "a", source: "system", message: "one" },
      { kind: "notice", name: "b", source: "system", message: "two" },
    ]);
    if (!first || !second) throw new Error("two events");
    const loaded = startFold({ messages: [], notices: [second], eventSeq: 2, activeTurn: null });
    const streamed = foldEvents(loaded, [first, second]);
    const all = prependMessages(streamed, { messages: [], notices: [first, second] });
    expect(all.notices.map((notice) => notice.message)).toEqual(["one", "two"]);
  });

  it("keeps with an answer how its turn ended", () => {
    const state = foldEvents(empty(), numbered(1, [...oneStep, turnEvent("stopped", "t1", "Stopped.")]));
    expect(state.messages.at(-1)?.metadata?.turn).toEqual({ id: "t1", state: "stopped", reason: "Stopped." });
  });

  it("ignores what it does not know", () => {
    const state = foldEvents(empty(), numbered(1, [{ kind: "state", name: "weather", source: "system" }]));
    expect({ ...state, lastSeq: 0 }).toEqual(empty());
  });
});
