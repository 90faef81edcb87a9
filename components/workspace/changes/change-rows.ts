import type { ChangeNode } from "@/components/workspace/changes/change-tree";
import type { BodyRow, FileBody } from "@/components/workspace/changes/file-rows";
import { isGenerated } from "@/components/workspace/changes/generated";
import type { DiffFile } from "@/lib/sandbox/contract";

/** One row of the list; `path` is the file or folder that it belongs to. Keys stay the same as long as the row does. */
export type ChangeRow = { readonly key: string; readonly path: string; readonly depth: number } & (
  | { readonly type: "folder"; readonly label: string; readonly files: number; readonly open: boolean }
  | {
      readonly type: "file";
      readonly label: string;
      readonly file: DiffFile;
      readonly body: FileBody;
      readonly open: boolean;
    }
  | { readonly type: "body"; readonly row: BodyRow; readonly last: boolean }
);

/** Files of more changed lines are folded at first. */
const MANY_LINES = 300;
/** With more files than this all are folded at first: the overview comes before the detail. */
const MANY_FILES = 8;

/** Whether a file stands open when it is first seen. */
export function opensAtFirst(file: DiffFile, files: number): boolean {
  return files <= MANY_FILES && !isGenerated(file.path) && file.additions + file.deletions <= MANY_LINES;
}

/** The tree as flat rows, in which folded folders hide what they hold and open files show their lines. Pure. */
export function toChangeRows(
  nodes: readonly ChangeNode[],
  isOpen: (path: string) => boolean,
  bodyOf: (file: DiffFile, open: boolean) => FileBody,
  depth = 0,
): ChangeRow[] {
  return nodes.flatMap((node): ChangeRow[] => {
    const { path, label } = node;
    const open = isOpen(path);
    if (node.type === "folder") {
      const head: ChangeRow = { type: "folder", key: `${path}/`, path, depth, label, files: node.files, open };
      return open ? [head, ...toChangeRows(node.children, isOpen, bodyOf, depth + 1)] : [head];
    }
    const body = bodyOf(node.file, open);
    const head: ChangeRow = { type: "file", key: path, path, depth, label, file: node.file, body, open };
    if (!open) return [head];
    const last = body.rows.length - 1;
    return [
      head,
      ...body.rows.map(
        (row, index): ChangeRow => ({ type: "body", key: `${path}:${index}`, path, depth, row, last: index === last }),
      ),
    ];
  });
}
