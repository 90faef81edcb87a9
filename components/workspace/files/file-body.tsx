"use client";

import type { ApiFailure } from "@/components/lib/api-client";
import { formatBytes } from "@/components/lib/format";
import { SafeMarkdown } from "@/components/markdown/safe-markdown";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { SkeletonRows } from "@/components/ui/skeleton";
import { CodeView } from "@/components/workspace/files/code-view";
import type { FileKind } from "@/components/workspace/files/file-kind";
import { ImageView } from "@/components/workspace/files/image-view";
import { whyNot } from "@/components/workspace/workspace-words";
import type { FileContentView, SandboxState } from "@/lib/sandbox/contract";

/** The content of a file, or in words why it is not shown. It comes from the sandbox and is not trusted: text stays text. */
export function FileBody({
  path,
  kind,
  content,
  failure,
  source,
  state,
}: {
  path: string;
  kind: FileKind;
  content: FileContentView | undefined;
  failure: ApiFailure | null;
  /** Shows the text of what would be drawn. */
  source: boolean;
  state: SandboxState;
}) {
  if (failure && !content) return <NotShown failure={failure} state={state} />;
  if (!content) {
    return (
      <div className="p-3">
        <SkeletonRows count={12} className="h-4" />
      </div>
    );
  }
  const text = content.encoding === "utf-8";
  if (kind.image && !content.truncated && !(text && source)) {
    const base64 = text ? toBase64(content.content) : content.content;
    return <ImageView name={path} type={kind.image} base64={base64} />;
  }
  if (!text) {
    return (
      <EmptyState icon="file" title={`A binary file of ${formatBytes(content.sizeBytes)}`}>
        It cannot be shown here. Download it to open it on your machine.
      </EmptyState>
    );
  }
  if (content.content === "") return <EmptyState icon="file" title="This file is empty" />;
  if (kind.markdown && !source) {
    return (
      <section
        aria-label={`Content of ${path}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className="scroll-area min-h-0 flex-1 p-4 text-sm focus-visible:-outline-offset-2"
      >
        <SafeMarkdown text={content.content} />
      </section>
    );
  }
  return <CodeView text={content.content} language={kind.language} label={`Content of ${path}`} />;
}

function NotShown({ failure, state }: { failure: ApiFailure; state: SandboxState }) {
  if (failure.code === "asleep") {
    return (
      <EmptyState icon="moon" title="Only the name of this file was kept">
        {whyNot({ state, busy: false }, "read it") ?? "It can be read in a moment."} If it changed in this session, what
        changed is under Changes.
      </EmptyState>
    );
  }
  if (failure.code === "not_found") return <EmptyState icon="file" title="This file is not there any more" />;
  return (
    <div className="p-3">
      <ErrorNote message={failure.message} reference={failure.requestId} />
    </div>
  );
}

function toBase64(text: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
