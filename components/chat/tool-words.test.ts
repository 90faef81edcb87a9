import { expect, it } from "vitest";
import { toolLine, toolOutcome, toolSections } from "@/components/chat/tool-words";

it("names a call by what it is about, and an unknown tool by its name", () => {
  expect(toolLine("bash", { command: "npm test\nls" })).toMatchObject({ verb: "Run", subject: "npm test" });
  expect(toolLine("teleport", { to: "x" })).toMatchObject({ verb: "teleport", subject: "" });
  expect(toolLine("read", "not an object")).toMatchObject({ subject: "" });
});

it("shows the streams of a command apart and anything unknown as JSON", () => {
  const sections = toolSections("bash", { command: "ls" }, { stdout: "a", stderr: "b", exitCode: 1 });
  expect(sections.map((section) => section.label)).toEqual(["Command", "Output", "stderr"]);
  expect(toolSections("glob", { pattern: "*" }, { files: ["a"] })[1]?.text).toContain('"files"');
  expect(toolSections("bash", { command: "ls" }, undefined, "cut")).toContainEqual({
    label: "Error",
    text: "cut",
    tone: "danger",
  });
});

it("tells a command that failed from one that did not", () => {
  expect(toolOutcome({ exitCode: 0 })).toEqual({ text: "exit 0", failed: false });
  expect(toolOutcome({ exitCode: 2 })).toEqual({ text: "exit 2", failed: true });
  expect(toolOutcome({ error: "no such file" })).toEqual({ text: "failed", failed: true });
  expect(toolOutcome({ error: "stopped" })).toEqual({ text: "stopped", failed: false });
  expect(toolOutcome("text")).toBeNull();
});
