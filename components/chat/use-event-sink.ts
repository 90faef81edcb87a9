"use client";

import { useCallback, useEffect, useRef } from "react";
import { useSWRConfig } from "swr";
import { callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useRefreshSessions } from "@/components/session/use-sessions";
import type { ChatEvent } from "@/lib/chat/contract";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { StartView } from "@/lib/session/contract";

/** What a running turn changes in the workspace is asked for at most this often. */
const WORKSPACE_PAUSE_MS = 3_000;
/** Observations of tools that may change files. */
const CHANGING = new Set(["run", "write", "edit"]);

function mayChangeWorkspace(event: ChatEvent): boolean {
  return event.kind === "observation" && CHANGING.has(event.name);
}

/**
 * Where the stream tells of more than the chat: the newest state of sandbox, start and title goes into the caches of
 * their hooks at once, and the end of a turn makes lists and diffs be asked for again.
 */
export function useEventSink(sessionId: string, chatId: string): (events: readonly ChatEvent[]) => void {
  const { mutate } = useSWRConfig();
  const refreshSessions = useRefreshSessions();
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pending.current), []);
  return useCallback(
    (events) => {
      const states = events.filter((event) => event.kind === "state");
      const sandbox = newest<SandboxView>(states, "sandbox");
      const start = newest<StartView>(states, "start");
      if (sandbox) {
        const keepNewer = (known?: SandboxView) => (known && known.version > sandbox.version ? known : sandbox);
        void mutate(apiPaths.sandbox(sessionId), keepNewer, { revalidate: false });
      }
      if (start) void mutate(apiPaths.start(sessionId), start, { revalidate: false });
      const turnChanged = states.some((event) => event.name === "turn");
      if (turnChanged || states.some((event) => event.name === "title" || event.name === "sandbox")) {
        refreshSessions();
        void mutate(apiPaths.session(sessionId));
        void mutate(apiPaths.chats(sessionId));
      }
      const refreshWorkspace = () => {
        clearTimeout(pending.current);
        pending.current = undefined;
        void mutate(isWorkspaceKey(sessionId));
      };
      if (turnChanged) refreshWorkspace();
      else if (events.some(mayChangeWorkspace)) pending.current ??= setTimeout(refreshWorkspace, WORKSPACE_PAUSE_MS);
      if (turnChanged && document.visibilityState === "visible") {
        void callApi(apiPaths.read(chatId), { method: "POST", body: {} });
      }
    },
    [sessionId, chatId, mutate, refreshSessions],
  );
}

function newest<T>(events: readonly ChatEvent[], field: string): T | undefined {
  const event = events.findLast((entry) => entry[field] !== undefined && entry[field] !== null);
  return event?.[field] as T | undefined;
}

/** Keys of diffs, file lists and usage: what a turn may have changed. */
function isWorkspaceKey(sessionId: string): (key: unknown) => boolean {
  const prefixes = ["diff", "files", "git", "usage"].map((part) => `${apiPaths.session(sessionId)}/${part}`);
  return (key) => typeof key === "string" && prefixes.some((prefix) => key.startsWith(prefix));
}
