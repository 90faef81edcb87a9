/**
 * Makes text safe to store and to send: a NUL character and half of a surrogate pair are legal in JavaScript but not in
 * the JSON of Postgres.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u2400");
}

/** The same for every string inside a JSON value. Returns the value itself when nothing had to change. */
export function storableJson(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  let changed = false;
  const copy = Object.entries(value).map(([key, entry]): [string, unknown] => {
    const kept: [string, unknown] = [storableText(key), storableJson(entry)];
    changed ||= kept[0] !== key || kept[1] !== entry;
    return kept;
  });
  if (!changed) return value;
  return Array.isArray(value) ? copy.map(([, entry]) => entry) : Object.fromEntries(copy);
}

/** Cuts a line to `maxChars` and says how much was left out. */
export function clipLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, maxChars)}… [${line.length - maxChars} more characters]`;
}

/** Text that is valid UTF-8, else null: a file in another encoding must not be written back changed. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A file with a NUL byte near its start is taken to be binary, as git does. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

/** `1 line`, `3 lines`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
