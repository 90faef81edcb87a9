import { expect, it } from "vitest";
import { benchTable, meetsAim } from "./bench-table.mjs";

const row = { name: "x", baseline: "y", ours: 30, theirs: 10, unit: "ms", runs: 5 };

it("a ratio is ours divided by theirs, or turned round where more is better", () => {
  expect(meetsAim({ ...row, aim: 3 })).toBe(true);
  expect(meetsAim({ ...row, aim: 2.9 })).toBe(false);
  expect(meetsAim({ ...row, ours: 1, quicker: true, aim: 10 })).toBe(true);
  expect(meetsAim({ ...row, ours: 1.1, quicker: true, aim: 10 })).toBe(false);
  expect(meetsAim(row)).toBeNull();
});

it("without a baseline the value itself is held against the aim", () => {
  expect(meetsAim({ name: "m", ours: 14, unit: "MB", runs: 1, aim: 15 })).toBe(true);
  expect(meetsAim({ name: "m", ours: 16, unit: "MB", runs: 1, aim: 15 })).toBe(false);
});

it("says plainly which aim was missed", () => {
  const table = benchTable([
    { ...row, aim: 2 },
    { name: "m", ours: 14, unit: "MB", runs: 1, aim: 15 },
  ]);
  expect(table).toMatch(/3\.0× .*30 ms .*10 ms: y .*≤ 2× missed/);
  expect(table).toMatch(/14 MB .*≤ 15 MB ✓/);
});
