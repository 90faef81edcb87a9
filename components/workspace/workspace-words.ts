import type { SandboxState, SandboxView } from "@/lib/sandbox/contract";

/** What the status line of a panel says about a sandbox that is not awake, and what can be done there. */
export interface StateNote {
  readonly text: string;
  readonly tone: "calm" | "busy" | "danger";
  /** What is offered beside the words; the head of the page offers the rest. */
  readonly action: "resume" | null;
}

const KEPT = { changes: "the changes", files: "the names of the files" } as const;

/** Null while the sandbox is awake: then what is shown is how it is. */
export function stateNote(state: SandboxState, panel: keyof typeof KEPT): StateNote | null {
  const what = KEPT[panel];
  switch (state) {
    case "active":
      return null;
    case "provisioning":
      return { text: `Starting. Here will be ${what}.`, tone: "busy", action: null };
    case "restoring":
      return { text: `Resuming. These are ${what} as they were`, tone: "busy", action: null };
    case "hibernating":
      return { text: `Going to sleep. These are ${what} as they were`, tone: "busy", action: null };
    case "hibernated":
      return { text: `Paused. These are ${what} as they were`, tone: "calm", action: "resume" };
    case "failed":
      // What can be done stands at the top of the page, or beside the phase of the start that failed.
      return { text: `The sandbox failed. These are ${what} as they were`, tone: "danger", action: null };
    case "archiving":
      return { text: `Being archived. These are ${what} as they were`, tone: "busy", action: null };
    case "archived":
      return { text: `Archived. These are ${what} that were kept`, tone: "calm", action: null };
  }
}

/** Why something that needs the sandbox at rest and awake is not possible now; null when it is. `act` as in "Resume to …". */
export function whyNot({ state, busy }: Pick<SandboxView, "state" | "busy">, act: string): string | null {
  if (state === "hibernated" || state === "hibernating") return `Resume the sandbox to ${act}.`;
  if (state === "failed") return `The sandbox has to run to ${act}. Try again from the top of the page.`;
  if (state === "archiving" || state === "archived") return `Unarchive the session to ${act}.`;
  if (state !== "active") return `You can ${act} when the sandbox is ready.`;
  return busy ? `You can ${act} when the agent has finished.` : null;
}
