"use client";

import { useAskSession } from "@/components/session/session-questions";
import { useSessionActions } from "@/components/session/use-session-actions";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { notifyFailure } from "@/components/ui/toast";
import type { SessionView } from "@/lib/session/contract";

/** What one can do with a session of the list without opening it. Its button shows on hover, by keyboard, and always on touch. */
export function SessionRowMenu({ session }: { session: SessionView }) {
  const ask = useAskSession();
  return (
    <div className="absolute top-0.5 right-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:opacity-100">
      <Menu
        trigger={
          <Button variant="ghost" icon="more" iconOnly className="min-h-7 pointer-coarse:min-h-8">
            Actions for {session.title}
          </Button>
        }
      >
        <MenuItem icon="pencil" onSelect={() => ask("rename", session)}>
          Rename
        </MenuItem>
        {session.status === "archived" ? (
          <UnarchiveItem session={session} />
        ) : (
          <MenuItem icon="archive" onSelect={() => ask("archive", session)}>
            Archive
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon="trash" danger onSelect={() => ask("remove", session)}>
          Delete
        </MenuItem>
      </Menu>
    </div>
  );
}

function UnarchiveItem({ session }: { session: SessionView }) {
  const actions = useSessionActions(session.id, notifyFailure);
  return (
    <MenuItem
      icon="unarchive"
      disabled={session.sandboxState !== "archived" && session.sandboxState !== "failed"}
      onSelect={() => void actions.unarchive()}
    >
      Unarchive
    </MenuItem>
  );
}
