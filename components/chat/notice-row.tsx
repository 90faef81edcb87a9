import { Icon, type IconName } from "@/components/ui/icon";
import type { TurnView } from "@/lib/chat/contract";

const TONES = {
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  calm: "bg-calm-soft text-calm",
} as const;

/** Words of the system between two messages. */
export function NoticeRow({
  text,
  tone = "warn",
  icon = "alert",
}: {
  text: string;
  tone?: keyof typeof TONES;
  icon?: IconName;
}) {
  return (
    <p className={`flex items-start gap-2 rounded-md px-3 py-2 text-sm break-words whitespace-pre-wrap ${TONES[tone]}`}>
      <Icon name={icon} className="mt-0.5 size-4" />
      <span className="min-w-0">{text}</span>
    </p>
  );
}

const ENDED_WORDS: Partial<Record<TurnView["state"], string>> = {
  failed: "The turn failed.",
  stopped: "Stopped.",
  interrupted: "The turn was interrupted.",
};

/** How a turn ended, unless it ended well. */
export function EndedRow({ turn }: { turn: TurnView }) {
  const words = ENDED_WORDS[turn.state];
  if (!words) return null;
  const text = turn.reason && turn.reason !== words ? `${words} ${turn.reason}` : words;
  if (turn.state === "stopped") return <NoticeRow text={text} tone="calm" icon="stop" />;
  return <NoticeRow text={text} tone={turn.state === "failed" ? "danger" : "warn"} />;
}
