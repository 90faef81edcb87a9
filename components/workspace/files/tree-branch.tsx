"use client";

import { ErrorNote } from "@/components/ui/error-note";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TreeItem } from "@/components/workspace/files/tree-item";
import { useFiles } from "@/components/workspace/files/use-files";
import type { TreeState } from "@/components/workspace/files/use-tree";

/** What lies in one open folder, folders first. */
export function Branch({
  sessionId,
  path,
  level,
  sandboxVersion,
  tree,
}: {
  sessionId: string;
  path: string;
  level: number;
  sandboxVersion: number;
  tree: TreeState;
}) {
  const { files, failure } = useFiles(sessionId, path, sandboxVersion);
  if (!files && failure?.code === "asleep") return <Note level={level}>What is in it is not known yet.</Note>;
  if (!files && failure) return <ErrorNote message={failure.message} reference={failure.requestId} />;
  if (!files) return <SkeletonRows count={level === 1 ? 6 : 2} className="h-6" />;
  if (files.entries.length === 0) return <Note level={level}>{level === 1 ? "The workspace is empty." : "Empty"}</Note>;
  const folders = files.entries.filter(({ type }) => type === "directory");
  const others = files.entries.filter(({ type }) => type !== "directory");
  return [...folders, ...others].map((entry, index) => (
    <TreeItem
      key={entry.path}
      entry={entry}
      level={level}
      tree={tree}
      tabbable={tree.active === null ? level === 1 && index === 0 : tree.active === entry.path}
    >
      <Branch sessionId={sessionId} path={entry.path} level={level + 1} sandboxVersion={sandboxVersion} tree={tree} />
    </TreeItem>
  ));
}

function Note({ level, children }: { level: number; children: string }) {
  return (
    <p style={{ paddingLeft: `${level * 0.875 + 1}rem` }} className="py-1 text-xs text-ink-faint">
      {children}
    </p>
  );
}
