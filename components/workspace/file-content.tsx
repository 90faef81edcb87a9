"use client";

import { formatBytes } from "@/components/lib/format";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useFileContent } from "@/components/workspace/use-files";

/** One file as plain text. A binary file is named, never rendered: it comes from the sandbox and is not trusted. */
export function FileContent({
  sessionId,
  path,
  sandboxVersion,
}: {
  sessionId: string;
  path: string;
  sandboxVersion: number;
}) {
  const { content, failure } = useFileContent(sessionId, path, sandboxVersion);
  if (failure) {
    const message =
      failure.code === "asleep" ? "This file was not kept. Resume the sandbox to read it." : failure.message;
    return (
      <div className="p-3">
        <ErrorNote message={message} reference={failure.requestId} />
      </div>
    );
  }
  if (!content) {
    return (
      <div className="p-3">
        <SkeletonRows count={12} className="h-4" />
      </div>
    );
  }
  if (content.encoding === "base64") {
    return <EmptyState icon="file" title={`A binary file of ${formatBytes(content.sizeBytes)}`} />;
  }
  return (
    <>
      <p className="px-3 pt-2 text-xs text-ink-faint">
        {formatBytes(content.sizeBytes)}
        {content.lines !== undefined && ` · ${content.lines} lines`}
        {content.truncated && " · only the beginning is shown"}
      </p>
      <pre className="p-3 font-mono text-xs break-words whitespace-pre-wrap">{content.content}</pre>
    </>
  );
}
