import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { Chip } from "@/components/ui/chip";
import type { SandboxState } from "@/lib/sandbox/contract";

/** The state of a sandbox in a word; its dot pulses while it passes and while the agent is at work in it. */
export function StatusChip({ state, busy = false }: { state: SandboxState; busy?: boolean }) {
  const { label, tone, passing } = SANDBOX_WORDS[state];
  return (
    <Chip tone={tone} dot fill pulsing={passing || (state === "active" && busy)}>
      {label}
    </Chip>
  );
}
