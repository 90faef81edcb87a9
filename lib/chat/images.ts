import type { Deps } from "@/lib/deps";
import { findSandbox, providerId } from "@/lib/sandbox/store";
import type { ChatMessage } from "./contract";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
const MAX_IMAGE_BYTES = 4_000_000;
/** The newest of a conversation; providers refuse more than that, and each costs again with every step. */
const MAX_IMAGES = 10;

/** The media type of a file that models can take as an image, by its name; null for any other file. */
export function imageTypeOf(path: string): string | null {
  return MEDIA_TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""] ?? null;
}

/**
 * Shows the model the images that people attached: the newest ones, as they lie in the workspace now. One that is gone or too
 * large is left out; the message still names it.
 */
export async function withImages(
  deps: Deps,
  sandboxId: string,
  messages: readonly ChatMessage[],
): Promise<ChatMessage[]> {
  const wanted = messages
    .flatMap((message) => (message.metadata?.files ?? []).map((path) => ({ message, path })))
    .filter(({ path }) => imageTypeOf(path) !== null)
    .slice(-MAX_IMAGES);
  if (wanted.length === 0) return [...messages];
  const sandbox = await findSandbox(deps.db, sandboxId);
  if (!sandbox) return [...messages];
  const found = await Promise.all(
    wanted.map(async ({ message, path }) => ({ message, part: await readImage(deps, providerId(sandbox), path) })),
  );
  return messages.map((message) => {
    const images = found.flatMap((one) => (one.message === message && one.part ? [one.part] : []));
    return images.length === 0 ? message : { ...message, parts: [...message.parts, ...images] };
  });
}

async function readImage(deps: Deps, id: string, path: string): Promise<ChatMessage["parts"][number] | null> {
  const absolute = path.startsWith("/") ? path : `/workspace/${path}`;
  const mediaType = imageTypeOf(path);
  const content = await deps.provider.readFile(id, absolute, { maxBytes: MAX_IMAGE_BYTES }).catch(() => null);
  if (mediaType === null || content === null || content.sizeBytes > MAX_IMAGE_BYTES || content.sizeBytes === 0)
    return null;
  return { type: "file", mediaType, url: `data:${mediaType};base64,${Buffer.from(content.bytes).toString("base64")}` };
}
