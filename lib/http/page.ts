import "server-only";
import { headers } from "next/headers";
import type { ChatView, MessageListView } from "@/lib/chat/contract";
import { listMessages } from "@/lib/chat/read";
import { listChats } from "@/lib/chat/service";
import { isUuid } from "@/lib/kernel/ids";
import type { ProviderListView } from "@/lib/model/contract";
import { listProviders } from "@/lib/model/provider-service";
import { requireRuntime } from "@/lib/runtime";
import type { SandboxView } from "@/lib/sandbox/contract";
import { getSandboxView } from "@/lib/sandbox/service";
import { readConfig } from "@/lib/session/config";
import type { ConfigView, SessionListView, SessionView, StartView } from "@/lib/session/contract";
import { getSession, listSessions, requireSession } from "@/lib/session/service";
import { getStart } from "@/lib/session/start-service";
import type { DailyUsageView } from "@/lib/usage/contract";
import { readDailyUsage } from "@/lib/usage/service";
import { identify } from "./identity";

/** What pages are rendered from on the server; the same services as the API's, so that the first paint needs no request. */
export async function currentUser(): Promise<{ id: string; name: string } | null> {
  const runtime = requireRuntime();
  return identify(runtime.db, new Headers(await headers()), runtime.env.port);
}

/** Nobody is signed in: only what the deployment itself has can be chosen. */
const NOBODY_ID = "00000000-0000-0000-0000-000000000000";

export async function initialConfig(): Promise<ConfigView> {
  const user = await currentUser();
  return readConfig(requireRuntime(), user?.id ?? NOBODY_ID);
}

export async function initialSessions(userId: string, status: "active" | "archived", q = ""): Promise<SessionListView> {
  const listed = await listSessions(requireRuntime(), userId, { status, q, limit: 50 });
  return listed.ok ? listed.value : { sessions: [], nextCursor: null, counts: { active: 0, archived: 0 } };
}

export async function initialSession(
  userId: string,
  sessionId: string,
): Promise<{ session: SessionView; start: StartView; sandbox: SandboxView; chats: ChatView[] } | null> {
  if (!isUuid(sessionId)) return null;
  const runtime = requireRuntime();
  const row = await requireSession(runtime, userId, sessionId);
  if (!row.ok) return null;
  const [session, start, sandbox, chats] = await Promise.all([
    getSession(runtime, userId, sessionId),
    getStart(runtime, sessionId),
    getSandboxView(runtime, row.value.sandboxId),
    listChats(runtime, sessionId),
  ]);
  return session.ok && start.ok && sandbox.ok
    ? { session: session.value, start: start.value, sandbox: sandbox.value, chats }
    : null;
}

export async function initialMessages(userId: string, chatId: string): Promise<MessageListView | null> {
  if (!isUuid(chatId)) return null;
  const listed = await listMessages(requireRuntime(), userId, chatId, { limit: 50 });
  return listed.ok ? listed.value : null;
}

export async function initialSettings(
  userId: string,
  days: number,
): Promise<{ providers: ProviderListView | null; usage: DailyUsageView | null }> {
  const runtime = requireRuntime();
  const [providers, usage] = await Promise.all([listProviders(runtime, userId), readDailyUsage(runtime, userId, days)]);
  return { providers: providers.ok ? providers.value : null, usage: usage.ok ? usage.value : null };
}
