"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { useSWRConfig } from "swr";
import { type ApiFailure, type CallOptions, callApi } from "@/components/lib/api-client";
import { apiPaths, pagePaths } from "@/components/lib/api-paths";
import { useRefreshSessions } from "@/components/session/use-sessions";
import type { ChatView } from "@/lib/chat/contract";

export type ActionName =
  | "resume"
  | "hibernate"
  | "archive"
  | "unarchive"
  | "retryStart"
  | "cancelStart"
  | "rename"
  | "newChat";

/** What a person can do with a session, which of it is on its way, and the failure of the last try. */
export interface SessionActions {
  readonly running: ActionName | null;
  readonly failure: ApiFailure | null;
  readonly dismiss: () => void;
  readonly resume: () => Promise<boolean>;
  /** `force` stops a running turn first. */
  readonly hibernate: (force: boolean) => Promise<boolean>;
  readonly archive: () => Promise<boolean>;
  readonly unarchive: () => Promise<boolean>;
  readonly retryStart: () => Promise<boolean>;
  readonly cancelStart: () => Promise<boolean>;
  readonly rename: (title: string) => Promise<boolean>;
  readonly newChat: () => Promise<boolean>;
}

/** @param onFailure is told of failures besides `failure`, for those who are gone when the answer comes */
export function useSessionActions(sessionId: string, onFailure?: (failure: ApiFailure) => void): SessionActions {
  const [running, setRunning] = useState<ActionName | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const { mutate } = useSWRConfig();
  const refreshSessions = useRefreshSessions();
  const router = useRouter();

  const run = useCallback(
    async <T>(name: ActionName, path: string, options: CallOptions, then?: (answer: T) => void): Promise<boolean> => {
      setRunning(name);
      setFailure(null);
      const answer = await callApi<T>(path, options);
      if (answer.ok) {
        then?.(answer.value);
        refreshSessions();
        for (const key of [apiPaths.session(sessionId), apiPaths.sandbox(sessionId), apiPaths.start(sessionId)]) {
          await mutate(key);
        }
      } else {
        setFailure(answer.error);
        onFailure?.(answer.error);
      }
      setRunning(null);
      return answer.ok;
    },
    [sessionId, mutate, refreshSessions, onFailure],
  );

  return useMemo(() => {
    const post = (name: ActionName, path: string, body: object = {}) => run(name, path, { method: "POST", body });
    const patch = (name: ActionName, status: "archived" | "running") =>
      run(name, apiPaths.session(sessionId), { method: "PATCH", body: { status } });
    return {
      running,
      failure,
      dismiss: () => setFailure(null),
      resume: () => post("resume", apiPaths.sandboxResume(sessionId)),
      hibernate: (force: boolean) => post("hibernate", apiPaths.sandboxHibernate(sessionId), force ? { force } : {}),
      archive: () => patch("archive", "archived"),
      unarchive: () => patch("unarchive", "running"),
      retryStart: () => post("retryStart", apiPaths.startRetry(sessionId)),
      cancelStart: () => post("cancelStart", apiPaths.startCancel(sessionId)),
      rename: (title: string) => run("rename", apiPaths.session(sessionId), { method: "PATCH", body: { title } }),
      newChat: () =>
        run<{ chat: ChatView }>("newChat", apiPaths.chats(sessionId), { method: "POST", body: {} }, ({ chat }) => {
          void mutate(apiPaths.chats(sessionId));
          router.push(pagePaths.chat(sessionId, chat.id));
        }),
    };
  }, [running, failure, run, sessionId, router, mutate]);
}
