import { parse } from "yaml";
import { z } from "zod";
import { err, ok, type Result } from "@/lib/kernel/result";

const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1_024;

/** Other keys are allowed: skills are shared between tools that know more of them. */
const frontMatterSchema = z.object({
  name: z.string().trim().min(1).max(MAX_NAME_CHARS),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION_CHARS),
});

export type SkillFrontMatter = z.infer<typeof frontMatterSchema>;

/** Reads the front matter of a SKILL.md; the error says in words what is wrong with it. */
export function parseSkillFile(text: string): Result<SkillFrontMatter, string> {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (match === null) return err("It does not begin with front matter between two lines of ---.");
  let fields: unknown;
  try {
    fields = parse(match[1] ?? "", { maxAliasCount: 0 });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    return err(`Its front matter is not valid YAML: ${reason}`);
  }
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return err("Its front matter has no fields; name and description are needed.");
  }
  const parsed = frontMatterSchema.safeParse(fields);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  return err(`Its front matter has no valid ${issue?.path.join(".") ?? "fields"}: ${issue?.message ?? "unknown"}.`);
}
