import { sleep } from "workflow";
import type { RunRef } from "@/lib/db/lease";
import { startPhaseStep } from "./steps/session-steps";

/** Brings a session to READY, one phase a step (design.md, section 4). Only sequences. */
export async function startWorkflow(ref: RunRef): Promise<void> {
  "use workflow";
  let next = await startPhaseStep(ref);
  while (next.do !== "end") {
    if (next.do === "wait") await sleep(next.ms);
    next = await startPhaseStep(ref);
  }
}
