import { homedir } from "node:os";
import path from "node:path";
import { z } from "zod";

/** An empty variable counts as unset (design.md, section 8). */
const text = z.preprocess((value) => (value === "" ? undefined : value), z.string().optional());

function integer(min: number, max: number, fallback: number) {
  return z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(min).max(max).default(fallback),
  );
}

const url = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
);

const flag = text.transform((value) =>
  value === undefined ? undefined : ["1", "true", "on", "yes"].includes(value.toLowerCase()),
);

/** `10/60`: ten in sixty seconds. `off` switches a limit off. */
const rate = text.transform((value, context) => {
  if (value === undefined || value === "off") return value === "off" ? "off" : undefined;
  const match = /^(\d+)\/(\d+)$/.exec(value);
  if (!match || Number(match[1]) < 1 || Number(match[2]) < 1) {
    context.addIssue({ code: "custom", message: "must look like 10/60 (count/seconds) or be `off`" });
    return z.NEVER;
  }
  return { count: Number(match[1]), seconds: Number(match[2]) };
});

/** As a header and an address can carry it (lib/http/identity.ts). */
const token = text.refine((value) => value === undefined || /^[^\s,]{1,500}$/.test(value), {
  message: "must be 1 to 500 characters without spaces and commas",
});

const list = text.transform((value) =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

const schema = z.object({
  PORT: integer(0, 65_535, 3000),
  HOST: text.transform((value) => value ?? "127.0.0.1"),
  DORMOUSE_DATA_DIR: text,
  XDG_STATE_HOME: text,
  DATABASE_URL: text,
  DORMOUSE_TOKEN: token,
  DORMOUSE_SIGN_IN: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.enum(["link", "accounts"]).default("link"),
  ),
  DORMOUSE_MODEL: text,
  DORMOUSE_SMALL_MODEL: text,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: url,
  GOOGLE_GENERATIVE_AI_API_KEY: text,
  GOOGLE_GENERATIVE_AI_BASE_URL: url,
  AI_GATEWAY_API_KEY: text,
  AI_GATEWAY_BASE_URL: url,
  DORMOUSE_IDLE_TIMEOUT_SECONDS: integer(1, 31_536_000, 1800),
  DORMOUSE_MAX_ACTIVE: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.coerce.number().int().min(1).max(10_000).optional(),
  ),
  DORMOUSE_EGRESS_ALLOW: list,
  DORMOUSE_ALLOW_LOCAL_REPOS: flag,
  DORMOUSE_GIT_TOKENS: list,
  DORMOUSE_GIT_NAME: text.transform((value) => value ?? "Dormouse"),
  DORMOUSE_GIT_EMAIL: text.transform((value) => value ?? "dormouse@localhost"),
  DORMOUSE_UPLOAD_MAX_MB: integer(1, 10_000, 50),
  DORMOUSE_SANDBOX_PROVIDER: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z.enum(["local", "fake"]).default("local"),
  ),
  DORMOUSE_CREATE_LIMIT: rate,
  DORMOUSE_RATE_LIMIT: rate,
  DORMOUSE_ALLOWED_ORIGINS: list,
  DORMOUSE_NODE: text,
});

