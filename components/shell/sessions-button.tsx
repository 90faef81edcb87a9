"use client";

import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/button";

/** On a phone: the way to the list of sessions. */
export function SessionsButton() {
  const { openSessions } = useShell();
  return (
    <Button variant="ghost" icon="sidebar" iconOnly onClick={openSessions} className="lg:hidden">
      Show sessions
    </Button>
  );
}
