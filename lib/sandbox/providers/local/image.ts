import { open } from "node:fs/promises";
import { runTool } from "./tools";

/** Options of the image's mount; freed blocks go back to the host, and unused inode tables are never written. */
export const IMAGE_MOUNT = "noinit_itable,discard,nosuid,nodev,noatime";

/** Makes a sparse ext4 file system: a hard limit for what is written into it, at the price of what is really used. */
export async function createImage(file: string, sizeBytes: number, uid: number): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.truncate(sizeBytes);
  } finally {
    await handle.close();
  }
  const journal = sizeBytes >= 256 * 1024 * 1024 ? ["-J", "size=16"] : [];
  const extended = `lazy_itable_init=1,lazy_journal_init=1,nodiscard,root_owner=${uid}:${uid}`;
  // Source trees have many small files: one inode per 8 kB instead of per 16.
  await runTool(["mkfs.ext4", "-q", "-F", "-m", "0", "-i", "8192", ...journal, "-E", extended, file]);
}
