"use client";

import { useKept } from "@/components/chat/kept-state";
import { isUnsettled, type ToolPart as ToolPartShape } from "@/components/chat/message-types";
import { QuestionPart } from "@/components/chat/parts/question";
import { ToolBox } from "@/components/chat/parts/tool-box";
import { toolBlocks } from "@/components/chat/tool-blocks";
import { toolLine, toolOutcome } from "@/components/chat/tool-words";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";

/** One call of a tool: a line that reads at a glance, and on demand all that went in and came out. */
export function ToolPart({ part, live }: { part: ToolPartShape; live: boolean }) {
  const name = part.type.slice("tool-".length);
  if (name === "ask_user_question") return <QuestionPart part={part} live={live} />;
  return <ToolCard name={name} part={part} live={live} />;
}

function ToolCard({ name, part, live }: { name: string; part: ToolPartShape; live: boolean }) {
  // What is closed is not rendered: outputs are long, and there are hundreds of them.
  const [open, setOpen] = useKept(`open ${part.toolCallId}`, false);
  const line = toolLine(name, part.input);
  const running = isUnsettled(part) && live;
  const outcome = toolOutcome(name, part);
  return (
    <div className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
      >
        <span className={outcome?.failed ? "text-danger" : "text-ink-faint"}>
          {running ? <Spinner className="size-4" /> : <Icon name={line.icon} />}
        </span>
        <span className="shrink-0 font-medium text-ink-soft">{line.verb}</span>
        <bdi className="min-w-0 flex-1 truncate font-mono text-xs text-ink-soft" title={line.subject}>
          {line.subject}
        </bdi>
        <span className={classes("shrink-0 text-xs tabular-nums", outcome?.failed ? "text-danger" : "text-ink-faint")}>
          {running ? "running" : outcome?.text}
        </span>
        <Icon name="chevron" className={classes("size-3.5 text-ink-faint", open && "rotate-90")} />
      </button>
      {open && (
        <div className="flex flex-col gap-2.5 border-t border-line p-2.5">
          {toolBlocks(name, part).map((block) => (
            <ToolBox key={block.label} block={block} />
          ))}
        </div>
      )}
    </div>
  );
}
