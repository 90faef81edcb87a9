import { createHash } from "node:crypto";
import { loadSkills } from "@/lib/agent/skills";
import type { SkillRecord } from "@/lib/db/schema/sessions";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { SandboxError } from "@/lib/sandbox/errors";
import { deliverUploads } from "@/lib/sandbox/files";
import { hasKeptWork, restoreWork } from "@/lib/sandbox/kept-work";
import type { CommandExit } from "@/lib/sandbox/provider";
import { specOf } from "@/lib/sandbox/spec";
import { providerId, type SandboxPatch, type SandboxRow } from "@/lib/sandbox/store";
import { readBranch, runScript, SETUP_ENV, WORKSPACE } from "@/lib/sandbox/workspace";
import type { StartPhaseName } from "./contract";
import { PHASE_LIMIT_MS } from "./start";
import { cloneFailure, StartFailure } from "./start-failure";
import type { StartRow } from "./start-store";
import type { SessionRow } from "./store";

export interface PhaseContext {
  readonly deps: Deps;
  readonly task: StartRow;
  readonly session: SessionRow;
  readonly sandbox: SandboxRow;
  /** Fires on cancel, at the deadline of the phase, and when the lease is lost. */
  readonly signal: AbortSignal;
  /** Live output for the page. */
  readonly say: (text: string) => void;
}

export interface PhaseOutcome {
  readonly state: "done" | "skipped";
  readonly detail: string | null;
  /** Facts about the sandbox that the phase found out. */
  readonly patch?: SandboxPatch;
  /** The branch that the clone checked out. */
  readonly baseBranch?: string | null;
  readonly skills?: readonly SkillRecord[];
  /** The sandbox was made just now: whatever was done in an earlier one is to be done again. */
  readonly fresh?: boolean;
  /** In line for a free place: ask again later. */
  readonly inLine?: boolean;
}

type Phase = (context: PhaseContext) => Promise<PhaseOutcome>;

/** What each phase of a start does; each can be run again after a crash in its middle (design.md, section 4). */
export const PHASES: Readonly<Record<StartPhaseName, Phase>> = {
  WORKING: async () => ({ state: "done", detail: null }),
  WAITING_FOR_SANDBOX: waitForSandbox,
  PREPARING_REPOSITORY: prepareRepository,
  RUNNING_SETUP_SCRIPT: runSetupScript,
  SETTING_UP_GIT_HOOKS: setUpGitHooks,
  SETTING_UP_SKILLS: setUpSkills,
  STARTING_CONVERSATION: startConversation,
};

async function waitForSandbox({ deps, sandbox }: PhaseContext): Promise<PhaseOutcome> {
  if (!sandbox.slot) return { state: "done", detail: "Waits for a free place", inLine: true };
  const spec = specOf(deps, sandbox);
  const { state } = await deps.provider.peek(spec.id);
  const fresh = state === "missing";
  if (fresh) await deps.provider.create(spec);
  else if (state === "hibernated") await deps.provider.resume(spec);
  crashPoint("start.after-sandbox");
  return { state: "done", detail: null, fresh };
}

/** Another id for each try of a person, so that a retry runs the command again. */
function commandIdOf(name: string, task: StartRow): string {
  return `start-${name}-${task.tries}`;
}

/** Runs one command of a phase: survives a restart of the app, shows its output live, is killed when the phase is over. */
async function runCommand(
  context: PhaseContext,
  name: string,
  script: string,
  args: readonly string[],
  timeoutMs: number,
  onOutput: () => void = () => {},
): Promise<CommandExit & { readonly text: string }> {
  const { deps, task, sandbox, signal, say } = context;
  const id = providerId(sandbox);
  const commandId = commandIdOf(name, task);
  await deps.provider.spawn(id, {
    commandId,
    command: ["/bin/bash", "-c", script, "bash", ...args],
    cwd: WORKSPACE,
    timeoutMs,
    outputCapBytes: 256 * 1024,
  });
  const kill = () => void deps.provider.kill(id, commandId, "SIGKILL").catch(() => {});
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  let text = "";
  try {
    for await (const event of deps.provider.attach(id, commandId)) {
      if (event.type === "exit") return { ...event, text };
      const piece = Buffer.from(event.bytes).toString();
      text = `${text}${piece}`.slice(-256 * 1024);
      say(piece);
      onOutput();
    }
  } finally {
    signal.removeEventListener("abort", kill);
  }
  throw new SandboxError("gone", "the command was lost");
}

