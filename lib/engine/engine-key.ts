import { randomBytes } from "node:crypto";
import { processGlobal } from "@/lib/kernel/process-global";

export const ENGINE_HEADER = "x-dormouse-engine";

/** A secret of this process; only requests that carry it reach the SDK's routes (properties.md, S1). */
export function engineKey(): string {
  return processGlobal("engine-key", () => randomBytes(32).toString("hex"));
}
