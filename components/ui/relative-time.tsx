"use client";

import { formatDistance } from "@/components/lib/format";
import { useNow } from "@/components/lib/now";

/** A moment as its distance from now; the exact time is in the tooltip and in the markup. */
export function RelativeTime({ iso, suffix = "" }: { iso: string; suffix?: string }) {
  const now = useNow(30_000);
  const distance = formatDistance(now - Date.parse(iso));
  return (
    <time dateTime={iso} title={iso}>
      {distance === "now" ? "now" : `${distance}${suffix}`}
    </time>
  );
}
