import { expect, it } from "vitest";
import type { ChatRow } from "@/components/chat/chat-rows";
import { answerOfRow, grewUpwards, openTodoInput, toListRows } from "@/components/chat/part-rows";
import type { ChatMessage } from "@/lib/chat/contract";

const user = (id: string): ChatRow => ({
  kind: "message",
  key: id,
  message: { id, role: "user", parts: [{ type: "text", text: id }] },
  live: false,
});
const answer = (id: string, parts: ChatMessage["parts"], more: Partial<ChatMessage> = {}, live = false): ChatRow => ({
  kind: "message",
  key: id,
  message: { id, role: "assistant", parts, ...more },
  live,
});
const text = (words: string) => ({ type: "text" as const, text: words });
const tool = (name: string, id: string, input: unknown) =>
  ({ type: `tool-${name}`, toolCallId: id, state: "output-available", input, output: {} }) as never;
const keys = (rows: readonly ChatRow[], older = false) => toListRows(rows, [], older).map((row) => row.key);

it("makes a row of every part that shows something, all of one answer", () => {
  const rows = [user("a"), answer("m", [{ type: "step-start" }, text("hi"), text(" "), tool("bash", "c", {})])];
  expect(keys(rows)).toEqual(["head", "a", "m#1", "m#3"]);
  expect(keys(rows, true).slice(0, 2)).toEqual(["head", "older"]);
  expect(answerOfRow("m#3")).toBe("m");
  expect(answerOfRow("a")).toBeNull();
});

it("makes the rows of a message once, however often the list is laid out", () => {
  const row = answer("m", [text("hi")]);
  const [, first] = toListRows([row], [], false);
  expect(toListRows([row, user("b")], [], false)[1]).toBe(first);
  expect(toListRows([{ ...row, live: true } as ChatRow], [], false)[1]).not.toBe(first);
});

it("puts the time under an answer that is complete, and not before", () => {
  const times = { startedAt: "2026-01-01T00:00:00.000Z", endedAt: "2026-01-01T00:00:05.000Z" };
  const metadata = { turn: { id: "t", state: "completed" as const, reason: null, ...times } };
  expect(keys([answer("m", [text("hi")], { metadata })])).toEqual(["head", "m#0", "m#foot"]);
  expect(keys([answer("m", [text("hi")], { metadata }, true)])).toEqual(["head", "m#0"]);
});

it("tells growth upwards from growth downwards", () => {
  const list = (...ids: string[]) => toListRows(ids.map(user), [], true);
  expect(grewUpwards(list("b"), list("a", "b"))).toBe(true);
  expect(grewUpwards(list("b"), toListRows([user("a"), user("b")], [], false))).toBe(true);
  expect(grewUpwards(list("b"), list("b", "c"))).toBe(false);
  expect(grewUpwards(list("b"), list("c"))).toBe(false);
  expect(grewUpwards(list(), list("a"))).toBe(false);
});

it("finds the newest list of the agent", () => {
  const rows = [
    answer("m", [tool("todo", "1", { todos: 1 }), tool("todo", "2", { todos: 2 }), text("x")]),
    user("b"),
    answer("n", [text("y")]),
  ];
  expect(openTodoInput(rows)).toEqual({ todos: 2 });
  expect(openTodoInput([user("a")])).toBeNull();
});