const CLONE = `
set -e
find . -mindepth 1 -delete
if [ -n "$2" ]; then exec git clone --progress --branch "$2" -- "$1" .; else exec git clone --progress -- "$1" .; fi`;

/** Every workspace has a first commit, which is the base of its diff. */
const FIRST_COMMIT = `
set -e
[ -d .git ] || git init --quiet --initial-branch="\${1:-main}"
git rev-parse -q --verify HEAD >/dev/null || git commit --quiet --allow-empty -m "Start"
if [ -n "$2" ] && [ "$(git symbolic-ref -q --short HEAD)" != "$2" ]; then git switch --quiet --create "$2" 2>/dev/null || git switch --quiet "$2"; fi
git rev-parse HEAD`;

/**
 * Clones in a command of this app process: the gateway goes down with the app, so a clone of a process that died cannot end well
 * and is begun anew instead of being followed.
 */
async function runClone(context: PhaseContext, remote: string): Promise<CommandExit & { readonly text: string }> {
  const { deps, session, sandbox } = context;
  const id = providerId(sandbox);
  const name = `clone-${createHash("sha256").update(deps.owner).digest("hex").slice(0, 8)}-${context.task.failures}`;
  for (const { commandId, exit } of await deps.provider.commands(id)) {
    const older = commandId.startsWith("start-clone-") && commandId !== commandIdOf(name, context.task);
    if (older && exit === null) await deps.provider.kill(id, commandId, "SIGKILL");
  }
  const limitMs = PHASE_LIMIT_MS.PREPARING_REPOSITORY;
  return runCommand(context, name, CLONE, [remote, session.baseBranch ?? ""], limitMs, () =>
    crashPoint("start.mid-clone"),
  );
}

async function prepareRepository(context: PhaseContext): Promise<PhaseOutcome> {
  const { deps, session, sandbox } = context;
  const id = providerId(sandbox);
  const work = sandbox.generation > 1 ? sandbox.keptWork : null;
  if (work && (await hasKeptWork(deps, work))) {
    await restoreWork(deps, sandbox, work, sandbox.gitRemote);
    return { state: "done", detail: "Brought back the kept work", patch: { branch: work.branch } };
  }
  if (sandbox.gitRemote) {
    const exit = await runClone(context, sandbox.gitRemote);
    if (exit.timedOut) throw new StartFailure("timeout", "The repository took too long to arrive.", true);
    if (exit.exitCode !== 0) throw cloneFailure(exit.text);
  }
  const baseBranch = sandbox.gitRemote ? ((await readBranch(deps.provider, id)) ?? session.baseBranch) : null;
  const made = await runScript(deps.provider, id, FIRST_COMMIT, [
    session.baseBranch ?? baseBranch ?? "main",
    session.newBranch ?? "",
  ]);
  if (made.exitCode !== 0) throw cloneFailure(made.stderr.toString());
  crashPoint("start.after-clone");
  const branch = await readBranch(deps.provider, id);
  const baseCommit = made.stdout.toString().trim();
  return {
    state: sandbox.gitRemote ? "done" : "skipped",
    detail: sandbox.gitRemote ? `On ${branch ?? baseCommit.slice(0, 10)}` : "No repository: an empty workspace",
    patch: { baseCommit, branch },
    baseBranch,
  };
}

/** Keeps the tree as it is, then sources the script; what it exports is kept for the agent's commands. */
const SETUP = `
git update-ref refs/dormouse/start HEAD
mkdir -p "$(dirname "$2")"
trap 'code=$?; trap - EXIT; unset OLDPWD; export -n PWD SHLVL _; export -p > "$2"; exit $code' EXIT
set --  "$1" "$2"
. "$1"`;

