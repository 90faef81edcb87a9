import Link from "next/link";
import { endedWords } from "@/components/chat/turn-words";
import { pagePaths } from "@/components/lib/api-paths";
import { Icon, type IconName } from "@/components/ui/icon";
import type { TurnView } from "@/lib/chat/contract";

const TONES = {
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  calm: "bg-calm-soft text-calm",
} as const;

/** Words of the system between two messages, and what the person can do about it. */
export function NoticeRow({
  text,
  next = null,
  inSettings = false,
  tone = "warn",
  icon = "alert",
}: {
  text: string;
  next?: string | null;
  /** Shows the way to Settings. */
  inSettings?: boolean;
  tone?: keyof typeof TONES;
  icon?: IconName;
}) {
  return (
    <div
      className={`flex items-start gap-2 rounded-md px-3 py-2 text-sm break-words whitespace-pre-wrap ${TONES[tone]}`}
    >
      <Icon name={icon} className="mt-0.5 size-4" />
      <div className="min-w-0">
        <p>{text}</p>
        {next && <p className="text-ink-soft">{next}</p>}
        {inSettings && (
          <Link
            href={pagePaths.settings}
            className="inline-flex min-h-6 items-center font-medium text-ink underline underline-offset-2 pointer-coarse:min-h-10"
          >
            Open Settings
          </Link>
        )}
      </div>
    </div>
  );
}

/** How a turn ended, unless it ended well. */
export function EndedRow({ turn }: { turn: TurnView }) {
  const words = endedWords(turn);
  if (!words) return null;
  if (turn.state === "stopped") return <NoticeRow {...words} tone="calm" icon="stop" />;
  return <NoticeRow {...words} tone={turn.state === "failed" ? "danger" : "warn"} />;
}
