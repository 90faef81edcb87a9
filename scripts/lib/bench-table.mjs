// The table of `npm run bench`. Pure.

/** @typedef {import("../../tests/bench/measure").Row} Row */

const figure = (/** @type {number} */ value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));

/** @param {Row} row @returns {number | null} what is held against the aim; null where it is the absolute value */
export function ratioOf({ ours, theirs, quicker }) {
  if (theirs === undefined) return null;
  return quicker ? theirs / ours : ours / theirs;
}

/** @param {Row} row @returns {boolean | null} whether the aim is met; null when there is none */
export function meetsAim(row) {
  if (row.aim === undefined) return null;
  const value = ratioOf(row) ?? row.ours;
  return row.quicker ? value >= row.aim : value <= row.aim;
}

/** @param {Row[]} rows @returns {string} a Markdown table */
export function benchTable(rows) {
  const lines = rows.map((row) => {
    const ratio = ratioOf(row);
    const met = meetsAim(row);
    const aim =
      row.aim === undefined ? "" : `${row.quicker ? "≥" : "≤"} ${row.aim}${ratio === null ? ` ${row.unit}` : "×"}`;
    return [
      row.name,
      ratio === null ? "" : `${figure(ratio)}×${row.quicker ? " quicker" : ""}`,
      `${figure(row.ours)} ${row.unit}`,
      row.theirs === undefined ? (row.note ?? "") : `${figure(row.theirs)} ${row.unit}: ${row.baseline}`,
      met === null ? aim : `${aim} ${met ? "✓" : "missed"}`,
      String(row.runs),
    ];
  });
  const head = ["What", "Ratio", "Dormouse", "Baseline", "Aim", "Runs"];
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  const print = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [print(head), print(widths.map((width) => "-".repeat(width))), ...lines.map(print)].join("\n");
}
