"use client";

import { formatMoney, formatTokens } from "@/components/settings/figures";
import { UsageTable } from "@/components/settings/usage-table";
import { useUsage } from "@/components/settings/use-usage";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import type { DailyUsageView, UsageTotals } from "@/lib/usage/contract";

/** Tokens and money of the last days: in all, by day and by model. */
export function UsagePanel({ days, first }: { days: number; first: DailyUsageView | null }) {
  const { usage, failure } = useUsage(days, first);
  if (failure) return <ErrorNote message={failure.message} reference={failure.requestId} />;
  if (!usage) return <p className="text-sm text-ink-faint">Loading what was used…</p>;
  if (usage.total.calls === 0)
    return (
      <EmptyState icon="dash" title={`No model was asked in the last ${days} days`}>
        Once a turn has run, its tokens and what they cost stand here.
      </EmptyState>
    );
  return (
    <div className="flex flex-col gap-6">
      <Totals total={usage.total} />
      <UsageTable caption="By day (UTC)" head="Day" rows={usage.days.map((row) => ({ ...row, name: row.day }))} />
      <UsageTable caption="By model" head="Model" rows={usage.byModel.map((row) => ({ ...row, name: row.model }))} />
      <Remarks total={usage.total} />
    </div>
  );
}

function Totals({ total }: { total: UsageTotals }) {
  const figures = [
    { name: "Cost", value: formatMoney(total.costUsd) },
    { name: "Input", value: formatTokens(total.inputTokens) },
    { name: "From cache", value: formatTokens(total.cacheReadTokens) },
    { name: "Output", value: formatTokens(total.outputTokens) },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(({ name, value }) => (
        <div key={name} className="rounded-lg border border-line bg-surface px-4 py-3">
          <dt className="text-xs text-ink-faint">{name}</dt>
          <dd className="text-lg font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Remarks({ total }: { total: UsageTotals }) {
  const remarks = [
    total.unpriced > 0
      ? `${total.unpriced} of ${total.calls} calls have no known price and are not in the cost.`
      : null,
    total.estimated > 0
      ? `${total.estimated} calls were stopped or broke off before the provider counted them; theirs is an estimate.`
      : null,
  ].filter((remark) => remark !== null);
  if (remarks.length === 0) return null;
  return <p className="text-xs text-ink-faint">{remarks.join(" ")}</p>;
}
