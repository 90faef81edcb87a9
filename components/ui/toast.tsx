"use client";

import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";

export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly tone?: "ok" | "info" | "danger";
  /** What the person can do about it, for example go there. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Told, but not shown yet: what shows them comes when there is something to show. */
let untold: readonly Notice[] = [];
const listeners = new Set<() => void>();

function setUntold(next: readonly Notice[]): void {
  untold = next;
  for (const listener of listeners) listener();
}

/** Says in passing what happened somewhere else. What happens in view is said in its place instead. */
export function notify(notice: Notice): void {
  setUntold([...untold, notice]);
}

/** The notices that wait to be shown; `take` takes them away. */
export function useUntold(): { readonly untold: readonly Notice[]; readonly take: () => void } {
  const waiting = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => untold,
    () => NONE,
  );
  return { untold: waiting, take };
}
const NONE: readonly Notice[] = [];
const take = () => setUntold(NONE);

/** Tells a failure of something that was asked from a place which is gone by now. */
export function notifyFailure(failure: { readonly message: string }): void {
  notify({ tone: "danger", title: "That did not work", text: failure.message });
}

const Shown = lazy(() => import("@/components/ui/toaster").then(({ Toaster: Shown }) => ({ default: Shown })));

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
