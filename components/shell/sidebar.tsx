"use client";

import { useRouter } from "next/navigation";
import { pagePaths } from "@/components/lib/api-paths";
import { SessionList } from "@/components/session/session-list";
import { AccountMenu } from "@/components/shell/account-menu";
import { Brand } from "@/components/shell/brand";
import { ConnectionNote } from "@/components/shell/connection-note";
import { useShell } from "@/components/shell/shell-context";
import { SHORTCUTS, useAriaKeys } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";
import type { SessionListView } from "@/lib/session/contract";

/** The list of sessions with the way to a new one. `onCollapse` is there where it can make room. */
export function Sidebar({
  first,
  currentId,
  onCollapse,
}: {
  first: SessionListView;
  currentId: string | null;
  onCollapse?: () => void;
}) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 py-2.5 pr-2 pl-4">
        <span className="flex-1">
          <Brand />
        </span>
        <NewSessionButton />
        {onCollapse && (
          <Tooltip label="Hide sessions" keys={SHORTCUTS.toggleSidebar.keys} side="bottom">
            <Button variant="ghost" icon="sidebar" iconOnly onClick={onCollapse}>
              Hide sessions
            </Button>
          </Tooltip>
        )}
      </div>
      <SessionList first={first} currentId={currentId} />
      <ConnectionNote />
      <AccountMenu />
    </div>
  );
}

/** What is left of the sidebar when it makes room: the ways that it offers. */
export function SidebarRail({ onExpand }: { onExpand: () => void }) {
  const { openPalette } = useShell();
  return (
    <div className="flex flex-1 flex-col items-center gap-1 py-2.5">
      <Tooltip label="Show sessions" keys={SHORTCUTS.toggleSidebar.keys} side="right">
        <Button variant="ghost" icon="sidebar" iconOnly onClick={onExpand}>
          Show sessions
        </Button>
      </Tooltip>
      <NewSessionButton side="right" />
      <Tooltip label="Find a session or a command" keys={SHORTCUTS.palette.keys} side="right">
        <Button variant="ghost" icon="search" iconOnly onClick={openPalette}>
          Find a session or a command
        </Button>
      </Tooltip>
      <span className="flex-1" />
      <AccountMenu compact />
    </div>
  );
}

function NewSessionButton({ side = "bottom" }: { side?: "bottom" | "right" }) {
  const router = useRouter();
  const keys = useAriaKeys("newSession");
  return (
    <Tooltip label="New session" keys={SHORTCUTS.newSession.keys} side={side}>
      <Button variant="ghost" icon="plus" iconOnly aria-keyshortcuts={keys} onClick={() => router.push(pagePaths.home)}>
        New session
      </Button>
    </Tooltip>
  );
}
