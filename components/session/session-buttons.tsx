"use client";

import { useAskSession } from "@/components/session/session-questions";
import type { SessionActions } from "@/components/session/use-session-actions";
import { SHORTCUTS } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

/** What one can do with the session itself; what ends something asks first. */
export function SessionMenu({ session, actions }: { session: SessionView; actions: SessionActions }) {
  const ask = useAskSession();
  return (
    <Menu
      trigger={
        <Button variant="ghost" icon="more" iconOnly title="Session actions">
          Session actions
        </Button>
      }
    >
      <MenuItem icon="pencil" onSelect={() => ask("rename", session)}>
        Rename
      </MenuItem>
      {session.status !== "archived" && (
        <>
          <MenuItem icon="plus" keys={SHORTCUTS.newChat.keys} onSelect={() => void actions.newChat()}>
            New chat
          </MenuItem>
          <MenuItem icon="archive" onSelect={() => ask("archive", session)}>
            Archive
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem icon="trash" danger onSelect={() => ask("remove", session)}>
        Delete
      </MenuItem>
    </Menu>
  );
}

/** The one action that the state of the sandbox offers; its place stays when there is none. */
export function StateButton({
  session,
  sandbox,
  startFailed,
  actions,
}: {
  session: SessionView;
  sandbox: SandboxView;
  /** Then the start itself offers to try again. */
  startFailed: boolean;
  actions: SessionActions;
}) {
  const ask = useAskSession();
  const { state } = sandbox;
  const { running } = actions;
  if (session.status === "archived") {
    return (
      <Button
        variant="primary"
        icon="unarchive"
        busy={running === "unarchive"}
        disabled={state !== "archived" && state !== "failed"}
        onClick={() => void actions.unarchive()}
      >
        Unarchive
      </Button>
    );
  }
  if (state === "hibernated" || state === "hibernating" || (state === "failed" && !startFailed)) {
    return (
      <Button variant="primary" icon="play" busy={running === "resume"} onClick={() => void actions.resume()}>
        {state === "failed" ? "Try again" : "Resume"}
      </Button>
    );
  }
  if (state !== "active") return null;
  return (
    <Button
      variant="ghost"
      icon="moon"
      busy={running === "hibernate"}
      onClick={() => (sandbox.busy ? ask("hibernate", session) : void actions.hibernate(false))}
    >
      Pause now
    </Button>
  );
}
