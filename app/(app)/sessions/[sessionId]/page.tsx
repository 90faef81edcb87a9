import { notFound, redirect } from "next/navigation";
import { pagePaths } from "@/components/lib/api-paths";
import { currentUser, initialSession } from "@/lib/http/page";

export const dynamic = "force-dynamic";

/** The address of a session leads to its first chat. */
export default async function SessionPage({ params }: { params: Promise<{ sessionId: string }> }) {
  const user = await currentUser();
  if (!user) return null;
  const { sessionId } = await params;
  const found = await initialSession(user.id, sessionId);
  const chatId = found?.session.chatId ?? found?.chats[0]?.id;
  if (!chatId) notFound();
  redirect(pagePaths.chat(sessionId, chatId));
}
