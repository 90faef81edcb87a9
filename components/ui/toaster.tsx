"use client";

import { Toast as Primitive } from "@base-ui/react/toast";
import { useEffect } from "react";
import { classes } from "@/components/lib/classes";
import { Button } from "@/components/ui/button";
import { Icon, type IconName } from "@/components/ui/icon";
import { type Notice, useUntold } from "@/components/ui/notices";
import { floatingClass } from "@/components/ui/popup";

type Tone = NonNullable<Notice["tone"]>;
const SHOWN_MS = 6_000;

/** Shows the notices one above the other; at most three. */
export function Toaster() {
  return (
    <Primitive.Provider limit={3}>
      <Primitive.Portal>
        <Primitive.Viewport className="fixed right-3 bottom-3 left-3 z-50 flex flex-col gap-2 sm:left-auto sm:w-96">
          <Toasts />
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Provider>
  );
}

const LOOK: Record<Tone, { icon: IconName; tone: string }> = {
  ok: { icon: "check", tone: "text-ok" },
  info: { icon: "info", tone: "text-busy" },
  danger: { icon: "alert", tone: "text-danger" },
};

function Toasts() {
  const { toasts, add } = Primitive.useToastManager<{ tone: Tone }>();
  useShowUntold(add);
  return toasts.map((toast) => {
    const { icon, tone } = LOOK[toast.data?.tone ?? "info"];
    return (
      <Primitive.Root
        key={toast.id}
        toast={toast}
        className={classes(
          floatingClass,
          "transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-4 data-starting-style:opacity-0",
        )}
      >
        <Primitive.Content className="flex items-start gap-2.5 p-3 text-sm">
          <Icon name={icon} className={classes("mt-0.5 size-4", tone)} />
          <div className="min-w-0 flex-1">
            <Primitive.Title className="font-medium break-words" />
            <Primitive.Description className="break-words text-ink-soft" />
          </div>
          {toast.actionProps && <Primitive.Action render={<Button className="-my-1" />} />}
          <Primitive.Close
            aria-label="Dismiss"
            className="-my-1 -mr-1 grid size-8 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink pointer-coarse:size-10"
          >
            <Icon name="cross" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Root>
    );
  });
}

/** Brings what was told into view. */
function useShowUntold(add: ReturnType<typeof Primitive.useToastManager<{ tone: Tone }>>["add"]): void {
  const { untold, take } = useUntold();
  useEffect(() => {
    if (untold.length === 0) return;
    take();
    for (const { title, text, tone = "info", action } of untold) {
      add({
        title,
        description: text,
        data: { tone },
        // A failure is said at once and stays until it is read.
        priority: tone === "danger" ? "high" : "low",
        timeout: tone === "danger" ? 0 : SHOWN_MS,
        ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
      });
    }
  }, [untold, take, add]);
}
