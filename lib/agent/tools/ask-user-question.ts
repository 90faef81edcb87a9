import { z } from "zod";
import type { AgentTool } from "../tool";
import { defineTool } from "./define-tool";
import { failed } from "./failures";
import { clipLine } from "./text";

const inputSchema = z.strictObject({
  question: z.string().min(1).max(4_000).describe("The question, complete in itself."),
  options: z
    .array(z.string().min(1).max(400))
    .min(2)
    .max(6)
    .optional()
    .describe("Answers to choose from; the person may always write another one."),
});

/** Asks the person. The turn waits, without holding anything, until there is an answer. */
export const askUserQuestionTool: AgentTool = defineTool<z.infer<typeof inputSchema>>({
  name: "ask_user_question",
  description:
    "Asks the person a question and waits for the answer, however long it takes. Ask only what you cannot find out yourself and what changes what you do.",
  inputSchema,
  readOnly: true,
  waitsForPerson: true,
  eventName: "ask",
  summarize: ({ question }) => `Asked: ${clipLine(question.replace(/\s+/g, " "), 160)}`,
  execute: async () => failed("waits_for_person", "A question is answered by the person, not executed."),
});
