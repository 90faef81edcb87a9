import {
  createCssVariablesTheme,
  createHighlighterCore,
  type DynamicImportLanguageRegistration,
  type GrammarState,
} from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** The grammars, each a file of its own that is fetched when the first such file is looked at. */
const GRAMMARS: Readonly<Record<string, DynamicImportLanguageRegistration>> = {
  typescript: () => import("shiki/langs/typescript.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  scss: () => import("shiki/langs/scss.mjs"),
  less: () => import("shiki/langs/less.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  vue: () => import("shiki/langs/vue.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  mdx: () => import("shiki/langs/mdx.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  shellscript: () => import("shiki/langs/shellscript.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  hcl: () => import("shiki/langs/hcl.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  proto: () => import("shiki/langs/proto.mjs"),
  elixir: () => import("shiki/langs/elixir.mjs"),
  scala: () => import("shiki/langs/scala.mjs"),
  dart: () => import("shiki/langs/dart.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  make: () => import("shiki/langs/make.mjs"),
};

/** The colours are the `--code-…` names of globals.css, so that light and dark need no second pass. */
const THEME = createCssVariablesTheme({ name: "dormouse", variablePrefix: "--code-", fontStyle: false });
/** A hostile line must not hold the page: one that takes longer, or is longer, stays plain. The first also compiles the grammar. */
const LINE_LIMITS = { tokenizeTimeLimit: 500, tokenizeMaxLineLength: 2_000 };
/** Lines that are coloured in one go, after which the page has its turn. */
const LINES_AT_A_TIME = 20;
/** After this the rest of a file stays plain. */
const PATIENCE_MS = 2_000;

// Plain JavaScript expressions: the policy of the page allows no WebAssembly.
const created = createHighlighterCore({
  themes: [THEME],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

export interface CodeToken {
  readonly text: string;
  readonly color: string | undefined;
}

/**
 * The lines of a text as coloured pieces, fewer than it has when they take too long, or null for a language that we have no
 * grammar for. Text only, never markup.
 */
export async function highlightCode(text: string, language: string): Promise<CodeToken[][] | null> {
  const grammar = Object.hasOwn(GRAMMARS, language) ? GRAMMARS[language] : undefined;
  if (!grammar) return null;
  const highlighter = await created;
  await highlighter.loadLanguage(grammar);
  const source = text.split(/\r?\n/);
  const lines: CodeToken[][] = [];
  const startedAt = performance.now();
  let state: GrammarState | undefined;
  for (let at = 0; at < source.length && performance.now() - startedAt < PATIENCE_MS; at += LINES_AT_A_TIME) {
    const part = source.slice(at, at + LINES_AT_A_TIME).join("\n");
    const options = { lang: language, theme: "dormouse", ...LINE_LIMITS };
    const made = highlighter.codeToTokens(part, state ? { ...options, grammarState: state } : options);
    state = made.grammarState;
    for (const tokens of made.tokens) lines.push(tokens.map(({ content, color }) => ({ text: content, color })));
    await new Promise((resume) => setTimeout(resume));
  }
  return lines;
}
