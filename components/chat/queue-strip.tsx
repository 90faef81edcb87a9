"use client";

import { useState } from "react";
import type { PendingMessage } from "@/components/chat/fold-events";
import { textOf } from "@/components/chat/message-types";
import type { ApiFailure } from "@/components/lib/api-client";
import { firstLine } from "@/components/lib/format";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass, Field } from "@/components/ui/field";
import type { ChatMessage } from "@/lib/chat/contract";

/** Messages that wait for the next turn; until then they can be changed or taken back. */
export function QueueStrip({
  queue,
  pending,
  onEdit,
  onRemove,
}: {
  queue: readonly ChatMessage[];
  pending: readonly PendingMessage[];
  onEdit: (id: string, text: string) => Promise<ApiFailure | null>;
  onRemove: (id: string) => Promise<ApiFailure | null>;
}) {
  const [editing, setEditing] = useState<{ id: string; text: string } | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const done = (problem: ApiFailure | null) => {
    setFailure(problem);
    if (!problem) setEditing(null);
  };
  if (queue.length + pending.length === 0 && !editing) return null;
  return (
    <section aria-label="Queued messages" className="mx-auto w-full max-w-3xl">
      <ul className="scroll-area max-h-32 rounded-lg border border-line bg-surface">
        {queue.map((message, index) => (
          <li key={message.id} className="flex items-center gap-1 py-0.5 pr-1 pl-3 text-sm">
            <span className="shrink-0 text-xs text-ink-faint tabular-nums">
              {index === 0 ? "Next" : `${index + 1}.`}
            </span>
            <bdi className="min-w-0 flex-1 truncate pl-1.5">{firstLine(textOf(message)) || filesOf(message)}</bdi>
            <Button
              variant="ghost"
              icon="pencil"
              iconOnly
              onClick={() => setEditing({ id: message.id, text: textOf(message) })}
            >
              Edit
            </Button>
            <Button variant="ghost" icon="cross" iconOnly onClick={() => void onRemove(message.id).then(done)}>
              Remove
            </Button>
          </li>
        ))}
        {pending.map((message) => (
          <li
            key={message.id}
            className="flex min-h-9 items-center gap-1 py-0.5 pr-1 pl-3 text-sm text-ink-faint pointer-coarse:min-h-11"
          >
            <span className="shrink-0 text-xs">Sending</span>
            <bdi className="min-w-0 flex-1 truncate pl-1.5">{firstLine(message.text)}</bdi>
          </li>
        ))}
      </ul>
      {failure && !editing && <ErrorNote message={failure.message} reference={failure.requestId} />}
      <Dialog open={editing !== null} onClose={() => setEditing(null)} title="Edit the queued message">
        <form
          className="mt-3 flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (editing) void onEdit(editing.id, editing.text).then(done);
          }}
        >
          <Field label="Message" error={failure?.message}>
            {(control) => (
              <textarea
                {...control}
                rows={5}
                value={editing?.text ?? ""}
                onChange={(event) => editing && setEditing({ ...editing, text: event.target.value })}
                className={controlClass}
              />
            )}
          </Field>
          <div className="flex justify-end gap-2">
            <Button size="md" onClick={() => setEditing(null)}>
              Cancel
            </Button>
            <Button size="md" type="submit" variant="primary" disabled={!editing?.text.trim()}>
              Save
            </Button>
          </div>
        </form>
      </Dialog>
    </section>
  );
}

function filesOf(message: ChatMessage): string {
  return message.metadata?.files?.join(", ") ?? "";
}
