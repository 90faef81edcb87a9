"use client";

import { useState } from "react";
import { isUnsettled, type ToolPart as ToolPartShape } from "@/components/chat/message-types";
import { QuestionPart } from "@/components/chat/parts/question";
import { toolLine, toolOutcome, toolSections } from "@/components/chat/tool-words";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";

/** One call of a tool: a line, and on demand what went in and what came out. All of it is shown as plain text. */
export function ToolPart({ part, live }: { part: ToolPartShape; live: boolean }) {
  const name = part.type.slice("tool-".length);
  if (name === "ask_user_question") return <QuestionPart part={part} live={live} />;
  return <ToolCall name={name} part={part} live={live} />;
}

function ToolCall({ name, part, live }: { name: string; part: ToolPartShape; live: boolean }) {
  // What is closed is not rendered: outputs are long, and there are hundreds of them.
  const [open, setOpen] = useState(false);
  const line = toolLine(name, part.input);
  const running = isUnsettled(part) && live;
  const outcome = part.state === "output-error" ? { text: "failed", failed: true } : toolOutcome(part.output);
  return (
    <div className="rounded-md border border-line bg-surface">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 text-left text-sm hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="text-ink-faint">{running ? <Spinner className="size-4" /> : <Icon name={line.icon} />}</span>
        <span className="shrink-0 font-medium text-ink-soft">{line.verb}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs text-ink-soft">{line.subject}</span>
        <span className={classes("shrink-0 text-xs", outcome?.failed ? "text-danger" : "text-ink-faint")}>
          {running ? "running" : outcome?.text}
        </span>
        <Icon name="chevron" className={classes("size-3.5 text-ink-faint", open && "rotate-90")} />
      </button>
      {open && (
        <div className="flex flex-col gap-2 border-t border-line p-2.5">
          {toolSections(name, part.input, part.output, part.errorText, part.liveOutput).map((section) => (
            <section key={section.label} aria-label={section.label}>
              <h4 className="text-xs text-ink-faint">{section.label}</h4>
              <pre
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
                tabIndex={0}
                className={classes(
                  "scroll-area mt-0.5 max-h-72 rounded-sm bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap",
                  section.tone === "danger" ? "text-danger" : "text-ink-soft",
                )}
              >
                {section.text}
              </pre>
            </section>
          ))}
        </div>
      )}
    </div>
  );
}
