import type { AgentTool } from "./tool";
import { askUserQuestionTool } from "./tools/ask-user-question";
import { bashTool } from "./tools/bash";
import { editTool } from "./tools/edit";
import { globTool } from "./tools/glob";
import { grepTool } from "./tools/grep";
import { readTool } from "./tools/read";
import { todoTool } from "./tools/todo";
import { writeTool } from "./tools/write";

/** Every tool that the agent has, in the order in which the model sees them. */
export const TOOLBOX: readonly AgentTool[] = [
  bashTool,
  readTool,
  writeTool,
  editTool,
  grepTool,
  globTool,
  todoTool,
  askUserQuestionTool,
];

/** Null for a name that no tool has: models invent some. */
export function findTool(name: string): AgentTool | null {
  return TOOLBOX.find((tool) => tool.name === name) ?? null;
}
