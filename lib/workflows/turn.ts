import { sleep } from "workflow";
import type { RunRef } from "@/lib/db/lease";
import { claimTurn, finishStep, modelStep, toolStep } from "./steps/turn-steps";

/** One answer of the agent: claim, then model step, tool steps, model step … until it ends (design.md, section 5). Only sequences. */
export async function turnWorkflow(ref: RunRef): Promise<void> {
  "use workflow";
  let next = await claimTurn(ref);
  while (next.do !== "end") {
    if (next.do === "wait") {
      await sleep(next.ms);
      next = await claimTurn(ref);
    } else if (next.do === "model") next = await modelStep(ref);
    else if (next.do === "tools") next = await toolStep(ref);
    else if (next.do === "finish") next = await finishStep(ref);
    else next = await claimTurn(ref);
  }
}
