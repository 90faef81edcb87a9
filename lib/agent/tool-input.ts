import { z } from "zod";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { AgentTool } from "./tool";

const MAX_ISSUES = 5;

/**
 * Checks what a model passed to a tool against the schema of the tool. The error is written for the model: it names
 * each field that is wrong, so that the next call can be right.
 */
export function parseToolInput<Input>(
  tool: Pick<AgentTool<Input>, "name" | "inputSchema">,
  input: unknown,
): Result<Input, string> {
  const parsed = tool.inputSchema.safeParse(input);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, MAX_ISSUES).map(describeIssue);
  return err(`The input of ${tool.name} is not valid: ${issues.join("; ")}. Correct it and call the tool again.`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = z.core.toDotPath(issue.path);
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
