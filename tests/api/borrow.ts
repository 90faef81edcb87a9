import type { CreateSessionView } from "@/lib/session/contract";
import { poll } from "./poll";
import { api } from "./subject";

/** Sessions of this file that are READY and have nothing to do. */
const idle: CreateSessionView[] = [];

export interface BorrowContext {
  readonly onTestFinished: (cleanUp: () => Promise<void>) => void;
  readonly task: { readonly result?: { readonly state?: string } | undefined };
}

/**
 * A READY session with a new chat, for tests that do not care what lies in the sandbox: each start costs a sandbox, so
 * the tests of a file take turns. Comes back when the test has passed; nobody else uses it meanwhile.
 */
export async function borrow(context: BorrowContext): Promise<CreateSessionView> {
  const used = idle.pop();
  const made = used ? await withNewChat(used) : await api.ready({});
  context.onTestFinished(async () => {
    if (context.task.result?.state === "fail") return;
    await calm(made.chat.id);
    idle.push(made);
  });
  return made;
}

async function withNewChat(made: CreateSessionView): Promise<CreateSessionView> {
  const answer = await api.post(`/api/sessions/${made.session.id}/chats`, {});
  if (answer.status !== 201) throw new Error(`no new chat: ${answer.status} ${answer.text}`);
  return { ...made, chat: (answer.body as { chat: CreateSessionView["chat"] }).chat };
}

/** Stops what a test has left running or queued in a chat. */
async function calm(chatId: string): Promise<void> {
  await poll(
    async () => {
      const { body } = await api.get(`/api/chats/${chatId}`);
      const busy = (body as { chat: { activeTurn: unknown } }).chat.activeTurn !== null;
      if (busy) await api.post(`/api/chats/${chatId}/stop`);
      return busy;
    },
    (busy) => !busy,
    { what: "an idle chat" },
  );
}
