import type { DiffFile } from "@/lib/sandbox/contract";

type Changed = Pick<DiffFile, "path" | "oldPath" | "status">;

const SUBJECT_MAX_CHARS = 72;
const LISTED_FILES = 20;
const VERBS = { added: "Add", modified: "Change", deleted: "Remove", renamed: "Rename" } as const;

/** A plain commit message that says which files changed and how, and claims nothing about why. Pure. */
export function proposeMessage(files: readonly Changed[]): string {
  const [first] = files;
  if (!first) return "";
  const verbs = new Set(files.map((file) => VERBS[file.status]));
  const verb = verbs.size === 1 ? VERBS[first.status] : "Change";
  if (files.length === 1) return `${verb} ${fitting([nameOf(first), baseName(first.path)], verb)}`;
  if (files.length <= 3) {
    const named = [files.map(({ path }) => path), files.map(({ path }) => baseName(path))].map(enumerate);
    const fits = named.find((names) => `${verb} ${names}`.length <= SUBJECT_MAX_CHARS);
    if (fits) return `${verb} ${fits}`;
  }
  const folder = commonFolder(files.map(({ path }) => path));
  const count = `${files.length} files`;
  const subject = folder ? `${verb} ${fitting([`${count} in ${folder}`, count], verb)}` : `${verb} ${count}`;
  const listed = files.slice(0, LISTED_FILES).map((file) => `- ${VERBS[file.status].toLowerCase()} ${nameOf(file)}`);
  const rest = files.length - listed.length;
  return [subject, "", ...listed, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n");
}

function nameOf(file: Changed): string {
  const moved = file.status === "renamed" && file.oldPath && file.oldPath !== file.path;
  return oneLine(moved ? `${file.oldPath} to ${file.path}` : file.path);
}

function baseName(path: string): string {
  return oneLine(path.split("/").at(-1) ?? path);
}

/** The first of the texts that fits the subject line, else the last, cut. */
function fitting(texts: readonly string[], verb: string): string {
  const room = SUBJECT_MAX_CHARS - verb.length - 1;
  const fits = texts.find((text) => text.length <= room);
  return fits ?? `${(texts.at(-1) ?? "").slice(0, room - 1)}…`;
}

function enumerate(names: readonly string[]): string {
  const clean = names.map(oneLine);
  return clean.length < 2 ? clean.join("") : `${clean.slice(0, -1).join(", ")} and ${clean.at(-1)}`;
}

/** A file name may hold anything but NUL and a slash; a message must not break at it. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split("/").slice(0, -1));
  const [first = [], ...others] = folders;
  const depth = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  return oneLine((depth === -1 ? first : first.slice(0, depth)).join("/"));
}
