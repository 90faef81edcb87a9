import { endedWords } from "@/components/chat/turn-words";
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
  tone = "warn",
  icon = "alert",
}: {
  text: string;
  next?: string | null;
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
