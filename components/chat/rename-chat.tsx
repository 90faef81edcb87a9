"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { controlClass, Field } from "@/components/ui/field";

/** Asks for another name of a chat. */
export function RenameChat({
  open,
  title,
  onClose,
  onRename,
}: {
  open: boolean;
  title: string;
  onClose: () => void;
  /** False when it failed; the reason is shown elsewhere. */
  onRename: (title: string) => Promise<boolean>;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Rename the chat">
      <RenameForm title={title} onClose={onClose} onRename={onRename} />
    </Dialog>
  );
}

function RenameForm({
  title,
  onClose,
  onRename,
}: {
  title: string;
  onClose: () => void;
  onRename: (title: string) => Promise<boolean>;
}) {
  const [name, setName] = useState(title);
  const [saving, setSaving] = useState(false);
  async function save() {
    setSaving(true);
    const done = name.trim() === title || (await onRename(name.trim()));
    setSaving(false);
    if (done) onClose();
  }
  return (
    <form
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void save();
      }}
    >
      <Field label="Name">
        {(control) => (
          <input
            {...control}
            value={name}
            maxLength={200}
            dir="auto"
            autoComplete="off"
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
            className={controlClass}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button size="md" type="submit" variant="primary" busy={saving} disabled={name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}
