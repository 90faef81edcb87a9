/** A folder with a SKILL.md that tells the agent how to do one kind of work. */
export interface Skill {
  readonly name: string;
  /** Empty when the skill is broken. */
  readonly description: string;
  /** Of its SKILL.md. */
  readonly path: string;
  readonly source: "repository" | "user";
  /** Why it cannot be used, in words; the page lists broken skills too. */
  readonly problem?: string;
}

/** Guidance that the repository brings along. */
export interface RepositoryGuide {
  readonly path: string;
  readonly text: string;
  readonly truncated: boolean;
}
