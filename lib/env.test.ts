import { expect, test } from "vitest";
import { parseEnv } from "./env";

test("an empty variable counts as unset, for every variable", () => {
  const names = [
    "PORT",
    "HOST",
    "DORMOUSE_MODEL",
    "DORMOUSE_SMALL_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "GOOGLE_GENERATIVE_AI_BASE_URL",
    "AI_GATEWAY_API_KEY",
    "AI_GATEWAY_BASE_URL",
    "DORMOUSE_IDLE_TIMEOUT_SECONDS",
    "DORMOUSE_MAX_ACTIVE",
    "DORMOUSE_EGRESS_ALLOW",
    "DORMOUSE_GIT_TOKENS",
    "DORMOUSE_CREATE_LIMIT",
    "DORMOUSE_RATE_LIMIT",
    "DORMOUSE_ALLOW_LOCAL_REPOS",
    "DORMOUSE_UPLOAD_MAX_MB",
    "DORMOUSE_SANDBOX_PROVIDER",
  ];
  expect(parseEnv(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(parseEnv({}));
});

test("defaults are those of the API document", () => {
  expect(parseEnv({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    idleTimeoutSeconds: 1800,
    uploadMaxBytes: 50 * 1024 * 1024,
    createLimit: { count: 10, seconds: 60 },
    rateLimit: null,
    allowLocalRepos: true,
    sandboxProvider: "local",
  });
});

test("in accounts mode requests are limited and local paths are off", () => {
  expect(parseEnv({ DORMOUSE_SIGN_IN: "accounts" })).toMatchObject({
    rateLimit: { count: 10, seconds: 1 },
    allowLocalRepos: false,
  });
});

test("a wrong value names its variable and what it must look like, never the value", () => {
  expect(() => parseEnv({ DORMOUSE_CREATE_LIMIT: "many-secret" })).toThrow(
    /DORMOUSE_CREATE_LIMIT: must look like 10\/60/,
  );
  expect(() => parseEnv({ DORMOUSE_CREATE_LIMIT: "many-secret" })).not.toThrow(/many-secret/);
  expect(() => parseEnv({ PORT: "abc" })).toThrow(/PORT/);
  expect(() => parseEnv({ DORMOUSE_IDLE_TIMEOUT_SECONDS: "0" })).toThrow(/DORMOUSE_IDLE_TIMEOUT_SECONDS/);
  expect(() => parseEnv({ DORMOUSE_GIT_TOKENS: "nonsense" })).toThrow(/host=token/);
});

test("git tokens are read per host, and a token may contain an equals sign", () => {
  expect(parseEnv({ DORMOUSE_GIT_TOKENS: "GitHub.com=a=b, gitlab.com=c" }).gitTokens).toEqual(
    new Map([
      ["github.com", "a=b"],
      ["gitlab.com", "c"],
    ]),
  );
});

test("limits can be switched off", () => {
  expect(parseEnv({ DORMOUSE_CREATE_LIMIT: "off", DORMOUSE_RATE_LIMIT: "5/2" })).toMatchObject({
    createLimit: null,
    rateLimit: { count: 5, seconds: 2 },
  });
});

test("a token of any length is one; what no header can carry is refused when it is set, not when it is used", () => {
  expect(parseEnv({ DORMOUSE_TOKEN: "t" }).ownerToken).toBe("t");
  for (const token of ["two words", "a,b", "x".repeat(501)])
    expect(() => parseEnv({ DORMOUSE_TOKEN: token })).toThrow(/DORMOUSE_TOKEN.*1 to 500/s);
});

test("keys and addresses of model providers are read, and an address that is none is named without its value", () => {
  const env = parseEnv({
    ANTHROPIC_API_KEY: "sk-a",
    OPENAI_BASE_URL: "http://127.0.0.1:11434/v1",
    DORMOUSE_MODEL: "a/b",
  });
  expect(env.models).toMatchObject({
    model: "a/b",
    smallModel: undefined,
    providers: {
      anthropic: { apiKey: "sk-a", baseUrl: undefined },
      openai: { apiKey: undefined, baseUrl: "http://127.0.0.1:11434/v1" },
      google: { apiKey: undefined },
    },
  });
  expect(() => parseEnv({ OPENAI_BASE_URL: "sk-secret" })).toThrow(/OPENAI_BASE_URL: must be an http or https URL/);
  expect(() => parseEnv({ OPENAI_BASE_URL: "sk-secret" })).not.toThrow(/sk-secret/);
});
