import path from "node:path";
import { SandboxError } from "@/lib/sandbox/errors";
import type { FileContent, FileEntry, FileStat } from "@/lib/sandbox/provider";

interface MemoryFile {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly modifiedAt: Date;
}

const DEFAULT_READ_BYTES = 16 * 1024 * 1024;
const MAX_PATH_BYTES = 4_095;
const MAX_NAME_BYTES = 255;

/** The files of a fake sandbox. Folders and regular files only; nothing is a link, nothing is a device. */
export class FileTree {
  private readonly files = new Map<string, MemoryFile>();
  private readonly folders = new Map<string, Date>();

  constructor() {
    for (const folder of ["/", "/workspace", "/home", "/home/user", "/tmp"]) this.folders.set(folder, new Date());
  }

  /** A copy that shares nothing that can change. `/tmp` is memory and stays behind. */
  snapshot(): FileTree {
    const copy = new FileTree();
    for (const [place, file] of this.files) if (!place.startsWith("/tmp/")) copy.files.set(place, file);
    for (const [place, at] of this.folders) if (!place.startsWith("/tmp/")) copy.folders.set(place, at);
    return copy;
  }

  get sizeBytes(): number {
    let total = 0;
    for (const file of this.files.values()) total += file.bytes.length;
    return total;
  }

  read(name: string, range: { offsetBytes?: number; maxBytes?: number } = {}): FileContent {
    const place = normalize(name);
    if (this.folders.has(place)) throw notAFile(place);
    const file = this.files.get(place);
    if (!file) throw noSuchFile(place);
    const start = Math.max(0, range.offsetBytes ?? 0);
    const bytes = Buffer.from(file.bytes.subarray(start, start + (range.maxBytes ?? DEFAULT_READ_BYTES)));
    return { bytes, sizeBytes: file.bytes.length, mode: file.mode };
  }

  write(name: string, content: Uint8Array | string, mode?: number): void {
    const place = normalize(name);
    if (this.folders.has(place)) throw notAFile(place);
    this.makeFolder(path.posix.dirname(place));
    const kept = mode ?? this.files.get(place)?.mode ?? 0o644;
    this.files.set(place, { bytes: Buffer.from(content), mode: kept, modifiedAt: new Date() });
  }

  makeFolder(name: string): void {
    const place = normalize(name);
    for (let each = place; each !== "/"; each = path.posix.dirname(each)) {
      if (this.files.has(each)) {
        throw new SandboxError("permanent", `${each} is not a folder.`, { reason: "not_a_directory" });
      }
      if (!this.folders.has(each)) this.folders.set(each, new Date());
    }
  }

  isFolder(name: string): boolean {
    return this.folders.has(normalize(name));
  }

  remove(name: string): void {
    const place = normalize(name);
    for (const each of this.below(place)) {
      this.files.delete(each);
      this.folders.delete(each);
    }
  }

  move(from: string, to: string): void {
    const source = normalize(from);
    const target = normalize(to);
    const moved = this.below(source);
    if (moved.length === 0) throw noSuchFile(source);
    this.makeFolder(path.posix.dirname(target));
    for (const each of moved) {
      const place = target + each.slice(source.length);
      const file = this.files.get(each);
      if (file) this.files.set(place, file);
      else this.folders.set(place, new Date());
      this.files.delete(each);
      this.folders.delete(each);
    }
  }

  list(name: string, limit = 2_000): FileEntry[] {
    const folder = normalize(name);
    if (!this.folders.has(folder)) {
      if (!this.files.has(folder)) throw noSuchFile(folder);
      throw new SandboxError("permanent", `${folder} is not a folder.`, { reason: "not_a_directory" });
    }
    const entries: FileEntry[] = [];
    for (const place of [...this.folders.keys(), ...this.files.keys()]) {
      if (place === "/" || path.posix.dirname(place) !== folder) continue;
      const file = this.files.get(place);
      entries.push({
        name: path.posix.basename(place),
        path: place,
        type: file ? "file" : "directory",
        sizeBytes: file?.bytes.length ?? 0,
      });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit);
  }

  stat(name: string): FileStat | null {
    const place = normalize(name);
    const file = this.files.get(place);
    if (file) return { type: "file", sizeBytes: file.bytes.length, mode: file.mode, modifiedAt: file.modifiedAt };
    const modifiedAt = this.folders.get(place);
    return modifiedAt ? { type: "directory", sizeBytes: 0, mode: 0o755, modifiedAt } : null;
  }

  private below(place: string): string[] {
    return [...this.folders.keys(), ...this.files.keys()].filter(
      (each) => each === place || each.startsWith(`${place}/`),
    );
  }
}

function normalize(name: string): string {
  const tooLong =
    Buffer.byteLength(name) > MAX_PATH_BYTES || name.split("/").some((part) => part.length > MAX_NAME_BYTES);
  if (!name.startsWith("/") || name.includes("\0") || tooLong) {
    throw new SandboxError("permanent", "This is not a path.", { reason: "bad_path" });
  }
  const place = path.posix.normalize(name);
  return place.length > 1 && place.endsWith("/") ? place.slice(0, -1) : place;
}

function notAFile(place: string): SandboxError {
  return new SandboxError("permanent", `${place} is not a regular file.`, { reason: "not_a_file" });
}

function noSuchFile(place: string): SandboxError {
  return new SandboxError("not_found", `${place} does not exist.`, { reason: "no_such_file" });
}
