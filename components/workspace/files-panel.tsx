"use client";

import { useState } from "react";
import { formatBytes } from "@/components/lib/format";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { Icon } from "@/components/ui/icon";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { FileContent } from "@/components/workspace/file-content";
import { UploadBar } from "@/components/workspace/upload-bar";
import { useFiles } from "@/components/workspace/use-files";
import type { FilesView } from "@/lib/sandbox/contract";

/** The workspace, folder by folder, the file that is open, and the way in for uploads. */
export function FilesPanel({
  sessionId,
  sandboxVersion,
  readOnly,
}: {
  sessionId: string;
  sandboxVersion: number;
  readOnly: boolean;
}) {
  const [folder, setFolder] = useState("");
  const [file, setFile] = useState<string | null>(null);
  const openFolder = (path: string) => {
    setFolder(path);
    setFile(null);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Crumbs path={file ?? folder} onOpen={openFolder} />
      <div className="scroll-area min-h-0 flex-1">
        {file === null ? (
          <Folder
            sessionId={sessionId}
            path={folder}
            sandboxVersion={sandboxVersion}
            onOpenFolder={openFolder}
            onOpenFile={setFile}
          />
        ) : (
          <FileContent sessionId={sessionId} path={file} sandboxVersion={sandboxVersion} />
        )}
      </div>
      {!readOnly && <UploadBar sessionId={sessionId} folder={folder} />}
    </div>
  );
}

function Crumbs({ path, onOpen }: { path: string; onOpen: (path: string) => void }) {
  const names = path.split("/").filter(Boolean);
  return (
    <nav aria-label="Path" className="scroll-area flex min-h-10 items-center gap-0.5 border-b border-line px-2 text-sm">
      <button type="button" onClick={() => onOpen("")} className="min-h-8 shrink-0 rounded-md px-1.5 hover:bg-hover">
        workspace
      </button>
      {names.map((name, index) => {
        const target = names.slice(0, index + 1).join("/");
        const last = index === names.length - 1;
        return (
          <span key={target} className="flex shrink-0 items-center gap-0.5">
            <span className="text-ink-faint">/</span>
            {last ? (
              <span aria-current="page" className="px-1.5 font-medium">
                {name}
              </span>
            ) : (
              <button type="button" onClick={() => onOpen(target)} className="min-h-8 rounded-md px-1.5 hover:bg-hover">
                {name}
              </button>
            )}
          </span>
        );
      })}
    </nav>
  );
}

type Entry = FilesView["entries"][number];

function Folder({
  sessionId,
  path,
  sandboxVersion,
  onOpenFolder,
  onOpenFile,
}: {
  sessionId: string;
  path: string;
  sandboxVersion: number;
  onOpenFolder: (path: string) => void;
  onOpenFile: (path: string) => void;
}) {
  const { files, failure } = useFiles(sessionId, path, sandboxVersion);
  if (failure) {
    return (
      <div className="p-3">
        <ErrorNote message={failure.message} reference={failure.requestId} />
      </div>
    );
  }
  if (!files) {
    return (
      <div className="p-3">
        <SkeletonRows count={6} />
      </div>
    );
  }
  const open = (entry: Entry) => (entry.type === "directory" ? onOpenFolder(entry.path) : onOpenFile(entry.path));
  return (
    <>
      {files.asleep && (
        <p className="px-3 pt-2 text-xs text-ink-faint">
          As it was <RelativeTime iso={files.takenAt} suffix=" ago" />, before the sandbox fell asleep.
        </p>
      )}
      {files.entries.length === 0 && <EmptyState icon="folder" title="This folder is empty" />}
      <ul className="p-1.5">
        {files.entries.map((entry) => (
          <li key={entry.path}>
            <button
              type="button"
              onClick={() => open(entry)}
              className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
            >
              <Icon
                name={entry.type === "directory" ? "folder" : "file"}
                className={`size-4 ${entry.type === "directory" ? "text-accent" : "text-ink-faint"}`}
              />
              <span className="min-w-0 flex-1 truncate">{entry.name}</span>
              {entry.type === "file" && (
                <span className="shrink-0 text-xs text-ink-faint tabular-nums">{formatBytes(entry.sizeBytes)}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
