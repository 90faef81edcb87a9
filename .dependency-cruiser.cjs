// The import law of Dormouse (AGENTS.md). tests/import-law.test.ts shows that each rule catches what it forbids.
const only = (name, from, ...allowed) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: "\\.test\\.ts$|/testing/|conformance" },
  to: { path: "^(lib|app|components|tests)/", pathNot: allowed.join("|") },
});
const never = (name, from, to, comment) => ({ name, comment, severity: "error", from, to });
const code = { pathNot: "\\.test\\.tsx?$|^tests/|/testing/" };

/** Nouns from left to right; a noun calls only leftward (its contracts may be read by all). */
const NOUNS = ["secrets", "model", "git", "sandbox", "agent", "chat", "session", "share", "usage"];
const leftward = NOUNS.slice(0, -1).map((noun, index) =>
  never(
    `noun-order-${noun}`,
    { path: `^lib/${noun}/`, ...code },
    { path: `^lib/(${NOUNS.slice(index + 1).join("|")})/`, pathNot: "/contract\\.ts$" },
    "Nouns call only leftward; upward facts travel as rows.",
  ),
);

const PURE =
  "^lib/(sandbox/lifecycle|chat/(turn|history|naming|condense)|session/start|agent/(prompt|stuck)|git/(remote|diff|clone-failure))\\.ts$";

module.exports = {
  forbidden: [
    only("kernel-imports-nothing", "^lib/kernel/", "^lib/kernel/"),
    only("contracts-import-contracts", "^lib/[^/]+/contract\\.ts$", "^lib/kernel/", "/contract\\.ts$"),
    only("pure-files-stay-pure", PURE, "^lib/kernel/", "/contract\\.ts$"),
    never(
      "pure-files-do-no-io",
      { path: PURE },
      { dependencyTypes: ["core"], pathNot: "^(node:)?path$" },
      "A pure file has no clock, no disk, no network.",
    ),
    only(
      "stores-are-sql",
      "^lib/[^/]+/[a-z-]*store\\.ts$",
      "^lib/db/",
      "^lib/kernel/",
      "/contract\\.ts$",
      "/[a-z-]*store\\.ts$",
      "/(lifecycle|turn|start)\\.ts$",
    ),
    never(
      "services-know-no-engine",
      { path: "^lib/(secrets|model|git|sandbox|agent|chat|session|share|usage)/" },
      { path: "^lib/(workflows|engine|http)/|^lib/(runtime|boot)\\.ts$" },
      "Services write rows; the reconciler starts runs.",
    ),
    never(
      "services-know-no-next",
      { path: "^lib/(secrets|model|git|sandbox|agent|chat|session|share|usage|kernel|db)/" },
      { path: "node_modules/(next|workflow|@workflow)/" },
    ),
    only("workflows-call-steps", "^lib/workflows/[^/]+\\.ts$", "^lib/workflows/steps/", "^lib/db/lease\\.ts$"),
    never(
      "only-the-engine-starts-runs",
      { path: ".", pathNot: "^lib/engine/|^node_modules" },
      { path: "node_modules/workflow/dist/(api|runtime|internal)" },
    ),
    never(
      "only-the-engine-imports-workflows",
      { path: "^(lib|app|components)/", pathNot: "^lib/(engine|workflows)/|^app/\\.well-known/" },
      { path: "^lib/workflows/" },
    ),
    never(
      "engine-is-composed-at-the-root",
      { path: "^(app|components)/|^lib/(?!engine/|boot|shutdown|runtime)", ...code },
      { path: "^lib/engine/" },
    ),
    only("components-import-contracts", "^components/", "^components/", "/contract\\.ts$", "^lib/kernel/"),
    never("routes-are-leaves", { path: "." }, { path: "^app/.*/route\\.ts$" }, "Nobody imports a route."),
    never(
      "routes-call-services",
      { path: "^app/api/" },
      { path: "^lib/(db|engine|workflows)/|/[a-z-]*store\\.ts$|/providers/" },
    ),
    never(
      "providers-are-strangers",
      { path: "^lib/sandbox/providers/([^/]+)/" },
      { path: "^lib/sandbox/providers/", pathNot: "^lib/sandbox/providers/$1/" },
    ),
    never(
      "providers-are-chosen-at-the-root",
      { path: "^lib/(?!sandbox/providers/|boot)", ...code },
      { path: "^lib/sandbox/providers/" },
    ),
    never(
      "sql-lives-in-stores",
      {
        path: "^(lib|app|components)/",
        pathNot:
          "^lib/db/|/[a-z-]*store\\.ts$|^lib/sandbox/slots\\.ts$|^lib/engine/|^lib/(boot|runtime)\\.ts$|^lib/http/(identity|rate-limit)\\.ts$|\\.test\\.ts$",
      },
      { path: "node_modules/(drizzle-orm|pg)/" },
    ),
    never(
      "nobody-imports-a-test",
      { pathNot: "\\.test\\.tsx?$|^tests/|\\.e2e\\.ts$|/testing/" },
      { path: "\\.test\\.tsx?$|^tests/|/testing/" },
    ),
    never("no-cycles", { path: "^(lib|app|components)/" }, { circular: true }),
    ...leftward,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|\\.dormouse|app/\\.well-known)" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
