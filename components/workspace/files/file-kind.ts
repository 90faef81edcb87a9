const IMAGES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  bmp: "image/bmp",
  ico: "image/x-icon",
  svg: "image/svg+xml",
};

/** Endings and names of files, and the grammar that reads them; the names are those of `highlighter.ts`. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "jsx",
  json: "json",
  jsonc: "jsonc",
  json5: "json",
  css: "css",
  scss: "scss",
  less: "less",
  html: "html",
  htm: "html",
  vue: "vue",
  svelte: "svelte",
  xml: "xml",
  svg: "xml",
  md: "markdown",
  mdx: "mdx",
  py: "python",
  pyi: "python",
  rs: "rust",
  go: "go",
  java: "java",
  kt: "kotlin",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hpp: "cpp",
  cs: "csharp",
  swift: "swift",
  rb: "ruby",
  php: "php",
  sh: "shellscript",
  bash: "shellscript",
  zsh: "shellscript",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  ini: "ini",
  cfg: "ini",
  sql: "sql",
  lua: "lua",
  diff: "diff",
  patch: "diff",
  tf: "hcl",
  hcl: "hcl",
  graphql: "graphql",
  gql: "graphql",
  proto: "proto",
  ex: "elixir",
  exs: "elixir",
  scala: "scala",
  dart: "dart",
  dockerfile: "docker",
  makefile: "make",
  mk: "make",
  gemfile: "ruby",
  rakefile: "ruby",
};

/** How a file is shown, told by its name. Pure. */
export interface FileKind {
  /** The type of an image that a browser draws, or null. */
  readonly image: string | null;
  readonly markdown: boolean;
  /** The grammar for its text, or null. */
  readonly language: string | null;
}

export function fileKind(path: string): FileKind {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return {
    image: own(IMAGES, ending),
    markdown: ending === "md" || ending === "mdx" || ending === "markdown",
    language: own(LANGUAGES, ending),
  };
}

function own(table: Readonly<Record<string, string>>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
