import { posix } from "node:path";
import type { ToolResult } from "../tool";
import { failed } from "./failures";

export const WORKSPACE = "/workspace";

/** Where the agent may write with its file tools; everything else in a sandbox belongs to the system. */
const WRITABLE_ROOTS = [WORKSPACE, "/home/user", "/tmp"] as const;

/** Absolute and without `..`; relative paths are taken from the workspace, `~` is the home folder. */
export function resolvePath(path: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? `/home/user${path.slice(1)}` : path;
  return posix.resolve(WORKSPACE, expanded);
}

/** The path as a person reads it: relative within the workspace. */
export function displayPath(path: string): string {
  const resolved = resolvePath(path);
  const relative = posix.relative(WORKSPACE, resolved);
  return relative === "" ? "." : relative.startsWith("..") ? resolved : relative;
}

/** Null when the path may be written, else the refusal in words. */
export function refuseWriteOutside(path: string): ToolResult | null {
  const resolved = resolvePath(path);
  if (WRITABLE_ROOTS.some((root) => resolved.startsWith(`${root}/`))) return null;
  return failed(
    "outside_workspace",
    `${resolved} is outside the folders that can be written: ${WRITABLE_ROOTS.join(", ")}. Use a path inside ${WORKSPACE}.`,
  );
}
