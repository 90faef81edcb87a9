"use client";

import { useRef } from "react";
import { apiPaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { DropVeil } from "@/components/workspace/files/drop-veil";
import { FileTree } from "@/components/workspace/files/file-tree";
import { FileView } from "@/components/workspace/files/file-view";
import { FolderBar } from "@/components/workspace/files/folder-bar";
import { UploadResults } from "@/components/workspace/files/upload-results";
import { useDrop } from "@/components/workspace/files/use-drop";
import { useFiles } from "@/components/workspace/files/use-files";
import { useTree } from "@/components/workspace/files/use-tree";
import { type Picked, useUploads } from "@/components/workspace/files/use-uploads";
import { StatusLine } from "@/components/workspace/status-line";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

/** The files of the workspace and the one that is open: beside each other where there is room, else one after the other. */
export function Files({ session, sandbox }: { session: SessionView; sandbox: SandboxView }) {
  const tree = useTree();
  const { files } = useFiles(session.id, "", sandbox.version);
  const { uploads, upload, clear } = useUploads(session.id);
  const before = useRef<HTMLDivElement>(null);
  // Before the sandbox is ready files wait for it; asleep there is nothing to put them into.
  const takes = sandbox.state === "active" || sandbox.state === "provisioning" || sandbox.state === "restoring";
  const send = (picked: Picked[]) => upload(picked, tree.folder);
  const { over, target } = useDrop((picked) => takes && send(picked));
  const close = () => {
    tree.closeFile();
    requestAnimationFrame(() => before.current?.querySelector<HTMLElement>("[role=treeitem][tabindex='0']")?.focus());
  };
  return (
    <div className="@container relative flex min-h-0 flex-1 flex-col" {...target}>
      <div className="flex min-h-0 flex-1">
        <div
          ref={before}
          className={classes(
            "min-h-0 min-w-0 flex-1 flex-col @2xl:flex @2xl:max-w-72 @2xl:border-r @2xl:border-line",
            tree.file === null ? "flex" : "hidden",
          )}
        >
          <StatusLine sessionId={session.id} state={sandbox.state} panel="files" takenAt={files?.takenAt}>
            {files &&
              (files.entries.length === 1
                ? "1 entry in the workspace"
                : `${files.entries.length} entries in the workspace`)}
          </StatusLine>
          <FileTree sessionId={session.id} sandboxVersion={sandbox.version} tree={tree} />
          {uploads.length > 0 && <UploadResults uploads={uploads} onClear={clear} />}
          {session.status !== "archived" && (
            <FolderBar
              folder={tree.folder}
              takes={takes}
              downloadHref={sandbox.state === "active" ? apiPaths.download(session.id, tree.folder) : null}
              onPick={send}
            />
          )}
        </div>
        {tree.file !== null && (
          <FileView key={tree.file} sessionId={session.id} path={tree.file} sandbox={sandbox} onClose={close} />
        )}
      </div>
      {over && <DropVeil folder={tree.folder} takes={takes} />}
    </div>
  );
}
