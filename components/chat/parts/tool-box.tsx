"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { DiffLines } from "@/components/chat/parts/diff-lines";
import { TodoList } from "@/components/chat/parts/todo-list";
import { showDirection } from "@/components/chat/plain-text";
import type { FileHits, ToolBlock } from "@/components/chat/tool-blocks";
import { classes } from "@/components/lib/classes";

/** One box of an opened call. All of it is plain text: it comes from the agent, a repository or a sandbox. */
export function ToolBox({ block }: { block: ToolBlock }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={block.label} className="min-w-0">
      <p className="mb-0.5 text-xs text-ink-faint">{block.label}</p>
      <Body block={block} />
    </div>
  );
}

function Body({ block }: { block: ToolBlock }): ReactNode {
  switch (block.kind) {
    case "text":
      return <TextBox text={block.text} danger={block.tone === "danger"} live={block.live === true} />;
    case "diff":
      return <DiffLines lines={block.lines} />;
    case "hits":
      return <Hits files={block.files} />;
    case "paths":
      return block.paths.length === 0 ? (
        <Nothing>No file has such a name.</Nothing>
      ) : (
        <TextBox text={block.paths.map(showDirection).join("\n")} />
      );
    case "todos":
      return <TodoList todos={block.todos} />;
    case "note":
      return <p className="text-sm break-words text-ink-soft">{block.text}</p>;
  }
}

const BOX =
  "scroll-area max-h-80 rounded-sm bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap focus-visible:-outline-offset-2";

function TextBox({ text, danger = false, live = false }: { text: string; danger?: boolean; live?: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const length = text.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more text is what the box follows
  useEffect(() => {
    const element = box.current;
    if (!live || !element) return;
    // Whoever has scrolled up in it reads there.
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (left < 200) element.scrollTop = element.scrollHeight;
  }, [live, length]);
  return (
    <pre
      ref={box}
      dir="auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className={classes(BOX, danger ? "text-danger" : "text-ink-soft")}
    >
      {text}
    </pre>
  );
}

function Hits({ files }: { files: readonly FileHits[] }) {
  if (files.length === 0) return <Nothing>Nothing was found.</Nothing>;
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="scroll-area max-h-80 rounded-sm bg-sunken p-2 font-mono text-xs text-ink-soft focus-visible:-outline-offset-2"
    >
      {files.map((file) => (
        <div key={file.path} className="not-first:mt-2">
          <p className="font-semibold break-words text-ink">
            <bdi>{showDirection(file.path)}</bdi>
          </p>
          {file.hits.map((hit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hits of one call never move
            <p key={index} className="flex gap-2">
              <span className="w-10 shrink-0 text-right text-ink-faint tabular-nums select-none">{hit.line}</span>
              <span className="min-w-0 break-words whitespace-pre-wrap">{hit.text}</span>
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-sm text-ink-faint">{children}</p>;
}
