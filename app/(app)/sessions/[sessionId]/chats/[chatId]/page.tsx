import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { SWRConfig } from "swr";
import { apiPaths } from "@/components/lib/api-paths";
import { SessionFrame } from "@/components/session/session-frame";
import { currentUser, initialMessages, initialSession } from "@/lib/http/page";

export const dynamic = "force-dynamic";

interface Params {
  readonly sessionId: string;
  readonly chatId: string;
}

/** Read once per request, for the title and the page. */
const findSession = cache(async (sessionId: string) => {
  const user = await currentUser();
  return user ? { user, found: await initialSession(user.id, sessionId) } : null;
});

export async function generateMetadata({ params }: { params: Promise<Params> }): Promise<Metadata> {
  const answer = await findSession((await params).sessionId);
  return answer?.found ? { title: answer.found.session.title } : {};
}

/**
 * One chat of a session, rendered with everything that the hooks will ask for. There is no `loading.tsx` above it on
 * purpose: it would send the status 200 before it is known whether the session exists.
 */
export default async function ChatPage({ params }: { params: Promise<Params> }) {
  const { sessionId, chatId } = await params;
  const answer = await findSession(sessionId);
  if (!answer) return null;
  const { user, found } = answer;
  const chat = found?.chats.find((entry) => entry.id === chatId);
  if (!found || !chat) notFound();
  const messages = await initialMessages(user.id, chatId);
  if (!messages) notFound();
  const { session, start, sandbox, chats } = found;
  const fallback = {
    [apiPaths.session(sessionId)]: { session },
    [apiPaths.sandbox(sessionId)]: sandbox,
    [apiPaths.start(sessionId)]: start,
    [apiPaths.chats(sessionId)]: { chats },
  };
  return (
    <SWRConfig value={{ fallback }}>
      <SessionFrame key={sessionId} initial={{ session, start, sandbox, chats, chat, messages }} />
    </SWRConfig>
  );
}
