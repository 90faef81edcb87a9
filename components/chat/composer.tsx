"use client";

import { type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { AttachmentChips } from "@/components/chat/attachment-chips";
import type { PendingMessage } from "@/components/chat/fold-events";
import { useAttachments } from "@/components/chat/use-attachments";
import { useDraft } from "@/components/chat/use-draft";
import type { ApiFailure } from "@/components/lib/api-client";
import { classes } from "@/components/lib/classes";
import { newUuid } from "@/components/lib/new-uuid";
import { ModelPicker } from "@/components/settings/model-picker";
import { useShortcut } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import type { ModelInfo } from "@/lib/model/contract";

/** The padding of a button with words would make one without them larger than its row. */
const TOOL = "size-10 px-0! pointer-coarse:size-11";

/**
 * Where a message is written. Enter sends, Shift+Enter breaks the line; files come by paste, by drop or by the button.
 * A message that could not be sent comes back as the draft, and keeps its id, so that sending it once more cannot store
 * it twice.
 */
export const Composer = memo(function Composer({
  chatId,
  sessionId,
  placeholder,
  stoppable,
  model,
  models,
  onModel,
  onSend,
  onStop,
}: {
  chatId: string;
  sessionId: string;
  placeholder: string;
  stoppable: boolean;
  /** The model that answers, as `provider/model`, and those that could. */
  model: string;
  models: readonly ModelInfo[];
  onModel: (ref: string) => Promise<ApiFailure | null>;
  onSend: (message: PendingMessage) => Promise<ApiFailure | null>;
  onStop: () => Promise<ApiFailure | null>;
}) {
  const [text, setText] = useDraft(chatId);
  const attached = useAttachments(sessionId);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [stopping, setStopping] = useState(false);
  const [dropping, setDropping] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const unsent = useRef<PendingMessage | null>(null);
  const sendable = (text.trim() !== "" || attached.files.length > 0) && !attached.uploading;

  useEffect(() => {
    // What was typed before the page came to life stands in the field, but no event told of it.
    const typed = input.current?.value;
    if (typed) setText(typed);
  }, [setText]);

  async function submit() {
    if (!sendable) return;
    const same = unsent.current?.text === text && String(unsent.current.files ?? "") === String(attached.files);
    const files = attached.files.length > 0 ? { files: attached.files } : {};
    const message = same && unsent.current ? unsent.current : { id: newUuid(), text, ...files };
    unsent.current = null;
    setFailure(null);
    setText("");
    attached.replace([]);
    input.current?.focus();
    const problem = await onSend(message);
    if (!problem) return;
    unsent.current = message;
    setFailure(problem);
    attached.replace(message.files ?? []);
    const typedMeanwhile = input.current?.value ?? "";
    setText(typedMeanwhile ? `${message.text}\n\n${typedMeanwhile}` : message.text);
  }

  async function stop() {
    setStopping(true);
    setFailure(await onStop());
    setStopping(false);
  }

  useShortcut("composer", () => input.current?.focus());
  useShortcut("send", () => (document.activeElement === input.current ? void submit() : false));
  useShortcut("stop", stoppable ? () => void stop() : null);

  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (IME), Enter belongs to the input method; with Ctrl or ⌘ it is the shortcut's.
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
      return;
    event.preventDefault();
    void submit();
  };
  /** Takes files; words are left to the field itself. */
  const takeFiles = (files: FileList | null): boolean => {
    const chosen = Array.from(files ?? []);
    if (chosen.length > 0) void attached.add(chosen);
    return chosen.length > 0;
  };

  const problem = failure ?? attached.failure;
  return (
    <form
      className="mx-auto flex w-full max-w-3xl flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        setDropping(false);
        if (takeFiles(event.dataTransfer.files)) event.preventDefault();
      }}
    >
      {problem && <ErrorNote message={problem.message} reference={problem.requestId} />}
      <AttachmentChips files={attached.files} uploading={attached.uploading} onRemove={attached.remove} />
      <div
        className={classes(
          "flex flex-col rounded-lg border border-line-strong bg-surface focus-within:border-focus focus-within:outline-1 focus-within:outline-focus",
          dropping && "border-focus bg-busy-soft",
        )}
      >
        <textarea
          ref={input}
          rows={1}
          value={text}
          maxLength={200_000}
          dir="auto"
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (takeFiles(event.clipboardData.files)) event.preventDefault();
          }}
          placeholder={dropping ? "Drop files here" : placeholder}
          aria-label="Message"
          className="field-sizing-content max-h-[min(12rem,40dvh)] min-h-10 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none"
        />
        <div className="flex items-center gap-1 p-1.5 pt-0">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label="Files to send"
            onChange={(event) => {
              takeFiles(event.target.files);
              event.target.value = "";
            }}
          />
          <Button
            variant="ghost"
            icon="plus"
            iconOnly
            size="md"
            className={TOOL}
            title="Add files"
            onClick={() => picker.current?.click()}
          >
            Add files
          </Button>
          <ModelPicker models={models} value={model} onChange={(ref) => void onModel(ref).then(setFailure)} />
          <div className="ml-auto flex gap-1.5">
            {stoppable && (
              <Button
                icon="stop"
                iconOnly
                size="md"
                className={TOOL}
                busy={stopping}
                onClick={() => void stop()}
                title="Stop the agent"
              >
                Stop
              </Button>
            )}
            <Button
              type="submit"
              variant="primary"
              icon="send"
              iconOnly
              size="md"
              className={TOOL}
              disabled={!sendable}
            >
              Send
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
});
