import type { Tx } from "@/lib/db/client";
import type { SandboxState } from "@/lib/sandbox/contract";
import { findSandbox } from "@/lib/sandbox/store";
import { appendEvents } from "./stream-store";
import {
  hasOtherRunning,
  listUnfinished,
  listUnfinishedOfSandbox,
  patchTurn,
  type TurnRow,
  toTurnView,
} from "./turn-store";

/** Why a queued or answered turn cannot begin now, in words; null when it can (design.md, section 5). */
export async function whyNotYet(tx: Tx, turn: TurnRow, sandbox: SandboxState): Promise<string | null> {
  if (sandbox === "failed") return "The sandbox could not be brought up; see its status for the reason.";
  if (sandbox !== "active") return "Waits for the sandbox.";
  if (await hasOtherRunning(tx, turn.sandboxId, turn.id)) {
    const here = (await listUnfinished(tx, turn.chatId)).some(
      (other) => other.state === "running" && other.id !== turn.id,
    );
    return here ? "Waits for the turn before it." : "Waits for the turn in another chat of this session.";
  }
  const before = (await listUnfinished(tx, turn.chatId)).find(
    (other) => other.id !== turn.id && other.state !== "queued",
  );
  return before && turn.state === "queued" ? "Waits for the turn before it." : null;
}

/** A turn that has to wait says why, once per reason. */
export async function tellReason(tx: Tx, turn: TurnRow, reason: string): Promise<void> {
  await patchTurn(tx, turn.id, { reason });
  await appendEvents(tx, turn.chatId, [
    { kind: "state", name: "turn", source: "system", turnId: turn.id, data: { turn: toTurnView({ ...turn, reason }) } },
  ]);
}

/** Lets every turn of a sandbox that waits say why: after a message, and when the sandbox changes for the worse. */
export async function explainWaiting(tx: Tx, sandboxId: string): Promise<void> {
  const sandbox = await findSandbox(tx, sandboxId);
  if (!sandbox) return;
  for (const turn of await listUnfinishedOfSandbox(tx, sandboxId)) {
    const waits = turn.state === "queued" || (turn.state === "waiting_for_user" && turn.waiting === null);
    const why = waits ? await whyNotYet(tx, turn, sandbox.state) : null;
    if (why && why !== turn.reason) await tellReason(tx, turn, why);
  }
}
