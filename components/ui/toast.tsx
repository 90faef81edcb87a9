"use client";

import { lazy, Suspense, useState } from "react";
import { patiently } from "@/components/lib/patiently";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useUntold } from "@/components/ui/notices";

export { type Notice, notify, notifyFailure } from "@/components/ui/notices";

const Shown = lazy(
  patiently(() => import("@/components/ui/toaster").then(({ Toaster: Shown }) => ({ default: Shown }))),
);

/** Where notices appear; once per page. */
export function Toaster() {
  const { untold: waiting } = useUntold();
  const [wanted, setWanted] = useState(false);
  if (waiting.length > 0 && !wanted) setWanted(true);
  return wanted ? (
    <Suspense fallback={null}>
      <Shown />
    </Suspense>
  ) : null;
}

/** A failure that belongs to no place of the page: it floats above the page and moves nothing. */
export function FailureToast({
  message,
  reference,
  onDismiss,
}: {
  message: string;
  reference?: string | undefined;
  onDismiss: () => void;
}) {
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-50 mx-auto flex max-w-lg items-start gap-2.5 rounded-lg border border-danger bg-surface p-3 text-sm shadow-raised"
    >
      <Icon name="alert" className="mt-0.5 size-4 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{message}</p>
        {reference && <p className="font-mono text-xs break-all text-ink-faint">{reference}</p>}
      </div>
      <Button variant="ghost" icon="cross" iconOnly onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}
