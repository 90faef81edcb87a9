"use client";

import { type ComponentType, lazy, Suspense } from "react";

interface MarkdownProps {
  readonly text: string;
  /** Whether the text is still being written. */
  readonly live?: boolean;
}

/** Kept out of the first load of a page: the parser is larger than all the rest of the chat. */
const load = () => import("@/components/markdown/safe-markdown");
const LazyMarkdown = lazy(async (): Promise<{ default: ComponentType<MarkdownProps> }> => {
  try {
    return { default: (await load()).SafeMarkdown };
  } catch {
    // Readable without: a chat does not fail for want of its looks.
    return { default: PlainText };
  }
});
/** Set in the browser only, after hydration: from then on nothing has to wait for it, not even for a moment. */
let loaded: ComponentType<MarkdownProps> | null = null;

/** Fetches the parser; never fails, since text can stay plain. */
export async function preloadMarkdown(): Promise<void> {
  try {
    loaded = (await load()).SafeMarkdown;
  } catch {
    loaded = null;
  }
}

export function isMarkdownReady(): boolean {
  return loaded !== null;
}

/**
 * Formatted text of the agent: plain until the parser is there, in the same type and with the same line breaks, so that
 * hardly anything moves when it comes. In a page that the server rendered it is formatted from the start.
 */
export function Markdown({ text, live = false }: MarkdownProps) {
  const Loaded = loaded;
  if (Loaded) return <Loaded text={text} live={live} />;
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <LazyMarkdown text={text} live={live} />
    </Suspense>
  );
}

function PlainText({ text }: MarkdownProps) {
  return (
    <div className="markdown">
      <p>{text}</p>
    </div>
  );
}
