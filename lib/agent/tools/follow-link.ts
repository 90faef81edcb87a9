import { posix } from "node:path";
import type { ToolContext } from "../tool";

/**
 * The file that a path stands for when it is a symbolic link, else the path itself: providers write by renaming, which
 * would put a file in the place of the link.
 */
export async function followLink(context: ToolContext, path: string): Promise<string> {
  const stat = await context.provider.stat(context.sandboxId, path);
  if (stat?.type !== "symlink") return path;
  const result = await context.provider.exec(context.sandboxId, {
    command: ["readlink", "-m", "--", posix.basename(path)],
    cwd: posix.dirname(path),
    signal: context.signal,
  });
  const target = result.stdout.toString().replace(/\n$/, "");
  return result.exitCode === 0 && target.startsWith("/") ? target : path;
}