/** Where one model provider is reached, as the environment says. */
export interface ProviderEnv {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

/** Model providers and the choice of models (docs/models.md). */
export interface ModelEnv {
  /** `provider/model` for new sessions; undefined: the first that a configured provider has, else the demo model. */
  readonly model: string | undefined;
  /** For titles, commit messages and summaries; undefined: chosen by the provider of the chat's model. */
  readonly smallModel: string | undefined;
  readonly providers: {
    readonly anthropic: ProviderEnv;
    readonly openai: ProviderEnv;
    readonly google: ProviderEnv;
    readonly gateway: ProviderEnv;
  };
}

export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

/** The settings of a deployment (api.md, "Settings"). */
export interface Env {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly ownerToken: string | undefined;
  readonly signIn: "link" | "accounts";
  readonly models: ModelEnv;
  readonly idleTimeoutSeconds: number;
  /** Undefined: by the machine's memory in one-machine mode, 3 in accounts mode. */
  readonly maxActive: number | undefined;
  readonly egressAllow: readonly string[];
  readonly allowLocalRepos: boolean;
  readonly gitTokens: ReadonlyMap<string, string>;
  readonly gitName: string;
  readonly gitEmail: string;
  readonly uploadMaxBytes: number;
  readonly sandboxProvider: "local" | "fake";
  readonly createLimit: Rate | null;
  readonly rateLimit: Rate | null;
  readonly allowedOrigins: readonly string[];
  /** The Node binary that is bound into sandboxes. */
  readonly nodePath: string;
}

/**
 * Reads the environment once at start.
 * @throws Error that names every variable that is wrong, and how; never its value.
 */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const parsed = schema.safeParse(source);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`These settings are not usable:\n${lines.join("\n")}`);
  }
  const env = parsed.data;
  const one = env.DORMOUSE_SIGN_IN === "link";
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DORMOUSE_DATA_DIR ?? defaultDataDir(env.XDG_STATE_HOME),
    databaseUrl: env.DATABASE_URL,
    ownerToken: env.DORMOUSE_TOKEN,
    signIn: env.DORMOUSE_SIGN_IN,
    models: {
      model: env.DORMOUSE_MODEL,
      smallModel: env.DORMOUSE_SMALL_MODEL,
      providers: {
        anthropic: { apiKey: env.ANTHROPIC_API_KEY, baseUrl: env.ANTHROPIC_BASE_URL },
        openai: { apiKey: env.OPENAI_API_KEY, baseUrl: env.OPENAI_BASE_URL },
        google: { apiKey: env.GOOGLE_GENERATIVE_AI_API_KEY, baseUrl: env.GOOGLE_GENERATIVE_AI_BASE_URL },
        gateway: { apiKey: env.AI_GATEWAY_API_KEY, baseUrl: env.AI_GATEWAY_BASE_URL },
      },
    },
    idleTimeoutSeconds: env.DORMOUSE_IDLE_TIMEOUT_SECONDS,
    maxActive: env.DORMOUSE_MAX_ACTIVE,
    egressAllow: env.DORMOUSE_EGRESS_ALLOW,
    allowLocalRepos: env.DORMOUSE_ALLOW_LOCAL_REPOS ?? one,
    gitTokens: parseGitTokens(env.DORMOUSE_GIT_TOKENS),
    gitName: env.DORMOUSE_GIT_NAME,
    gitEmail: env.DORMOUSE_GIT_EMAIL,
    uploadMaxBytes: env.DORMOUSE_UPLOAD_MAX_MB * 1024 * 1024,
    sandboxProvider: env.DORMOUSE_SANDBOX_PROVIDER,
    createLimit: toRate(env.DORMOUSE_CREATE_LIMIT, { count: 10, seconds: 60 }),
    rateLimit: toRate(env.DORMOUSE_RATE_LIMIT, one ? null : { count: 10, seconds: 1 }),
    allowedOrigins: env.DORMOUSE_ALLOWED_ORIGINS,
    nodePath: env.DORMOUSE_NODE ?? process.execPath,
  };
}

function toRate(value: Rate | "off" | undefined, fallback: Rate | null): Rate | null {
  if (value === "off") return null;
  return value ?? fallback;
}

function defaultDataDir(stateHome: string | undefined): string {
  if (process.getuid?.() === 0) return "/var/lib/dormouse";
  return path.join(stateHome ?? path.join(homedir(), ".local", "state"), "dormouse");
}

function parseGitTokens(items: readonly string[]): ReadonlyMap<string, string> {
  const tokens = new Map<string, string>();
  for (const item of items) {
    const at = item.indexOf("=");
    if (at < 1 || at === item.length - 1) throw new Error("DORMOUSE_GIT_TOKENS must look like host=token,host=token");
    tokens.set(item.slice(0, at).toLowerCase(), item.slice(at + 1));
  }
  return tokens;
}
