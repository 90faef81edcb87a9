"use client";

import { useConnectionLost } from "@/components/lib/connection";
import { Icon } from "@/components/ui/icon";

/** Says quietly that the server cannot be reached; goes away by itself. */
export function ConnectionNote() {
  const lost = useConnectionLost();
  return (
    <div role="status">
      {lost && (
        <p className="flex items-center gap-2 border-t border-line px-4 py-2 text-xs text-warn">
          <Icon name="offline" className="size-3.5" />
          Connection lost. Trying again…
        </p>
      )}
    </div>
  );
}
