import { z } from "zod";
import type { AgentTool } from "../tool";
import { defineTool } from "./define-tool";
import { failed, orFailure } from "./failures";

const MAX_TODOS = 100;

const inputSchema = z.strictObject({
  todos: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(100).describe("A short id that stays the same while the entry lives."),
        content: z.string().min(1).max(1_000).describe("What there is to do."),
        status: z.enum(["pending", "in_progress", "completed"]),
      }),
    )
    .max(MAX_TODOS)
    .describe("The whole list; it replaces the one before."),
});

/** Replaces the agent's list of what there is to do. */
export const todoTool: AgentTool = defineTool<z.infer<typeof inputSchema>>({
  name: "todo",
  description:
    "Replaces your list of what there is to do, which the person sees. Use it for work of three or more steps; mark an entry as soon as it is done, and keep one in progress.",
  inputSchema,
  readOnly: false,
  eventName: "todo",
  summarize: ({ todos }) => {
    const done = todos.filter((todo) => todo.status === "completed").length;
    return `Updated the list: ${done} of ${todos.length} done`;
  },
  execute: ({ todos }, context) =>
    orFailure(context, async () => {
      const ids = new Set(todos.map((todo) => todo.id));
      if (ids.size < todos.length) return failed("duplicate_id", "Two entries have the same id. Give each its own.");
      await context.saveTodos(todos);
      const open = todos.filter((todo) => todo.status !== "completed").length;
      return { ok: true, output: { saved: todos.length, open } };
    }),
});
