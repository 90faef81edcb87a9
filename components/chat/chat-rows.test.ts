import { expect, it } from "vitest";
import { toChatRows } from "@/components/chat/chat-rows";
import { type ChatFold, startFold } from "@/components/chat/fold-events";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

const user = (id: string, status: "queued" | "delivered", turnId: string): ChatMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text: id }],
  metadata: { status, turnId },
});
const chat = (change: Partial<ChatFold>): ChatFold => ({
  ...startFold({ messages: [], notices: [], eventSeq: 0, activeTurn: null }),
  ...change,
});

it("lets a queued message wait above the composer only while another turn runs", () => {
  const messages = [user("a", "delivered", "t1"), user("b", "queued", "t2")];
  const running = toChatRows(chat({ messages, turns: [{ id: "t1", state: "running", reason: null }] }));
  expect(running.rows.map((row) => row.key)).toEqual(["a"]);
  expect(running.queue.map((message) => message.id)).toEqual(["b"]);
  const alone = toChatRows(chat({ messages, turns: [{ id: "t2", state: "queued", reason: "asleep" }] }));
  expect(alone.rows.map((row) => row.key)).toEqual(["a", "b"]);
  expect(alone.queue).toEqual([]);
  expect(alone.queuedTurn?.reason).toBe("asleep");
});

it("marks the answer of the running turn as live, and no other", () => {
  const messages = [answer("t1", "completed"), answer("t2", "running")];
  const { rows } = toChatRows(chat({ messages, turns: [{ id: "t2", state: "running", reason: null }] }));
  expect(rows.map((row) => row.kind === "message" && row.live)).toEqual([false, true]);
});

const AT = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const notice = (seq: number, second: number, turnId: string | null = null, name = "n") => ({
  ...{ seq, at: AT(second), name, message: "!", turnId },
});
const at = (message: ChatMessage, second: number): ChatMessage => ({
  ...message,
  metadata: { ...message.metadata, createdAt: AT(second) },
});
const answer = (turnId: string, state: TurnView["state"]): ChatMessage => ({
  id: `msg_${turnId}`,
  role: "assistant",
  parts: [],
  metadata: { turnId, turn: { id: turnId, state, reason: null } },
});
const keysOf = (change: Partial<ChatFold>) => toChatRows(chat(change)).rows.map((row) => row.key);

it("puts a notice after the messages that were there when it came", () => {
  const messages = [at(user("a", "delivered", "t1"), 1), at(user("b", "delivered", "t2"), 9)];
  expect(keysOf({ messages, notices: [notice(5, 4)] })).toEqual(["a", "notice-5", "b"]);
  expect(keysOf({ messages, notices: [notice(5, 0)] })).toEqual(["notice-5", "a", "b"]);
  expect(keysOf({ messages, notices: [notice(5, 10)] })).toEqual(["a", "b", "notice-5"]);
});

it("keeps a notice of a turn with that turn, whatever was queued meanwhile", () => {
  const failed = notice(7, 9, "t1", "turn_failed");
  const messages = [at(user("a", "delivered", "t1"), 1), answer("t1", "failed"), at(user("b", "queued", "t2"), 5)];
  expect(keysOf({ messages, notices: [failed] })).toEqual(["a", "msg_t1", "notice-7", "b"]);
});

it("says how a turn ended that did not end well, once", () => {
  const messages = [answer("t1", "completed"), answer("t2", "stopped"), answer("t3", "failed")];
  expect(keysOf({ messages, notices: [notice(7, 9, "t3", "turn_failed")] })).toEqual([
    ...["msg_t1", "msg_t2", "ended-t2", "msg_t3", "notice-7"],
  ]);
});

it("says that something is tried again only while that goes on", () => {
  const messages = [user("a", "delivered", "t1")];
  const notices = [notice(1, 1, "t1", "retrying"), notice(2, 2, "t1", "retrying")];
  const turns = [{ id: "t1", state: "running" as const, reason: null }];
  expect(keysOf({ messages, notices, turns })).toEqual(["a", "notice-2"]);
  expect(keysOf({ messages, notices })).toEqual(["a"]);
});

it("shows a message on its way where it will stand", () => {
  const pending = [{ id: "p", text: "p" }];
  const turn = (state: "running" | "waiting_for_user") => [{ id: "t1", state, reason: null }];
  expect(toChatRows(chat({ pending, turns: turn("running") }))).toMatchObject({
    pendingQueue: pending,
    pendingRows: [],
  });
  expect(toChatRows(chat({ pending, turns: turn("waiting_for_user") }))).toMatchObject({ pendingRows: pending });
  expect(toChatRows(chat({ pending }))).toMatchObject({ pendingRows: pending, pendingQueue: [] });
});

it("shows an answer to a question in the card alone, once the card has it", () => {
  const question = (state: "input-available" | "output-available"): ChatMessage => ({
    ...answer("t1", "running"),
    parts: [{ type: "tool-ask_user_question", toolCallId: "c1", state, input: {}, output: {} } as never],
  });
  const said = user("b", "delivered", "t1");
  const reply = (more: object = {}) => ({ ...said, metadata: { ...said.metadata, answers: "c1", ...more } });
  expect(keysOf({ messages: [question("output-available"), reply()] })).toEqual(["msg_t1"]);
  expect(keysOf({ messages: [question("input-available"), reply()] })).toEqual(["msg_t1", "b"]);
  expect(keysOf({ messages: [question("output-available"), reply({ files: ["a.txt"] })] })).toEqual(["msg_t1", "b"]);
  // Its question is further up than what was loaded.
  expect(keysOf({ messages: [reply()] })).toEqual(["b"]);
});

it("knows which notice the turn still waits at", () => {
  const notices = [notice(1, 1, "t1", "limit_steps"), notice(2, 2, "t1", "limit_steps"), notice(3, 3, null)];
  const asked = (waitingFor: "steps" | null) => {
    const turns = [{ id: "t1", state: "waiting_for_user" as const, reason: null, waitingFor }];
    return toChatRows(chat({ notices, turns })).rows.map((row) => row.kind === "notice" && row.asks);
  };
  expect(asked("steps")).toEqual([false, true, false]);
  expect(asked(null)).toEqual([false, false, false]);
});
