import { Icon } from "@/components/ui/icon";

/** Stands where a message would be written, when none can be. */
export function ArchivedBar() {
  return (
    <p className="mx-auto flex min-h-16 w-full max-w-3xl items-center gap-3 rounded-lg border border-line bg-sunken px-4 text-sm text-ink-soft">
      <Icon name="archive" className="size-4 text-ink-faint" />
      This session is archived: its history, diff and branch are kept. Unarchive it to go on.
    </p>
  );
}
