/** A title from the first words that a person wrote: one line, 80 characters at most; null when there is nothing to take. */
export function titleOf(text: string): string | null {
  const line = text
    .split("\n")
    .map((part) => part.replace(/\s+/g, " ").trim())
    .find((part) => part !== "");
  if (!line) return null;
  return line.length <= 80 ? line : `${line.slice(0, 79).trimEnd()}…`;
}
