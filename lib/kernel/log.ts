/** Fields of a log line: ids, names, counts and durations. Never a body, a path of a person's file or a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** One JSON object a line on standard output or, for warnings and errors, on standard error. */
export function createLog(write: (level: string, line: string) => void = defaultWrite): Log {
  function emit(level: string, event: string, fields: LogFields = {}): void {
    write(level, JSON.stringify({ at: new Date().toISOString(), level, event, ...fields }));
  }
  return {
    info: (event, fields) => emit("info", event, fields),
    warn: (event, fields) => emit("warn", event, fields),
    error: (event, fields) => emit("error", event, fields),
  };
}

function defaultWrite(level: string, line: string): void {
  (level === "info" ? process.stdout : process.stderr).write(`${line}\n`);
}

/** The words of an unknown error, first line only, with URLs' credentials taken out. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return redact(text.split("\n", 1)[0] ?? "").slice(0, 500);
}

/**
 * Where an error was thrown: the first call sites of its stack. Not the lines before them: the message of a failed query has its
 * parameters in it, and these are what people wrote.
 */
export function callSites(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(" | ");
}

/** Takes `user:password@` out of every URL in a text and masks bearer tokens. */
export function redact(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1")
    .replace(/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 ***");
}
