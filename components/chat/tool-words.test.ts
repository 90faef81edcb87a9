import { expect, it } from "vitest";
import type { ToolPart } from "@/components/chat/message-types";
import { toolBlocks } from "@/components/chat/tool-blocks";
import { toolLine, toolOutcome } from "@/components/chat/tool-words";

const call = (input: unknown, output?: unknown, more: Partial<ToolPart> = {}): ToolPart => ({
  type: "tool-x",
  toolCallId: "c1",
  state: output === undefined ? "input-available" : "output-available",
  input,
  ...(output === undefined ? {} : { output }),
  ...more,
});
const words = (tool: string, input: unknown, output: unknown) => toolOutcome(tool, call(input, output))?.text;

it("names a call by what it is about, and an unknown tool by its name", () => {
  expect(toolLine("bash", { command: "npm test\nls" })).toMatchObject({ verb: "Run", subject: "npm test" });
  expect(toolLine("teleport", { to: "x" })).toMatchObject({ verb: "teleport", subject: "" });
  expect(toolLine("read", "not an object")).toMatchObject({ subject: "" });
});

it("says at a glance how a call ended", () => {
  expect(words("bash", {}, { exitCode: 0, durationMs: 12 })).toBe("exit 0");
  expect(words("bash", {}, { exitCode: 2, durationMs: 3_200 })).toBe("exit 2 · 3 s");
  expect(words("bash", {}, { exitCode: null, running: true })).toBe("in the background");
  expect(words("edit", { oldString: "a", newString: "b\nc" }, { line: 4 })).toBe("+2 −1");
  expect(words("write", { content: "a\nb\n" }, { created: true })).toBe("+2");
  expect(words("grep", {}, { hits: [{}, {}], files: 1 })).toBe("2 hits in 1 file");
  expect(words("glob", {}, { paths: [], total: 0 })).toBe("nothing found");
  expect(words("read", {}, { firstLine: 1, lastLine: 40 })).toBe("lines 1–40");
  expect(words("todo", { todos: [{ status: "completed" }, { status: "pending" }] }, {})).toBe("1 of 2 done");
  expect(words("bash", {}, "text")).toBeUndefined();
});

it("tells a call that failed from one that did not", () => {
  expect(toolOutcome("bash", call({}, { exitCode: 2 }))?.failed).toBe(true);
  expect(toolOutcome("read", call({}, { error: "not_found" }))).toEqual({ text: "failed", failed: true });
  expect(toolOutcome("bash", call({}, { error: "stopped" }))).toEqual({ text: "stopped", failed: false });
  expect(toolOutcome("bash", call({}, undefined, { state: "output-error" }))).toEqual({ text: "failed", failed: true });
});

const labels = (tool: string, part: ToolPart) => toolBlocks(tool, part).map((block) => block.label);

it("opens to everything that is known of a command", () => {
  const output = { stdout: "\u001b[32ma\u001b[0m", stderr: "b", exitCode: 1 };
  expect(labels("bash", call({ command: "ls" }, output))).toEqual(["Command", "Output", "Error output"]);
  expect(toolBlocks("bash", call({ command: "ls" }, output))[1]).toMatchObject({ text: "a" });
  expect(labels("bash", call({ command: "ls" }, undefined, { liveOutput: "x" }))).toEqual(["Command", "Output so far"]);
  expect(labels("bash", call({ command: "ls" }, { error: "timed_out", message: "Too long.", stdout: "x" }))).toEqual([
    ...["Command", "Error", "Output"],
  ]);
});

it("shows changes as diffs, hits by file, and what it does not know as JSON", () => {
  const [change] = toolBlocks("edit", call({ oldString: "a", newString: "b" }, { line: 7 }));
  expect(change).toMatchObject({
    kind: "diff",
    lines: [
      { kind: "removed", lineNumber: 7 },
      { kind: "added", lineNumber: 7 },
    ],
  });
  const hits = [
    { path: "a", line: 1, text: "x" },
    { path: "b", line: 2, text: "y" },
    { path: "a", line: 3, text: "z" },
  ];
  expect(toolBlocks("grep", call({ pattern: "x" }, { hits }))[1]).toMatchObject({
    files: [{ path: "a", hits: [{ line: 1 }, { line: 3 }] }, { path: "b" }],
  });
  expect(toolBlocks("teleport", call({ to: "x" }, { there: true }))[1]).toMatchObject({
    text: expect.stringContaining('"there"'),
  });
});

it("is not put off by inputs and outputs of any shape", () => {
  for (const tool of ["bash", "write", "edit", "read", "grep", "glob", "todo", "x"]) {
    for (const odd of [null, 1, "text", [], [null], { todos: [null, 1] }, { hits: "x", paths: {} }]) {
      expect(() => toolBlocks(tool, call(odd, odd))).not.toThrow();
      expect(() => toolOutcome(tool, call(odd, odd))).not.toThrow();
    }
  }
});
