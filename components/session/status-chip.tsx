import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { Chip } from "@/components/ui/chip";
import type { SandboxState } from "@/lib/sandbox/contract";

/** The state of a sandbox in a word; `busy` says that a turn is queued or running in it. */
export function StatusChip({ state, busy = false }: { state: SandboxState; busy?: boolean }) {
  const words = SANDBOX_WORDS[state];
  const working = state === "active" && busy;
  return (
    <Chip tone={working ? "accent" : words.tone} dot pulsing={words.passing || working}>
      {working ? "Working" : words.label}
    </Chip>
  );
}
