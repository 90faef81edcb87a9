"use client";

import dynamic from "next/dynamic";
import { useParams, usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { patiently } from "@/components/lib/patiently";
import { SessionQuestions } from "@/components/session/session-questions";
import { useSessionNews } from "@/components/session/use-session-news";
import { type Preferences, savePreference } from "@/components/settings/preferences";
import { type Shell, ShellContext } from "@/components/shell/shell-context";
import { ShortcutListener, useShortcut } from "@/components/shell/shortcuts";
import { Sidebar, SidebarRail } from "@/components/shell/sidebar";
import { loadDialog, Sheet } from "@/components/ui/dialog";
import { loadMenu } from "@/components/ui/menu";
import { loadPopover } from "@/components/ui/popover";
import { Toaster } from "@/components/ui/toast";
import type { SessionListView } from "@/lib/session/contract";

const loadPalette = patiently(() => import("@/components/shell/palette"));
const Palette = dynamic(() => loadPalette().then((module) => module.Palette), { ssr: false });
const ShortcutsHelp = dynamic(
  patiently(() => import("@/components/shell/shortcuts-help").then((module) => module.ShortcutsHelp)),
  {
    ssr: false,
  },
);

/** Fetches what floats above the page once the page itself is done, so that it is there when it is wanted. */
function loadWhenIdle(): () => void {
  const timer = setTimeout(
    // Without a network they are fetched again when they are wanted.
    () => void Promise.allSettled([loadPalette(), loadDialog(), loadMenu(), loadPopover()]),
    IDLE_AFTER_MS,
  );
  return () => clearTimeout(timer);
}
const IDLE_AFTER_MS = 1_500;

/**
 * The frame of every signed-in page. Wide: the sessions at the left, or a rail that brings them back, and the page at
 * the right. Narrow: the page alone; the sessions slide in.
 */
export function AppShell({
  userName,
  look,
  sessions,
  children,
}: {
  userName: string;
  look: Preferences;
  sessions: SessionListView;
  children: ReactNode;
}) {
  const { sessionId = null } = useParams<{ sessionId?: string }>();
  const [above, setAbove] = useState<"sessions" | "palette" | "help" | null>(null);
  const [open, setOpen] = useState(look.sidebar === "open");
  const close = () => setAbove(null);
  const toggle = (next: boolean) => {
    setOpen(next);
    savePreference("sidebar", next ? "open" : "closed");
  };
  const shell = useMemo<Shell>(
    () => ({
      look,
      userName,
      openSessions: () => setAbove("sessions"),
      openPalette: () => setAbove("palette"),
      openHelp: () => setAbove("help"),
    }),
    [look, userName],
  );
  const path = usePathname();
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes what lies above this one
  useEffect(() => setAbove(null), [path]);
  useShortcut("palette", shell.openPalette);
  useShortcut("help", shell.openHelp);
  // Without a list there is no field for it; the palette finds sessions too.
  useShortcut("search", open ? null : shell.openPalette);
  useShortcut("newSession", () => router.push(pagePaths.home));
  useShortcut("toggleSidebar", () => (matchMedia("(width >= 64rem)").matches ? toggle(!open) : shell.openSessions()));
  useSessionNews(sessionId, sessions);
  useEffect(loadWhenIdle, []);
  return (
    <ShellContext value={shell}>
      <SessionQuestions>
        <div
          className={classes(
            "flex h-dvh flex-col lg:grid lg:grid-rows-[minmax(0,1fr)]",
            open ? "lg:grid-cols-[18rem_minmax(0,1fr)]" : "lg:grid-cols-[3.25rem_minmax(0,1fr)]",
          )}
        >
          <aside aria-label="Sidebar" className="flex min-h-0 flex-col border-r border-line bg-surface max-lg:hidden">
            {open ? (
              <Sidebar first={sessions} currentId={sessionId} onCollapse={() => toggle(false)} />
            ) : (
              <SidebarRail onExpand={() => toggle(true)} />
            )}
          </aside>
          <main className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</main>
        </div>
        <Sheet open={above === "sessions"} onClose={close} title="Sessions">
          <Sidebar first={sessions} currentId={sessionId} />
        </Sheet>
        {above === "palette" && <Palette sessionId={sessionId} first={sessions} onClose={close} />}
        {above === "help" && <ShortcutsHelp onClose={close} />}
      </SessionQuestions>
      <ShortcutListener />
      <Toaster />
    </ShellContext>
  );
}
