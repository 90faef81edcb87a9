import { posix } from "node:path";
import { isSandboxError } from "@/lib/sandbox/errors";
import type { SandboxProvider } from "@/lib/sandbox/provider";
import type { RepositoryGuide, Skill } from "./contract";
import { parseSkillFile } from "./skill-file";
import { storableText } from "./tools/text";

/** Where skills lie, in order of precedence: the first with a name wins (design.md, section 4). */
const SKILL_FOLDERS: readonly { readonly folder: string; readonly source: Skill["source"] }[] = [
  { folder: "/workspace/.agents/skills", source: "repository" },
  { folder: "/workspace/.claude/skills", source: "repository" },
  { folder: "/workspace/.openhands/skills", source: "repository" },
  { folder: "/workspace/.dormouse/skills", source: "repository" },
  { folder: "/home/user/.agents/skills", source: "user" },
];

const MAX_SKILLS_PER_FOLDER = 100;
const MAX_SKILL_BYTES = 256 * 1024;
const GUIDE_NAMES = ["AGENTS.md", "CLAUDE.md"] as const;
const MAX_GUIDE_BYTES = 32 * 1024;

/**
 * The skills of the repository and of the user. A broken or hidden one is listed with its problem rather than left out.
 * Throws `SandboxError` only when the sandbox itself cannot be asked.
 */
export async function loadSkills(provider: SandboxProvider, sandboxId: string): Promise<Skill[]> {
  const skills: Skill[] = [];
  const taken = new Map<string, string>();
  for (const { folder, source } of SKILL_FOLDERS) {
    for (const path of await skillFilesIn(provider, sandboxId, folder)) {
      const skill = await readSkill(provider, sandboxId, path, source);
      const winner = taken.get(skill.name);
      if (skill.problem !== undefined) skills.push(skill);
      else if (winner !== undefined)
        skills.push({ ...skill, problem: `Hidden by the skill of the same name in ${winner}.` });
      else {
        taken.set(skill.name, path);
        skills.push(skill);
      }
    }
  }
  return skills;
}

/** The repository's AGENTS.md, else its CLAUDE.md, up to 32 KB; null when it has neither. */
export async function loadAgentsMd(provider: SandboxProvider, sandboxId: string): Promise<RepositoryGuide | null> {
  for (const name of GUIDE_NAMES) {
    const path = `/workspace/${name}`;
    const file = await orNull(provider.readFile(sandboxId, path, { maxBytes: MAX_GUIDE_BYTES }));
    if (file === null) continue;
    // A cut may fall into a character; what is left of it is dropped.
    const truncated = file.sizeBytes > file.bytes.length;
    const text = storableText(new TextDecoder().decode(file.bytes, { stream: truncated }));
    if (text.trim() !== "") return { path, text, truncated };
  }
  return null;
}

async function skillFilesIn(provider: SandboxProvider, sandboxId: string, folder: string): Promise<string[]> {
  const entries = await orNull(provider.listFiles(sandboxId, folder, MAX_SKILLS_PER_FOLDER));
  return (entries ?? [])
    .filter((entry) => entry.type === "directory" || entry.type === "symlink")
    .map((entry) => posix.join(folder, entry.name, "SKILL.md"));
}

async function readSkill(
  provider: SandboxProvider,
  sandboxId: string,
  path: string,
  source: Skill["source"],
): Promise<Skill> {
  const broken = (problem: string): Skill => ({
    name: posix.basename(posix.dirname(path)),
    description: "",
    path,
    source,
    problem,
  });
  const file = await orNull(provider.readFile(sandboxId, path, { maxBytes: MAX_SKILL_BYTES }));
  if (file === null) return broken("The folder has no SKILL.md.");
  const parsed = parseSkillFile(storableText(file.bytes.toString()));
  return parsed.ok ? { ...parsed.value, path, source } : broken(parsed.error);
}

/** Null for what is not there or is not of the kind that was asked for; a lost sandbox is thrown on. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (isSandboxError(error, "not_found", "permanent")) return null;
    throw error;
  }
}
