"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";

/**
 * The name of the session, renamed in place: the pencil or a double click begins, Enter or leaving the field saves,
 * Escape leaves it as it was.
 */
export function SessionTitle({ title, onRename }: { title: string; onRename: (title: string) => Promise<boolean> }) {
  // What stands in the field; null while nothing is edited.
  const [draft, setDraft] = useState<string | null>(null);
  // The new name until the session's own says so too.
  const [saving, setSaving] = useState<string | null>(null);
  const pencil = useRef<HTMLButtonElement>(null);
  const shown = saving ?? title;
  useEffect(() => {
    document.title = `${shown} · Dormouse`;
  }, [shown]);

  async function save() {
    const name = draft?.trim() ?? "";
    setDraft(null);
    if (name === "" || name === title) return;
    setSaving(name);
    await onRename(name);
    setSaving(null);
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    if (event.key === "Enter") void save();
    else setDraft(null);
    // The field goes away; the focus stays where the renaming began.
    requestAnimationFrame(() => pencil.current?.focus());
  };

  if (draft !== null) {
    return (
      <h1 className="min-w-0 text-base font-semibold">
        <input
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          aria-label="Name of the session"
          dir="auto"
          value={draft}
          maxLength={200}
          onChange={(event) => setDraft(event.target.value)}
          onFocus={(event) => event.target.select()}
          onKeyDown={onKeyDown}
          onBlur={() => void save()}
          className="-ml-1.5 h-7 w-full max-w-xl min-w-0 rounded-md border border-line-strong bg-surface px-1.5 font-semibold"
        />
      </h1>
    );
  }
  const edit = () => setDraft(title);
  return (
    <div className="group flex h-7 min-w-0 items-center gap-1">
      <h1 className="min-w-0 truncate text-base font-semibold" title={shown} onDoubleClick={edit}>
        <bdi>{shown}</bdi>
      </h1>
      <Button
        ref={pencil}
        variant="ghost"
        icon="pencil"
        iconOnly
        title="Rename"
        onClick={edit}
        className="-my-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        Rename the session
      </Button>
    </div>
  );
}
