/** A row of a tree as its keys see it: how deep it lies, and whether it can stand open. */
export interface TreeRow {
  readonly depth: number;
  /** Null for what cannot be opened in place. */
  readonly open: boolean | null;
  /** Whether the row below an open one is its child. */
  readonly hasChildren: boolean;
}

export type TreeMove = { readonly go: number } | { readonly open: boolean } | null;

/** What a key means in a tree (ARIA Authoring Practices, tree view): go to a row, open or fold this one, or nothing. Pure. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove {
  const row = rows[at];
  if (!row) return null;
  const go = (to: number) => (to >= 0 && to < rows.length ? { go: to } : null);
  switch (key) {
    case "ArrowDown":
      return go(at + 1);
    case "ArrowUp":
      return go(at - 1);
    case "Home":
      return go(0);
    case "End":
      return go(rows.length - 1);
    case "ArrowRight":
      if (row.open === false) return { open: true };
      return row.open && row.hasChildren ? go(at + 1) : null;
    case "ArrowLeft":
      return row.open
        ? { open: false }
        : go(rows.findLastIndex((other, index) => index < at && other.depth < row.depth));
    default:
      return null;
  }
}
