import type { ReactNode } from "react";
import { type ContextShare, contextShare, costWords, limitWords, stepWords } from "@/components/session/usage-words";
import { formatTokens } from "@/components/settings/figures";
import type { ModelInfo } from "@/lib/model/contract";
import type { SessionUsageView } from "@/lib/usage/contract";

/** Tokens, money, how full the model's window is, and the limits of a session. `children` stand with the limits. */
export function UsageFacts({
  usage,
  models,
  children,
}: {
  usage: SessionUsageView;
  models: readonly ModelInfo[];
  children?: ReactNode;
}) {
  const { total, steps, limits } = usage;
  const context = contextShare(usage.lastStep, models);
  return (
    <dl className="grid grid-cols-[4.25rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-sm tabular-nums">
      <Fact name="Tokens">
        {formatTokens(total.inputTokens)} in, {formatTokens(total.outputTokens)} out
        <span className="block text-ink-faint">
          {formatTokens(total.cacheReadTokens)} of the input from the cache, {stepWords(steps)}
        </span>
      </Fact>
      <Fact name="Cost">
        {costWords(total)}
        {total.estimated > 0 && <span className="text-ink-faint">, partly estimated</span>}
      </Fact>
      <Fact name="Context">{context ? <ContextMeter {...context} /> : "empty"}</Fact>
      <Fact name="Limits">
        {limitWords(limits)}
        {children && <div className="-ml-2.5">{children}</div>}
      </Fact>
    </dl>
  );
}

function ContextMeter({ share, words }: ContextShare) {
  return (
    <>
      {words}
      {share !== null && (
        <svg
          role="presentation"
          aria-hidden="true"
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          className="mt-1 block h-1 w-full max-w-48 rounded-full bg-sunken"
        >
          <rect width={share * 100} height="4" className={share > 0.8 ? "fill-warn" : "fill-accent"} />
        </svg>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
