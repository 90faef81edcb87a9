"use client";

import type { ReactNode } from "react";
import { AnswerFoot } from "@/components/chat/answer-foot";
import { AttachmentChips } from "@/components/chat/attachment-chips";
import { ChatEmpty } from "@/components/chat/chat-empty";
import type { Notice } from "@/components/chat/fold-events";
import { KeptState } from "@/components/chat/kept-state";
import { ConversationRow } from "@/components/chat/message-row";
import type { ToolPart as Part } from "@/components/chat/message-types";
import { noticeLook } from "@/components/chat/notice-look";
import { EndedRow, NoticeRow } from "@/components/chat/notice-row";
import { ReasoningPart } from "@/components/chat/parts/reasoning";
import { ToolPart } from "@/components/chat/parts/tool";
import { QueueStrip } from "@/components/chat/queue-strip";
import { TodoStrip } from "@/components/chat/todo-strip";
import { TurnStatus } from "@/components/chat/turn-status";
import { Markdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

/** One state of one component of the chat, for the gallery. */
export interface ChatFixture {
  readonly name: string;
  readonly element: ReactNode;
}

const START = "2026-01-01T10:00:00.000Z";
const turn = (state: TurnView["state"], more: Partial<TurnView> = {}): TurnView => ({
  id: `turn-${state}`,
  state,
  reason: null,
  startedAt: START,
  endedAt: state === "running" || state === "waiting_for_user" ? null : "2026-01-01T10:01:12.000Z",
  ...more,
});
const user = (text: string, status: "queued" | "delivered" = "delivered", files?: string[]): ChatMessage => ({
  id: `message-${text.slice(0, 12)}`,
  role: "user",
  parts: [{ type: "text", text }],
  metadata: { status, ...(files ? { files } : {}) },
});
const nothing = async () => null;
let calls = 0;
const tool = (name: string, input: unknown, output?: unknown, more: Partial<Part> = {}): ReactNode => {
  const part: Part = {
    type: `tool-${name}`,
    toolCallId: `fixture-${calls++}`,
    state: output === undefined ? "input-available" : "output-available",
    input,
    ...(output === undefined ? {} : { output }),
    ...more,
  };
  return (
    <KeptState>
      <ToolPart part={part} live={output === undefined} />
    </KeptState>
  );
};
const status = (running: TurnView | null, queued: TurnView | null, more: object = {}) => (
  <TurnStatus
    running={running}
    queued={queued}
    stuck={false}
    connection="live"
    onGoOn={nothing}
    onTellMe={null}
    {...more}
  />
);
const notice = (name: string, message: string, more: Partial<Notice> = {}) => (
  <NoticeRow {...noticeLook({ seq: 1, at: START, name, message, turnId: null, ...more }, false)} />
);
const TODOS = {
  todos: [
    { id: "1", content: "Read the failing test", status: "completed" },
    {
      id: "2",
      content: "Mend the date parser, which forgets the time zone of dates before 1970",
      status: "in_progress",
    },
    { id: "3", content: "Run all tests", status: "pending" },
  ],
};
const MARKDOWN = [
  "## What I found\n\nThe parser **drops** the zone; see `src/date.ts` and [the standard](https://example.com/rfc3339).",
  "1. Dates before 1970\n2. Dates without a time\n\n> Only the first was reported.",
  "```ts\nexport function parse(text: string): Date {\n  return new Date(text);\n}\n```",
  "| Case | Before | After |\n|---|---|---|\n| 1969 | wrong | right |\n\n![a picture](https://evil.example/x.png)",
].join("\n\n");

export const CHAT_FIXTURES: readonly ChatFixture[] = [
  {
    name: "What a person said",
    element: <ConversationRow row={{ kind: "user", key: "u", message: user("Mend the tests, please.") }} />,
  },
  {
    name: "Queued, with files",
    element: (
      <ConversationRow row={{ kind: "user", key: "q", message: user("Look at this.", "queued", ["shot.png"]) }} />
    ),
  },
  {
    name: "Right to left",
    element: <ConversationRow row={{ kind: "user", key: "r", message: user("שלום, תקן את זה") }} />,
  },
  { name: "Markdown", element: <Markdown text={MARKDOWN} /> },
  {
    name: "Under an answer",
    element: (
      <AnswerFoot
        message={{ id: "a", role: "assistant", parts: [{ type: "text", text: "x" }] }}
        turn={turn("completed")}
      />
    ),
  },
  { name: "Thinking", element: <ReasoningPart id="t1" text="The zone is lost." live /> },
  { name: "Thought", element: <ReasoningPart id="t2" text="The zone is lost." live={false} /> },
  { name: "Command, running", element: tool("bash", { command: "npm test" }, undefined, { liveOutput: "1 passed\n" }) },
  {
    name: "Command, done",
    element: tool("bash", { command: "npm test" }, { exitCode: 0, stdout: "ok\n", stderr: "", durationMs: 4_200 }),
  },
  {
    name: "Command, failed",
    element: tool("bash", { command: "npm test" }, { exitCode: 1, stdout: "", stderr: "\u001b[31m1 failed\u001b[0m" }),
  },
  {
    name: "Command, too long",
    element: tool(
      "bash",
      { command: "sleep 9999" },
      { error: "timed_out", message: "Killed after 2 minutes.", stdout: "" },
    ),
  },
  {
    name: "Write",
    element: tool("write", { path: "src/zone.ts", content: "export const ZONE = 0;\n" }, { created: true }),
  },
  {
    name: "Edit",
    element: tool(
      "edit",
      { path: "src/date.ts", oldString: "a\nreturn 1;", newString: "a\nreturn 2;\nmore();" },
      { line: 41 },
    ),
  },
  {
    name: "Edit, refused",
    element: tool(
      "edit",
      { path: "src/date.ts", oldString: "x", newString: "y" },
      { error: "no_match", message: "oldString does not occur." },
    ),
  },
  {
    name: "Read",
    element: tool("read", { path: "src/date.ts" }, { content: "1\tline one\n2\tline two", firstLine: 1, lastLine: 2 }),
  },
  {
    name: "Search",
    element: tool("grep", { pattern: "zone" }, { hits: [{ path: "src/a.ts", line: 3, text: "zone" }], files: 1 }),
  },
  { name: "Search, nothing found", element: tool("grep", { pattern: "zone" }, { hits: [], files: 0 }) },
  {
    name: "Find",
    element: tool("glob", { pattern: "**/*.ts" }, { paths: ["src/a.ts", "photo\u202egnp.exe"], total: 2 }),
  },
  { name: "Plan", element: tool("todo", TODOS, { saved: 3, open: 2 }) },
  { name: "Unknown tool", element: tool("teleport", { to: "Mars" }, { there: true }) },
  { name: "Question", element: tool("ask_user_question", { question: "Which colour?", options: ["Red", "Green"] }) },
  {
    name: "Question, answered",
    element: tool("ask_user_question", { question: "Which colour?" }, { answer: "Green" }),
  },
  { name: "Notice", element: <NoticeRow text="Trying again (2 of 5) in 4 s: the model provider is overloaded." /> },
  {
    name: "Notice, calm",
    element: notice("condensed", "Older results were shortened, to make room."),
  },
  {
    name: "Notice of a failure, with its way out",
    element: notice("turn_failed", "The model provider refused the credentials.", {
      failure: { class: "auth", advice: "Check the API key in Settings, then send a message to go on." },
    }),
  },
  { name: "Stopped", element: <EndedRow turn={turn("stopped")} /> },
  { name: "Failed", element: <EndedRow turn={turn("failed", { reason: "The account has no credit left." })} /> },
  { name: "Interrupted", element: <EndedRow turn={turn("interrupted")} /> },
  { name: "Working", element: status(turn("running", { startedAt: null }), null, { onTellMe: () => undefined }) },
  { name: "Waits in line", element: status(null, turn("queued", { reason: "Waits for the sandbox." })) },
  {
    name: "Paused at a limit",
    element: status(
      turn("waiting_for_user", { waitingFor: "steps", reason: "This turn has made as many steps as it may." }),
      null,
      { limits: <Button variant="ghost">Change limits</Button> },
    ),
  },
  { name: "Connection lost", element: status(turn("running"), null, { connection: "retrying" }) },
  { name: "Plan above the composer", element: <TodoStrip input={TODOS} /> },
  {
    name: "Queue",
    element: (
      <QueueStrip
        queue={[user("Then the docs", "queued"), user("Then the changelog", "queued")]}
        pending={[{ id: "p", text: "On its way" }]}
        onEdit={nothing}
        onRemove={nothing}
      />
    ),
  },
  {
    name: "Files of a message",
    element: <AttachmentChips files={["shot.png", "a/long/way/to/notes.md"]} uploading onRemove={() => undefined} />,
  },
  { name: "Empty chat", element: <ChatEmpty model="demo/demo" /> },
];
