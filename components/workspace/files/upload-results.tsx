import { classes } from "@/components/lib/classes";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";
import type { Upload } from "@/components/workspace/files/use-uploads";
import { visibleText } from "@/components/workspace/visible-text";

/** One line for each file that was uploaded. */
export function UploadResults({ uploads, onClear }: { uploads: readonly Upload[]; onClear: () => void }) {
  const done = uploads.every(({ state }) => state === "done" || state === "failed");
  return (
    <div className="flex items-start gap-2 border-t border-line bg-surface px-3 py-2">
      <ul aria-label="Uploads" aria-live="polite" className="scroll-area max-h-32 min-w-0 flex-1 text-xs">
        {uploads.map(({ id, name, state, words }) => (
          <li key={id} className={classes("flex min-h-6 items-center gap-1.5", state === "failed" && "text-danger")}>
            {state === "done" && <Icon name="check" className="size-3.5 text-ok" />}
            {state === "failed" && <Icon name="alert" className="size-3.5" />}
            {state === "sending" && <Spinner />}
            {state === "waiting" && <Icon name="clock" className="size-3.5 text-ink-faint" />}
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <bdi className="font-medium">{visibleText(name)}</bdi>{" "}
              <span className={state === "failed" ? "" : "text-ink-faint"}>{visibleText(words)}</span>
            </span>
          </li>
        ))}
      </ul>
      {done && (
        <Button variant="ghost" icon="cross" iconOnly onClick={onClear}>
          Clear the list
        </Button>
      )}
    </div>
  );
}
