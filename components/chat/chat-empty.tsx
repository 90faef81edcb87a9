import { Icon } from "@/components/ui/icon";

const DEMO_LINES = "say I will look around first.\n$ ls -la\nwrite notes.md: # Notes";

/** What a chat is for, where nothing has been said yet. */
export function ChatEmpty({ model }: { model: string }) {
  const demo = model.startsWith("demo/");
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <Icon name="chat" className="size-6 text-ink-faint" />
      <p className="font-medium text-ink-soft">Nothing has been said yet.</p>
      <p className="max-w-md text-sm text-ink-faint">
        Write what should be done. The agent works in this session’s sandbox, and goes on when you close the page. What
        you send while it works waits for the next turn.
      </p>
      {demo && (
        <div className="mt-2 w-full max-w-md text-left text-sm text-ink-faint">
          <p>This is the demo model: it does what your lines say. Try</p>
          <pre className="mt-1 rounded-md bg-sunken p-2.5 font-mono text-xs whitespace-pre-wrap text-ink-soft">
            {DEMO_LINES}
          </pre>
        </div>
      )}
    </div>
  );
}
