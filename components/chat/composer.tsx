"use client";

import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import type { PendingMessage } from "@/components/chat/fold-events";
import { useDraft } from "@/components/chat/use-draft";
import type { ApiFailure } from "@/components/lib/api-client";
import { newUuid } from "@/components/lib/new-uuid";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";

/**
 * Where a message is written. Enter sends, Shift+Enter breaks the line. A message that could not be sent comes back as
 * the draft, and keeps its id, so that sending it once more cannot store it twice.
 */
export const Composer = memo(function Composer({
  chatId,
  placeholder,
  stoppable,
  onSend,
  onStop,
}: {
  chatId: string;
  placeholder: string;
  stoppable: boolean;
  onSend: (message: PendingMessage) => Promise<ApiFailure | null>;
  onStop: () => Promise<ApiFailure | null>;
}) {
  const [text, setText] = useDraft(chatId);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [stopping, setStopping] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const unsent = useRef<PendingMessage | null>(null);

  useEffect(() => {
    // What was typed before the page came to life stands in the field, but no event told of it.
    const typed = input.current?.value;
    if (typed) setText(typed);
  }, [setText]);

  async function submit() {
    if (text.trim() === "") return;
    const message = unsent.current?.text === text ? unsent.current : { id: newUuid(), text };
    unsent.current = null;
    setFailure(null);
    setText("");
    input.current?.focus();
    const problem = await onSend(message);
    if (!problem) return;
    unsent.current = message;
    setFailure(problem);
    const typedMeanwhile = input.current?.value ?? "";
    setText(typedMeanwhile ? `${message.text}\n\n${typedMeanwhile}` : message.text);
  }

  async function stop() {
    setStopping(true);
    setFailure(await onStop());
    setStopping(false);
  }

  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (IME), Enter belongs to the input method.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className="mx-auto flex w-full max-w-3xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
      <div className="flex items-end gap-2 rounded-lg border border-line-strong bg-surface p-1.5 focus-within:border-focus focus-within:outline-2 focus-within:outline-focus">
        <textarea
          ref={input}
          rows={2}
          value={text}
          maxLength={200_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={placeholder}
          aria-label="Message"
          className="field-sizing-content max-h-48 min-h-14 min-w-0 flex-1 resize-none bg-transparent px-2 py-1 outline-none"
        />
        {stoppable && (
          <Button icon="stop" iconOnly size="md" busy={stopping} onClick={() => void stop()} title="Stop the agent">
            Stop
          </Button>
        )}
        <Button type="submit" variant="primary" icon="send" iconOnly size="md" disabled={text.trim() === ""}>
          Send
        </Button>
      </div>
    </form>
  );
});
