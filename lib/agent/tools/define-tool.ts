import type { AgentTool } from "../tool";
import { parseToolInput } from "../tool-input";

/**
 * Turns a tool with a typed input into one that can stand in a list with others. What comes in is checked again at
 * each call, because inputs are read back from rows that an older version may have written.
 */
export function defineTool<Input>(spec: AgentTool<Input>): AgentTool {
  return {
    ...spec,
    summarize: (input) => {
      const parsed = parseToolInput(spec, input);
      return parsed.ok ? spec.summarize(parsed.value) : `Called ${spec.name} with an invalid input`;
    },
    execute: async (input, context) => {
      const parsed = parseToolInput(spec, input);
      if (!parsed.ok) return { ok: false, output: { error: "invalid_input", message: parsed.error } };
      return spec.execute(parsed.value, context);
    },
  };
}
