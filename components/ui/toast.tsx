"use client";

import { Toast as Primitive } from "@base-ui/react/toast";
import { classes } from "@/components/lib/classes";
import { Button } from "@/components/ui/button";
import { Icon, type IconName } from "@/components/ui/icon";
import { floatingClass } from "@/components/ui/popup";

export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly tone?: "ok" | "info" | "danger";
  /** What the person can do about it, for example go there. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

const manager = Primitive.createToastManager<{ tone: NonNullable<Notice["tone"]> }>();
const SHOWN_MS = 6_000;

/** Says in passing what happened somewhere else. What happens in view is said in its place instead. */
export function notify({ title, text, tone = "info", action }: Notice): void {
  manager.add({
    title,
    description: text,
    data: { tone },
    // A failure is said at once and stays until it is read.
    priority: tone === "danger" ? "high" : "low",
    timeout: tone === "danger" ? 0 : SHOWN_MS,
    ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
  });
}

/** Tells a failure of something that was asked from a place which is gone by now. */
export function notifyFailure(failure: { readonly message: string }): void {
  notify({ tone: "danger", title: "That did not work", text: failure.message });
}

/** Where notices appear; once per page. */
export function Toaster() {
  return (
    <Primitive.Provider toastManager={manager} limit={3}>
      <Primitive.Portal>
        <Primitive.Viewport className="fixed right-3 bottom-3 left-3 z-50 flex flex-col gap-2 sm:left-auto sm:w-96">
          <Toasts />
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Provider>
  );
}

const LOOK: Record<NonNullable<Notice["tone"]>, { icon: IconName; tone: string }> = {
  ok: { icon: "check", tone: "text-ok" },
  info: { icon: "info", tone: "text-busy" },
  danger: { icon: "alert", tone: "text-danger" },
};

function Toasts() {
  const { toasts } = Primitive.useToastManager<{ tone: NonNullable<Notice["tone"]> }>();
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
