import { classes } from "@/components/lib/classes";

/** Holds the place of something that is being fetched; give it the size of what will come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classes("animate-pulse-soft rounded-md bg-hover", className)} />;
}

/** Several lines of a list that is being fetched. */
export function SkeletonRows({ count, className = "h-8" }: { count: number; className?: string }) {
  return (
    <div role="status" className="flex flex-col gap-2">
      <span className="sr-only">Loading…</span>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Skeleton key={index} className={className} />
      ))}
    </div>
  );
}
