import { randomBytes, randomUUID } from "node:crypto";

/** A fresh unguessable id (UUID v4): sessions, chats, turns, sandboxes, executions. */
export function newId(): string {
  return randomUUID();
}

/** A short reference for a person to quote, e.g. `ref-3f9a1c20`; it names a log line, never a secret. */
export function newReference(): string {
  return `ref-${randomBytes(4).toString("hex")}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether a path parameter can name a row at all; what cannot is answered like what does not exist. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
