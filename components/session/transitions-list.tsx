"use client";

import { eventWords, SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { useTransitions } from "@/components/session/use-sandbox-status";
import { TONE_TEXT } from "@/components/ui/chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";

/** Every change of the sandbox's state, newest first, with what caused it. */
export function TransitionsList({ sessionId, version }: { sessionId: string; version: number }) {
  const { transitions, failed } = useTransitions(sessionId, version);
  if (failed && !transitions) return <p className="text-sm text-ink-faint">The history cannot be read just now.</p>;
  if (!transitions) return <SkeletonRows count={4} className="h-10" />;
  if (transitions.length === 0) return <p className="text-sm text-ink-faint">Nothing has happened yet.</p>;
  return (
    <ol className="flex flex-col">
      {transitions.map((entry) => (
        <li key={entry.version} className="flex gap-2.5 py-1.5 text-sm">
          <span
            className={`mt-1.5 size-2 shrink-0 rounded-full bg-current ${TONE_TEXT[SANDBOX_WORDS[entry.to].tone]}`}
          />
          <span className="min-w-0 flex-1">
            <span className="font-medium">{SANDBOX_WORDS[entry.to].label}</span>
            <span className="block text-xs break-words text-ink-faint">{eventWords(entry)}</span>
          </span>
          <span className="shrink-0 text-xs text-ink-faint tabular-nums">
            <RelativeTime iso={entry.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}
