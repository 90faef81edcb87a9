"use client";

import { type ReactNode, useState } from "react";
import { ChatLinks } from "@/components/chat/chat-links";
import { ChatView } from "@/components/chat/chat-view";
import { classes } from "@/components/lib/classes";
import { ArchivedBar } from "@/components/session/archived-bar";
import { SessionHeader } from "@/components/session/session-header";
import { SplitHandle, useSplit } from "@/components/session/split-handle";
import { StartPhases } from "@/components/session/start-phases";
import { useSandboxStatus } from "@/components/session/use-sandbox-status";
import { useChats, useSession } from "@/components/session/use-session";
import { useSessionActions } from "@/components/session/use-session-actions";
import { useStart } from "@/components/session/use-start";
import { useShell } from "@/components/shell/shell-context";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { FailureToast } from "@/components/ui/toast";
import { DiffPanel } from "@/components/workspace/diff-panel";
import { FilesPanel } from "@/components/workspace/files-panel";
import { SandboxPanel } from "@/components/workspace/sandbox-panel";
import type { ChatView as Chat, MessageListView } from "@/lib/chat/contract";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView, StartView } from "@/lib/session/contract";

type Panel = "chat" | "changes" | "files" | "sandbox";

const WORKSPACE_TABS = [
  { id: "changes", label: "Changes" },
  { id: "files", label: "Files" },
  { id: "sandbox", label: "Sandbox" },
] as const;

/** What the server rendered of a session; the hooks take it as their first answer. */
export interface InitialSession {
  readonly session: SessionView;
  readonly sandbox: SandboxView;
  readonly start: StartView;
  readonly chats: readonly Chat[];
  readonly chat: Chat;
  readonly messages: MessageListView;
}

/**
 * One session: its chat, and the workspace beside it where there is room, else behind tabs. Every part that is shown
 * once stays in the document, so that going between tabs loses neither the scroll position nor what was opened.
 */
export function SessionFrame({ initial }: { initial: InitialSession }) {
  const { id } = initial.session;
  const session = useSession(id) ?? initial.session;
  const sandbox = useSandboxStatus(id) ?? initial.sandbox;
  const start = useStart(id) ?? initial.start;
  const { chats } = useChats(id);
  const actions = useSessionActions(id);
  const split = useSplit(useShell().look.chatShare);
  const [panel, setPanel] = useState<Panel>("chat");
  const beside = panel === "chat" ? "changes" : panel;
  const archived = session.status === "archived";

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <SessionHeader session={session} sandbox={sandbox} startFailed={start.status === "ERROR"} actions={actions} />
      <Tabs
        base="narrow"
        label="Parts of the session"
        panels={false}
        className="px-2 xl:hidden"
        value={panel}
        onChange={setPanel}
        items={[{ id: "chat", label: "Chat" }, ...WORKSPACE_TABS]}
      />
      <div
        style={split.style}
        className="flex min-h-0 flex-1 xl:grid xl:grid-cols-[minmax(24rem,var(--chat))_auto_minmax(20rem,1fr)]"
      >
        <div className={classes("min-h-0 min-w-0 flex-1 flex-col xl:flex", panel === "chat" ? "flex" : "hidden")}>
          <ChatLinks
            chats={chats.length > 0 ? chats : initial.chats}
            currentId={initial.chat.id}
            actions={actions}
            canAdd={!archived}
          />
          <ChatView
            key={initial.chat.id}
            chat={initial.chat}
            initial={initial.messages}
            asleep={sandbox.state === "hibernated" || sandbox.state === "hibernating"}
            failed={sandbox.state === "failed"}
            readOnly={archived ? <ArchivedBar /> : null}
            head={<StartPhases start={start} actions={actions} />}
          />
        </div>
        <SplitHandle {...split.handle} />
        <aside
          aria-label="Workspace"
          className={classes("min-h-0 min-w-0 flex-1 flex-col xl:flex", panel === "chat" ? "hidden" : "flex")}
        >
          <Tabs
            base="workspace"
            label="Workspace"
            className="px-2 max-xl:hidden"
            value={beside}
            onChange={setPanel}
            items={WORKSPACE_TABS}
          />
          <WorkspacePanel id="changes" shown={beside}>
            <DiffPanel session={session} sandbox={sandbox} />
          </WorkspacePanel>
          <WorkspacePanel id="files" shown={beside}>
            <FilesPanel session={session} sandbox={sandbox} />
          </WorkspacePanel>
          <WorkspacePanel id="sandbox" shown={beside}>
            <SandboxPanel sessionId={id} sandbox={sandbox} start={start} />
          </WorkspacePanel>
        </aside>
      </div>
      {actions.failure && (
        <FailureToast
          message={actions.failure.message}
          reference={actions.failure.requestId}
          onDismiss={actions.dismiss}
        />
      )}
    </div>
  );
}

/** A panel that is mounted when it is first looked at and then kept. */
function WorkspacePanel({ id, shown, children }: { id: Panel; shown: Panel; children: ReactNode }) {
  const [visited, setVisited] = useState(id === shown);
  if (id === shown && !visited) setVisited(true);
  return (
    <TabPanel
      base="workspace"
      id={id}
      hidden={id !== shown}
      className={classes("min-h-0 flex-1 flex-col", id === shown && "flex")}
    >
      {visited && children}
    </TabPanel>
  );
}
