import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const config = createRequire(import.meta.url)(path.join(ROOT, ".dependency-cruiser.cjs")) as {
  forbidden: IForbiddenRuleType[];
  options: Record<string, unknown>;
};

/** For each rule one import that it must catch: file, then what the file imports. */
const FORBIDDEN: Readonly<Record<string, readonly [string, string]>> = {
  "kernel-imports-nothing": ["lib/kernel/a.ts", "lib/db/client.ts"],
  "contracts-import-contracts": ["lib/chat/contract.ts", "lib/chat/service.ts"],
  "pure-files-stay-pure": ["lib/sandbox/lifecycle.ts", "lib/sandbox/store.ts"],
  "pure-files-do-no-io": ["lib/chat/turn.ts", "node:fs"],
  "stores-are-sql": ["lib/chat/store.ts", "lib/chat/service.ts"],
  "services-know-no-engine": ["lib/session/service.ts", "lib/engine/reconciler.ts"],
  "services-know-no-next": ["lib/session/service.ts", "next/headers"],
  "workflows-call-steps": ["lib/workflows/turn.ts", "lib/chat/service.ts"],
  "only-the-engine-starts-runs": ["lib/boot.ts", "workflow/api"],
  "only-the-engine-imports-workflows": ["lib/session/create.ts", "lib/workflows/turn.ts"],
  "engine-is-composed-at-the-root": ["lib/http/page.ts", "lib/engine/reconciler.ts"],
  "components-import-contracts": ["components/chat/view.tsx", "lib/chat/service.ts"],
  "routes-are-leaves": ["lib/http/page.ts", "app/api/config/route.ts"],
  "routes-call-services": ["app/api/x/route.ts", "lib/chat/store.ts"],
  "providers-are-strangers": ["lib/sandbox/providers/fake/provider.ts", "lib/sandbox/providers/local/provider.ts"],
  "providers-are-chosen-at-the-root": ["lib/session/service.ts", "lib/sandbox/providers/local/provider.ts"],
  "sql-lives-in-stores": ["lib/session/service.ts", "drizzle-orm"],
  "nobody-imports-a-test": ["lib/chat/service.ts", "lib/chat/turn.test.ts"],
  "no-cycles": ["lib/kernel/b.ts", "lib/kernel/c.ts"],
  "noun-order-secrets": ["lib/secrets/vault.ts", "lib/model/catalog.ts"],
  "noun-order-model": ["lib/model/catalog.ts", "lib/git/gateway.ts"],
  "noun-order-git": ["lib/git/gateway.ts", "lib/sandbox/service.ts"],
  "noun-order-sandbox": ["lib/sandbox/service.ts", "lib/chat/service.ts"],
  "noun-order-agent": ["lib/agent/tool.ts", "lib/chat/service.ts"],
  "noun-order-chat": ["lib/chat/service.ts", "lib/session/service.ts"],
  "noun-order-session": ["lib/session/service.ts", "lib/share/service.ts"],
  "noun-order-share": ["lib/share/service.ts", "lib/usage/service.ts"],
};

/** Imports that the law allows; none of them may be reported. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ["lib/session/service.ts", "lib/chat/service.ts"],
  ["lib/sandbox/service.ts", "lib/chat/contract.ts"],
  ["app/api/x/route.ts", "lib/session/service.ts"],
  ["lib/engine/reconciler.ts", "lib/workflows/turn.ts"],
  ["components/chat/view.tsx", "lib/chat/contract.ts"],
  ["lib/chat/store.ts", "lib/db/client.ts"],
];

let folder: string;
let found: Set<string>;

async function violations(imports: readonly (readonly [string, string])[]): Promise<Set<string>> {
  rmSync(folder, { recursive: true, force: true });
  const lines = new Map<string, string[]>();
  for (const [from, to] of imports) {
    lines.set(from, [...(lines.get(from) ?? []), to]);
    if (/^(lib|app)\//.test(to) && !lines.has(to)) lines.set(to, []);
  }
  if (lines.has("lib/kernel/b.ts")) lines.set("lib/kernel/c.ts", ["lib/kernel/b.ts"]);
  for (const [file, targets] of lines) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    const specifier = (to: string) =>
      /^(lib|app)\//.test(to)
        ? path
            .relative(path.dirname(target), path.join(folder, to))
            .replace(/^(?!\.)/, "./")
            .replace(/\.tsx?$/, "")
        : to;
    writeFileSync(target, [...targets.map((to) => `import "${specifier(to)}";`), "export {};"].join("\n"));
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const { tsConfig: _, ...options } = config.options;
  const result = await cruise([...new Set([...lines.keys()].map((file) => file.split("/")[0] ?? ""))], {
    ...options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  return new Set(
    (result.output as ICruiseResult).summary.violations.map((violation) => `${violation.rule.name}: ${violation.from}`),
  );
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "import-law-"));
  found = await violations(Object.values(FORBIDDEN));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every rule has an example here", () => {
  expect(config.forbidden.map((rule) => rule.name).sort()).toEqual(Object.keys(FORBIDDEN).sort());
});

for (const [rule, [from, to]] of Object.entries(FORBIDDEN)) {
  test(`${rule} catches ${from} → ${to}`, () => expect([...found]).toContain(`${rule}: ${from}`));
}

test("what the law allows is not reported", async () => {
  expect([...(await violations(ALLOWED))]).toEqual([]);
}, 60_000);
