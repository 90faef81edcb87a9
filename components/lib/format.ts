/** `12 s`, `3 min 5 s`, `2 h 10 min`: a duration in words that fit a line. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** A distance in time in its largest unit: `now`, `5 min`, `3 h`, `12 d`. */
export function formatDistance(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} d`;
}

/** `512 B`, `4.0 kB`, `12 MB`: sizes in powers of 1000. */
export function formatBytes(sizeBytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = sizeBytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** The part of a repository's address that tells it from others: `owner/name`, or the last folders of a path. */
export function repoLabel(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*\//i, "").replace(/\.git\/?$/, "");
  return path.split("/").filter(Boolean).slice(-2).join("/") || url;
}

/** The first words of a text on one line, for a label. */
export function firstLine(text: string, maxChars = 120): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}
