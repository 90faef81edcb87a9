import { sleep } from "workflow";
import type { RunRef } from "@/lib/db/lease";
import { lifecycleStep } from "./steps/session-steps";

/** Walks a sandbox to what is wanted, and sleeps until an active one is idle (design.md, section 3). Only sequences. */
export async function lifecycleWorkflow(ref: RunRef): Promise<void> {
  "use workflow";
  let next = await lifecycleStep(ref);
  while (next.do !== "end") {
    if (next.do === "wait") await sleep(next.ms);
    next = await lifecycleStep(ref);
  }
}
