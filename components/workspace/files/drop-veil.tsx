import { Icon } from "@/components/ui/icon";
import { visibleText } from "@/components/workspace/visible-text";

/** Lies over the panel while files are held above it, and lets the drop through. */
export function DropVeil({ folder, takes }: { folder: string; takes: boolean }) {
  return (
    <div className="pointer-events-none absolute inset-2 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-accent-soft">
      <p className="flex items-center gap-2 px-4 text-center font-medium">
        <Icon name="upload" />
        {takes ? `Drop to upload to ${folder ? visibleText(folder) : "the workspace"}` : "Resume the sandbox to upload"}
      </p>
    </div>
  );
}
