import { showDirection } from "@/components/chat/plain-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";

/** The files that go with a message. */
export function AttachmentChips({
  files,
  uploading,
  onRemove,
}: {
  files: readonly string[];
  uploading: boolean;
  onRemove: (path: string) => void;
}) {
  if (files.length === 0 && !uploading) return null;
  return (
    <ul aria-label="Files of the message" className="flex flex-wrap gap-1.5">
      {files.map((path) => (
        <li key={path} className="flex max-w-full items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
          <Icon name="file" className="size-3.5 text-ink-faint" />
          <bdi className="min-w-0 truncate font-mono text-xs">{showDirection(path)}</bdi>
          <Button variant="ghost" icon="cross" iconOnly onClick={() => onRemove(path)}>
            {`Do not send ${path}`}
          </Button>
        </li>
      ))}
      {uploading && <li className="flex min-h-8 items-center text-sm text-ink-faint">Uploading…</li>}
    </ul>
  );
}
