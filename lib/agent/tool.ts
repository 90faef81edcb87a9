import type { z } from "zod";
import type { SandboxProvider } from "@/lib/sandbox/provider";

/** One entry of the agent's own list of what there is to do. */
export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** Reason of an aborted `ToolContext.signal` when another process owns the call now: its command must then live on. */
export const LEASE_LOST = "lease_lost";

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly provider: SandboxProvider;
  readonly sandboxId: string;
  readonly toolCallId: string;
  /** 1 for the first execution; a crash makes a second one. */
  readonly attempt: number;
  /** False when the sandbox was restarted since the first attempt began: what ran then has an unknown outcome. */
  readonly sameBoot: boolean;
  /** Fires on Stop, and with the reason `LEASE_LOST` when the lease is lost or the process shuts down. */
  readonly signal: AbortSignal;
  /** Live output for the person who watches; may be dropped under load, is never the result. */
  readonly onOutput: (text: string) => void;
  readonly saveTodos: (todos: readonly Todo[]) => Promise<void>;
}

/** `output` is what the model sees, as JSON; `ok` false means that the tool failed and `output.error` says why. */
export interface ToolResult {
  readonly ok: boolean;
  readonly output: Readonly<Record<string, unknown>>;
}

/** One tool of the agent: a strict schema, a policy and an execution. One file each in `tools/`. */
export interface AgentTool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** Read-only calls of one step run together; the others run in order (design.md, section 5). */
  readonly readOnly: boolean;
  /** True for tools that a person answers; `execute` is then never called. */
  readonly waitsForPerson?: boolean;
  /** Name of the event that the call is shown as (api.md, "Events"). */
  readonly eventName: "read" | "write" | "edit" | "run" | "grep" | "glob" | "todo" | "ask";
  /** One readable line about a call, e.g. `Ran npm test`. */
  readonly summarize: (input: Input) => string;
  readonly execute: (input: Input, context: ToolContext) => Promise<ToolResult>;
}
