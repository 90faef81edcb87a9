"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { type ReactNode, useDeferredValue, useState } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { repoLabel } from "@/components/lib/format";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { useAskSession } from "@/components/session/session-questions";
import { useSandboxStatus } from "@/components/session/use-sandbox-status";
import { useSession } from "@/components/session/use-session";
import { useSessionActions } from "@/components/session/use-session-actions";
import { useSessions } from "@/components/session/use-sessions";
import { THEME_CHOICES, useTheme } from "@/components/settings/theme";
import { useShell } from "@/components/shell/shell-context";
import { SHORTCUTS } from "@/components/shell/shortcuts";
import { TONE_TEXT } from "@/components/ui/chip";
import { Dialog } from "@/components/ui/dialog";
import { Icon, type IconName } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { notifyFailure } from "@/components/ui/toast";
import type { SessionListView } from "@/lib/session/contract";

/** Everything by its name: sessions, what can be done with the one in view, and the settings. */
export function Palette({
  sessionId,
  first,
  onClose,
}: {
  sessionId: string | null;
  first: SessionListView;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState("");
  const then = (run: () => unknown) => () => {
    onClose();
    run();
  };
  return (
    <Dialog open onClose={onClose} title="Find a session or a command" hideTitle wide bare>
      <Command label="Find a session or a command" loop>
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Icon name="search" className="size-4 text-ink-faint" />
          <Command.Input
            value={typed}
            onValueChange={setTyped}
            placeholder="Find a session or a command"
            maxLength={200}
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
          />
          <Kbd keys="esc" />
        </div>
        <Command.List className="scroll-area h-[min(24rem,60dvh)] p-2">
          <Command.Empty className="px-3 py-8 text-center text-sm text-ink-faint">
            Nothing is called that. Archived sessions are in their tab of the list.
          </Command.Empty>
          {sessionId && <SessionCommands sessionId={sessionId} then={then} />}
          <Sessions q={typed} currentId={sessionId} first={first} then={then} />
          <GeneralCommands then={then} />
        </Command.List>
      </Command>
    </Dialog>
  );
}

type Then = (run: () => unknown) => () => void;

function Sessions({
  q,
  currentId,
  first,
  then,
}: {
  q: string;
  currentId: string | null;
  first: SessionListView;
  then: Then;
}) {
  const router = useRouter();
  const { sessions } = useSessions("active", useDeferredValue(q.trim()), first);
  const others = (sessions ?? []).filter((session) => session.id !== currentId).slice(0, 20);
  if (others.length === 0) return null;
  return (
    <Group heading="Go to">
      {others.map((session) => (
        <Command.Item
          key={session.id}
          value={session.id}
          keywords={[session.title, session.repo?.url ?? "", session.repo?.branch ?? ""]}
          onSelect={then(() =>
            router.push(session.chatId ? pagePaths.chat(session.id, session.chatId) : pagePaths.session(session.id)),
          )}
          className={itemClass}
        >
          <span
            title={SANDBOX_WORDS[session.sandboxState].label}
            className={`mx-1 size-2 shrink-0 rounded-full bg-current ${TONE_TEXT[SANDBOX_WORDS[session.sandboxState].tone]}`}
          />
          <span className="min-w-0 flex-1 truncate">
            <bdi>{session.title}</bdi>
          </span>
          <bdi className="max-w-48 truncate text-xs text-ink-faint max-sm:hidden">
            {session.repo ? repoLabel(session.repo.url) : ""}
          </bdi>
        </Command.Item>
      ))}
    </Group>
  );
}

function SessionCommands({ sessionId, then }: { sessionId: string; then: Then }) {
  const session = useSession(sessionId);
  const sandbox = useSandboxStatus(sessionId);
  const actions = useSessionActions(sessionId, notifyFailure);
  const ask = useAskSession();
  if (!session || !sandbox) return null;
  const archived = session.status === "archived";
  return (
    <Group heading="This session">
      {!archived && sandbox.state === "hibernated" && (
        <Item icon="play" label="Resume" onSelect={then(actions.resume)} />
      )}
      {!archived && sandbox.state === "active" && (
        <Item
          icon="moon"
          label="Pause now"
          onSelect={then(() => (sandbox.busy ? ask("hibernate", session) : actions.hibernate(false)))}
        />
      )}
      {!archived && (
        <Item icon="chat" label="New chat" keys={SHORTCUTS.newChat.keys} onSelect={then(actions.newChat)} />
      )}
      <Item icon="pencil" label="Rename" onSelect={then(() => ask("rename", session))} />
      {archived ? (
        <Item icon="unarchive" label="Unarchive" onSelect={then(actions.unarchive)} />
      ) : (
        <Item icon="archive" label="Archive" onSelect={then(() => ask("archive", session))} />
      )}
      <Item icon="trash" label="Delete" onSelect={then(() => ask("remove", session))} />
    </Group>
  );
}

function GeneralCommands({ then }: { then: Then }) {
  const router = useRouter();
  const { openHelp } = useShell();
  const { theme, setTheme } = useTheme();
  return (
    <>
      <Group heading="General">
        <Item
          icon="plus"
          label="New session"
          keys={SHORTCUTS.newSession.keys}
          onSelect={then(() => router.push(pagePaths.home))}
        />
        <Item icon="sliders" label="Settings" onSelect={then(() => router.push(pagePaths.settings))} />
        <Item icon="keyboard" label="Keyboard shortcuts" keys={SHORTCUTS.help.keys} onSelect={then(openHelp)} />
      </Group>
      <Group heading="Theme">
        {THEME_CHOICES.filter((choice) => choice.value !== theme).map((choice) => (
          <Item
            key={choice.value}
            icon={choice.icon}
            label={`Theme: ${choice.label}`}
            onSelect={then(() => setTheme(choice.value))}
          />
        ))}
      </Group>
    </>
  );
}

const itemClass =
  "flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2 text-sm select-none data-[selected=true]:bg-hover pointer-coarse:min-h-11";

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 **:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-ink-faint"
    >
      {children}
    </Command.Group>
  );
}

function Item({ icon, label, keys, onSelect }: { icon: IconName; label: string; keys?: string; onSelect: () => void }) {
  return (
    <Command.Item value={label} onSelect={onSelect} className={itemClass}>
      <Icon name={icon} className="size-4 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys && <Kbd keys={keys} />}
    </Command.Item>
  );
}
