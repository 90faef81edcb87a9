import { type ReactNode, useId } from "react";
import { classes } from "@/components/lib/classes";

/** The look of every text input, select and textarea. */
export const controlClass = classes(
  "w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink",
  "disabled:bg-sunken disabled:text-ink-faint aria-invalid:border-danger",
);

interface ControlProps {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/**
 * A labelled control with one line below it that holds the hint or the error. The line keeps its place when it is
 * empty, so that an error does not move the form.
 */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium text-ink-soft">
        {label}
      </label>
      {children({ id, "aria-describedby": note ? noteId : undefined, "aria-invalid": error ? true : undefined })}
      <p id={noteId} className={classes("min-h-4.5 text-xs", error ? "text-danger" : "text-ink-faint")}>
        {note}
      </p>
    </div>
  );
}
