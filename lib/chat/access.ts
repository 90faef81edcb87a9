import type { Tx } from "@/lib/db/client";
import { type AppError, notFound } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import { lockSandbox, type SandboxRow } from "@/lib/sandbox/store";
import { findOwnedChat, type OwnedChat } from "./store";

export const NO_CHAT = notFound("This chat");

/** Locks in the order session's sandbox, chat; answers 404 for what is not the user's. */
export async function lockOwnedChat(
  tx: Tx,
  userId: string,
  chatId: string,
): Promise<Result<OwnedChat & { sandbox: SandboxRow }, AppError>> {
  const found = await findOwnedChat(tx, userId, chatId);
  if (!found) return err(NO_CHAT);
  const sandbox = await lockSandbox(tx, found.session.sandboxId);
  // Read again: it may have been archived or deleted while we waited for the lock.
  const owned = await findOwnedChat(tx, userId, chatId);
  return owned && sandbox ? ok({ ...owned, sandbox }) : err(NO_CHAT);
}
