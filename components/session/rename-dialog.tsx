"use client";

import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { controlClass, Field } from "@/components/ui/field";

/** Asks for a new name; Enter saves it. */
export function RenameDialog({
  open,
  onClose,
  busy,
  title,
  onRename,
  children,
}: {
  open: boolean;
  onClose: () => void;
  busy: boolean;
  title: string;
  onRename: (title: string) => void;
  children: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title="Rename the session">
      <form
        className="mt-3"
        onSubmit={(event) => {
          event.preventDefault();
          const name = field.current?.value.trim() ?? "";
          if (name === "" || name === title) onClose();
          else onRename(name);
        }}
      >
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              ref={field}
              dir="auto"
              defaultValue={title}
              maxLength={200}
              onFocus={(event) => event.target.select()}
              className={controlClass}
            />
          )}
        </Field>
        {children}
        <div className="mt-2 flex justify-end gap-2">
          <Button size="md" onClick={onClose}>
            Cancel
          </Button>
          <Button size="md" variant="primary" type="submit" busy={busy}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
