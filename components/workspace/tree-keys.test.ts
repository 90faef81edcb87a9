import { expect, test } from "vitest";
import { treeMove } from "@/components/workspace/tree-keys";

const rows = [
  { depth: 0, open: true, hasChildren: true },
  { depth: 1, open: false, hasChildren: true },
  { depth: 1, open: null, hasChildren: false },
  { depth: 0, open: null, hasChildren: false },
];

test.each([
  ["ArrowDown", 0, { go: 1 }],
  ["ArrowDown", 3, null],
  ["ArrowUp", 1, { go: 0 }],
  ["ArrowUp", 0, null],
  ["Home", 2, { go: 0 }],
  ["End", 0, { go: 3 }],
  ["ArrowRight", 0, { go: 1 }],
  ["ArrowRight", 1, { open: true }],
  ["ArrowRight", 2, null],
  ["ArrowLeft", 0, { open: false }],
  ["ArrowLeft", 1, { go: 0 }],
  ["ArrowLeft", 2, { go: 0 }],
  ["ArrowLeft", 3, null],
  ["Tab", 0, null],
] as const)("%s on row %i", (key, at, move) => {
  expect(treeMove(key, rows, at)).toEqual(move);
});
