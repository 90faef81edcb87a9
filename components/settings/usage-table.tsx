import { formatMoney, formatTokens } from "@/components/settings/figures";
import type { UsageTotals } from "@/lib/usage/contract";

const NUMBER = "px-3 py-2 text-right whitespace-nowrap tabular-nums max-sm:px-2";
/** Of the figures the one that a phone can do without. */
const CACHED = `${NUMBER} max-sm:hidden`;

/** Tokens and money, one row a day or a model. It scrolls sideways by itself when it is wider than the page. */
export function UsageTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: string;
  rows: readonly (UsageTotals & { readonly name: string })[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full text-sm">
        <caption className="border-b border-line px-3 py-2.5 text-left font-medium">{caption}</caption>
        <thead className="text-xs text-ink-faint">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-medium">
              {head}
            </th>
            {["Input", "Cached", "Output", "Cost"].map((name) => (
              <th key={name} scope="col" className={`${name === "Cached" ? CACHED : NUMBER} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-t border-line">
              <th scope="row" className="px-3 py-2 text-left font-normal wrap-anywhere">
                {row.name}
              </th>
              <td className={NUMBER}>{formatTokens(row.inputTokens)}</td>
              <td className={CACHED}>{formatTokens(row.cacheReadTokens)}</td>
              <td className={NUMBER}>{formatTokens(row.outputTokens)}</td>
              <td className={NUMBER}>{formatMoney(row.costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
