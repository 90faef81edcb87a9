import type { DiffFile } from "@/lib/sandbox/contract";

export interface FolderNode {
  readonly type: "folder";
  readonly path: string;
  /** Its name, with those of the folders that hold nothing but it: `src/ui`. */
  readonly label: string;
  readonly files: number;
  readonly children: readonly ChangeNode[];
}

export interface FileNode {
  readonly type: "file";
  readonly path: string;
  readonly label: string;
  readonly file: DiffFile;
}

export type ChangeNode = FolderNode | FileNode;

interface Draft {
  readonly folders: Map<string, Draft>;
  readonly files: DiffFile[];
}

/**
 * The changed files as a tree: folders before files, each by name, so that a file has its place whatever else changes.
 * A folder that holds nothing but one folder is one with it. Pure.
 */
export function toChangeTree(files: readonly DiffFile[]): ChangeNode[] {
  const root: Draft = { folders: new Map(), files: [] };
  for (const file of files) {
    let draft = root;
    for (const name of file.path.split("/").slice(0, -1)) {
      const next: Draft = draft.folders.get(name) ?? { folders: new Map(), files: [] };
      draft.folders.set(name, next);
      draft = next;
    }
    draft.files.push(file);
  }
  return nodesOf(root, "");
}

function nodesOf(draft: Draft, prefix: string): ChangeNode[] {
  const folders = [...draft.folders].sort(([one], [two]) => byName(one, two));
  const files = [...draft.files].sort((one, two) => byName(one.path, two.path));
  return [
    ...folders.map(([name, folder]) => folderNode(folder, prefix, name)),
    ...files.map((file): FileNode => ({ type: "file", path: file.path, label: nameOf(file.path), file })),
  ];
}

function folderNode(draft: Draft, prefix: string, name: string): FolderNode {
  let label = name;
  let inner = draft;
  for (
    let [only] = inner.folders;
    only && inner.folders.size === 1 && inner.files.length === 0;
    [only] = inner.folders
  ) {
    label = `${label}/${only[0]}`;
    inner = only[1];
  }
  const path = `${prefix}${label}`;
  const children = nodesOf(inner, `${path}/`);
  const count = children.reduce((sum, node) => sum + (node.type === "file" ? 1 : node.files), 0);
  return { type: "folder", path, label, files: count, children };
}

function byName(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
