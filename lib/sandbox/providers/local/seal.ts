import { SandboxError } from "@/lib/sandbox/errors";
import { execCommand } from "./commands";
import type { LocalContext } from "./context";
import { diskUsage, flushDisk } from "./disk";
import { probeSandbox } from "./launch";
import type { SandboxPaths } from "./layout";
import { bootMarker } from "./process-table";
import { type SealRecord, type StateRecord, writeSeal } from "./records";

/** What a seal says about the files. */
export interface FileSurvey {
  readonly entryCount: number;
  readonly head: string | null;
}

const SURVEY_TIMEOUT_MS = 120_000;

/**
 * Runs inside the isolation, because the tree belongs to the sandbox: links in it must not lead the app anywhere. `rev-parse`
 * starts no hook and no filter of the repository.
 */
const SURVEY = [
  "find /workspace /home/user -xdev -printf x 2>/dev/null | wc -c",
  "timeout 10 git -C /workspace rev-parse --verify --quiet HEAD 2>/dev/null || echo none",
].join("\n");

/** Looks at the files through a freshly booted agent, before anything of the sandbox has run. */
export async function surveyFiles(folder: string): Promise<FileSurvey> {
  const result = await execCommand(folder, { command: SURVEY, cwd: "/", timeoutMs: SURVEY_TIMEOUT_MS });
  return parseSurvey(result.stdout.toString("utf8"));
}

/** Seals the files of a stopped sandbox (design.md, section 7): flush, count, write, read back. */
export async function sealFiles(context: LocalContext, paths: SandboxPaths, state: StateRecord): Promise<SealRecord> {
  await flushDisk(paths, state.disk);
  const printed = await probeSandbox(
    context.host,
    {
      paths,
      disk: state.disk,
      limits: state.spec.limits,
      env: {},
      marker: bootMarker(context.layout.tag, state.id, "survey"),
      join: [],
      readOnly: true,
      furnish: false,
    },
    SURVEY,
  );
  const record: SealRecord = {
    id: state.id,
    at: new Date().toISOString(),
    sizeBytes: await diskUsage(context.host, paths, state.disk),
    ...parseSurvey(printed),
  };
  await writeSeal(paths, record);
  return record;
}

export function matchesSeal(seal: SealRecord, found: FileSurvey): boolean {
  return seal.entryCount === found.entryCount && seal.head === found.head;
}

function parseSurvey(text: string): FileSurvey {
  const [count = "", head = ""] = text.trim().split("\n");
  if (!/^\d+$/.test(count)) throw new SandboxError("transient", "The files of the sandbox could not be counted.");
  return { entryCount: Number(count), head: /^[0-9a-f]{40,64}$/.test(head) ? head : null };
}
