"use client";

import { keyCaps } from "@/components/lib/keys";
import { useIsMac } from "@/components/lib/platform";

/** The keys of a shortcut (`mod+k`, `?`), written as they stand on the person's keyboard. Decoration for screen readers. */
export function Kbd({ keys }: { keys: string }) {
  const mac = useIsMac();
  return (
    <span aria-hidden="true" className="inline-flex shrink-0 gap-0.5">
      {keyCaps(keys, mac).map((cap) => (
        <kbd
          key={cap}
          className="grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-sunken px-1 font-sans text-xs text-ink-faint"
        >
          {cap}
        </kbd>
      ))}
    </span>
  );
}
