import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { sandboxProcesses } from "@/tests/fixtures/processes";
import { rows } from "@/tests/fixtures/rows";

/** States in which a sandbox may exist at the provider (properties.md, I4). */
const HAS_FILES = new Set(["provisioning", "active", "hibernating", "hibernated", "restoring", "archiving", "failed"]);
const MAY_RUN = new Set(["provisioning", "active", "hibernating", "restoring", "archiving"]);

/** What lies on the host although no row says so, and rows that say so although nothing is there (I4, I8, I9). */
export async function orphans(databaseUrl: string, dataDir: string, seen: ReadonlySet<string>): Promise<string[]> {
  const known = new Map<string, string>();
  for (const row of await rows<{ id: string; state: string }>(
    databaseUrl,
    "SELECT id || '-' || generation AS id, state FROM sandboxes",
  )) {
    known.set(row.id, row.state);
  }
  const found: string[] = [];
  const running = new Set<string>();
  for (const { pid, sandboxId } of sandboxProcesses()) {
    if (!known.has(sandboxId) && !seen.has(sandboxId)) continue; // another deployment on this machine
    running.add(sandboxId);
    const state = known.get(sandboxId) ?? "no row";
    if (!MAY_RUN.has(state)) found.push(`process ${pid} runs for ${sandboxId}, which is ${state}`);
  }
  for (const folder of folders(dataDir, "sb")) {
    const id = path.basename(folder);
    const state = known.get(id) ?? "no row";
    if (!HAS_FILES.has(state)) found.push(`${folder} is left of ${id}, which is ${state}`);
  }
  for (const kind of ["new", "trash"]) {
    for (const folder of folders(dataDir, kind)) found.push(`${folder} is left over`);
  }
  for (const [id, state] of known) {
    if (state === "active" && !running.has(id)) found.push(`${id} is active but does not run`);
  }
  return found;
}

/** The entries of every folder of the given name, at most three levels down. */
function folders(dataDir: string, name: string): string[] {
  const found: string[] = [];
  const visit = (at: string, depth: number) => {
    if (!existsSync(at)) return;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === "postgres") continue;
      const full = path.join(at, entry.name);
      if (entry.name === name) found.push(...readdirSync(full).map((inner) => path.join(full, inner)));
      else if (depth < 2) visit(full, depth + 1);
    }
  };
  visit(dataDir, 0);
  return found;
}
