"use client";

import { useState } from "react";
import { apiPaths } from "@/components/lib/api-paths";
import { formatBytes } from "@/components/lib/format";
import { Button } from "@/components/ui/button";
import { DownloadLink } from "@/components/workspace/files/download-link";
import { FileBody } from "@/components/workspace/files/file-body";
import { fileKind } from "@/components/workspace/files/file-kind";
import { useFileContent } from "@/components/workspace/files/use-files";
import { visibleText } from "@/components/workspace/visible-text";
import type { FileContentView, SandboxView } from "@/lib/sandbox/contract";

/** One file: its name and size, what can be done with it, and its content as it reads best. */
export function FileView({
  sessionId,
  path,
  sandbox,
  onClose,
}: {
  sessionId: string;
  path: string;
  sandbox: SandboxView;
  onClose: () => void;
}) {
  const { content, failure } = useFileContent(sessionId, path, sandbox.version);
  const [source, setSource] = useState(false);
  const kind = fileKind(path);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const name = path.slice(folder.length);
  const drawn = content?.encoding === "utf-8" && (kind.markdown || kind.image === "image/svg+xml");
  return (
    <section aria-label={`File ${name}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-10 items-center gap-1 border-b border-line pr-1 pl-1">
        <Button variant="ghost" icon="back" iconOnly onClick={onClose}>
          Back to the files
        </Button>
        <div title={path} className="min-w-0 flex-1 text-sm">
          <bdi className="block truncate font-medium">{visibleText(name)}</bdi>
          <span className="block min-h-4.5 truncate text-xs text-ink-faint">{content && sizeWords(content)}</span>
        </div>
        {drawn && (
          <Button variant="ghost" icon={source ? "eye" : "file-text"} onClick={() => setSource(!source)}>
            {source ? "Preview" : "Source"}
          </Button>
        )}
        {sandbox.state === "active" && (
          <DownloadLink href={apiPaths.download(sessionId, path)} label={`Download ${name}`} />
        )}
      </header>
      <FileBody path={path} kind={kind} content={content} failure={failure} source={source} state={sandbox.state} />
    </section>
  );
}

function sizeWords(content: FileContentView): string {
  const lines = content.lines === undefined ? "" : ` · ${content.lines === 1 ? "1 line" : `${content.lines} lines`}`;
  return content.truncated
    ? `${formatBytes(content.sizeBytes)} · the first ${formatBytes(1024 * 1024)} are shown`
    : `${formatBytes(content.sizeBytes)}${lines}`;
}
