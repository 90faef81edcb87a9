import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSkillFile } from "./skill-file";
import { loadAgentsMd, loadSkills } from "./skills";
import { createHostSandbox, type ToolSandbox } from "./testing/host-sandbox";

const skill = (name: string, description = `About ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\nextra: [1]\n---\n# ${name}\n`;

describe("loadSkills and loadAgentsMd", () => {
  let sandbox: ToolSandbox;
  const put = (path: string, content: string) => sandbox.provider.writeFile(sandbox.sandboxId, path, content);
  beforeAll(async () => {
    sandbox = await createHostSandbox();
  });
  afterAll(() => sandbox.close());

  test("a workspace without skills and guide has none", async () => {
    expect(await loadSkills(sandbox.provider, sandbox.sandboxId)).toEqual([]);
    expect(await loadAgentsMd(sandbox.provider, sandbox.sandboxId)).toBeNull();
  });

  test("skills are listed with their source; the first name wins, and broken ones say why", async () => {
    await put("/workspace/.agents/skills/deploy/SKILL.md", skill("deploy"));
    await put("/workspace/.claude/skills/deploy/SKILL.md", skill("deploy", "Another one."));
    await put("/workspace/.claude/skills/no-yaml/SKILL.md", "---\nname: [\n---\n");
    await put("/workspace/.openhands/skills/empty/README.md", "nothing");
    await put("/home/user/.agents/skills/mine/SKILL.md", skill("mine"));
    await put("/home/user/.agents/skills/deploy/SKILL.md", skill("deploy"));
    const skills = await loadSkills(sandbox.provider, sandbox.sandboxId);
    expect(skills.map(({ name, source, problem }) => [name, source, problem?.split(":")[0] ?? null])).toEqual([
      ["deploy", "repository", null],
      ["deploy", "repository", "Hidden by the skill of the same name in /workspace/.agents/skills/deploy/SKILL.md."],
      ["no-yaml", "repository", "Its front matter is not valid YAML"],
      ["empty", "repository", "The folder has no SKILL.md."],
      ["deploy", "user", "Hidden by the skill of the same name in /workspace/.agents/skills/deploy/SKILL.md."],
      ["mine", "user", null],
    ]);
    expect(skills[0]).toEqual({
      name: "deploy",
      description: "About deploy.",
      path: "/workspace/.agents/skills/deploy/SKILL.md",
      source: "repository",
    });
  });

  test("CLAUDE.md stands in for AGENTS.md, and a long guide is cut at 32 KB within no character", async () => {
    await put("/workspace/CLAUDE.md", "Use npm.");
    expect(await loadAgentsMd(sandbox.provider, sandbox.sandboxId)).toEqual({
      path: "/workspace/CLAUDE.md",
      text: "Use npm.",
      truncated: false,
    });
    await put("/workspace/AGENTS.md", `a${"é".repeat(40_000)}`);
    const guide = await loadAgentsMd(sandbox.provider, sandbox.sandboxId);
    expect(guide).toMatchObject({ path: "/workspace/AGENTS.md", truncated: true });
    expect(guide?.text).toBe(`a${"é".repeat(16_383)}`);
  });
});

test.each([
  ["# No front matter", "does not begin"],
  ["---\n- a\n---\n", "no fields"],
  ["---\nname: x\n---\n", "description"],
  [`---\nname: ${"x".repeat(65)}\ndescription: y\n---\n`, "name"],
  ["---\nname: x\ndescription: 5\n---\n", "description"],
])("a broken skill file %j says what is wrong", (text, words) => {
  const parsed = parseSkillFile(text);
  expect(parsed.ok).toBe(false);
  expect(parsed.ok ? "" : parsed.error).toContain(words);
});

test("front matter with Windows line ends and a folded description is read", () => {
  const parsed = parseSkillFile("---\r\nname: x\r\ndescription: >\r\n  one\r\n  two\r\n---\r\nBody");
  expect(parsed).toEqual({ ok: true, value: { name: "x", description: "one two" } });
});