async function runSetupScript(context: PhaseContext): Promise<PhaseOutcome> {
  const { deps, sandbox } = context;
  const found = await runScript(
    deps.provider,
    providerId(sandbox),
    `git update-ref refs/dormouse/start HEAD; for f in .dormouse/setup.sh .openhands/setup.sh; do [ -f "$f" ] && { echo "$f"; exit 0; }; done; exit 1`,
  );
  const file = found.stdout.toString().trim();
  if (found.exitCode !== 0 || file === "") return { state: "skipped", detail: "The repository has no setup script" };
  const exit = await runCommand(context, "setup", SETUP, [`./${file}`, SETUP_ENV], PHASE_LIMIT_MS.RUNNING_SETUP_SCRIPT);
  crashPoint("start.after-setup");
  if (context.signal.aborted) throw new StartFailure("cancelled", "The start was cancelled.", true);
  if (exit.timedOut)
    return { state: "done", detail: `${file} was ended after ${PHASE_LIMIT_MS.RUNNING_SETUP_SCRIPT / 1000} seconds` };
  return { state: "done", detail: `${file} ended with exit code ${exit.exitCode ?? `signal ${exit.signal}`}` };
}

/** Installs the repository's pre-commit script of ours in front of what is there; the repository's own hooks stay and run. */
const HOOKS = `
set -e
for f in .dormouse/pre-commit.sh .openhands/pre-commit.sh; do [ -f "$f" ] && script=$f && break; done
[ -n "\${script:-}" ] || exit 3
hooks=$(git rev-parse --git-path hooks)
case $(realpath -m "$hooks") in "$(realpath "$(git rev-parse --git-dir)")"/*) ;; *) echo "$hooks"; exit 4;; esac
mkdir -p "$hooks"
hook=$hooks/pre-commit
if [ -e "$hook" ] && ! grep -q 'dormouse: chained' "$hook"; then mv "$hook" "$hook.local"; fi
cat > "$hook" <<EOF
#!/bin/sh
# dormouse: chained
set -e
if [ -x "\\$0.local" ]; then "\\$0.local" "\\$@"; fi
cd "\\$(git rev-parse --show-toplevel)"
exec bash "$script"
EOF
chmod +x "$hook"
echo "$script"`;

async function setUpGitHooks({ deps, sandbox }: PhaseContext): Promise<PhaseOutcome> {
  const made = await runScript(deps.provider, providerId(sandbox), HOOKS);
  const said = made.stdout.toString().trim();
  if (made.exitCode === 0)
    return { state: "done", detail: `${said} runs before each commit, after the repository's own hook` };
  if (made.exitCode === 3)
    return { state: "skipped", detail: "The repository has no pre-commit script for agents; its own hooks stay" };
  if (made.exitCode === 4)
    return { state: "skipped", detail: `The repository keeps its hooks in ${said}; they stay as they are` };
  return {
    state: "done",
    detail: `The hook could not be installed: ${made.stderr.toString().trim().split("\n").at(-1) ?? ""}`,
  };
}

async function setUpSkills({ deps, sandbox }: PhaseContext): Promise<PhaseOutcome> {
  const skills = await loadSkills(deps.provider, providerId(sandbox));
  if (skills.length === 0) return { state: "skipped", detail: "No skills", skills };
  const broken = skills.filter((skill) => skill.problem).length;
  return {
    state: "done",
    detail: `${skills.length} ${skills.length === 1 ? "skill" : "skills"}${broken > 0 ? `, ${broken} broken` : ""}`,
    skills,
  };
}

async function startConversation({ deps, sandbox }: PhaseContext): Promise<PhaseOutcome> {
  const delivered = await deliverUploads(deps, sandbox);
  return {
    state: "done",
    detail: delivered > 0 ? `${delivered} uploaded ${delivered === 1 ? "file" : "files"}` : null,
  };
}
