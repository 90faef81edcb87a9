import type { Deps } from "@/lib/deps";
import { orAborted } from "@/lib/kernel/retry";
import { findSandbox, providerId } from "@/lib/sandbox/store";
import type { ChatMessage } from "./contract";
import { imageKindOf } from "./image-kind";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};
/** Anthropic takes 5 MB of base64, which is a third longer. */
const MAX_IMAGE_BYTES = 3_700_000;
/** Of one request: Google takes 20 MB in all, with everything else in it. */
const MAX_SHOWN_BYTES = 12_000_000;
/** Anthropic refuses larger ones, such as the picture of a long page. */
const MAX_SIDE_PIXELS = 8_000;
/** The newest of a conversation; providers refuse more than that, and each costs again with every step. */
const MAX_IMAGES = 10;

/** The media type that a file which models can take as an image has by its name; null for any other file. */
export function imageTypeOf(path: string): string | null {
  return MEDIA_TYPES[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""] ?? null;
}

/**
 * Shows the model the images that people attached: the newest ones, as they lie in the workspace now. Of one that a provider
 * would refuse, and with it the whole request, the model is told why it is not there. Ends at once when the signal fires.
 */
export async function withImages(
  deps: Deps,
  sandboxId: string,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const wanted = messages
    .flatMap((message) => (message.metadata?.files ?? []).map((path) => ({ message, path })))
    .filter(({ path }) => imageTypeOf(path) !== null)
    .slice(-MAX_IMAGES);
  if (wanted.length === 0) return [...messages];
  const sandbox = await findSandbox(deps.db, sandboxId);
  if (!sandbox) return [...messages];
  const reading = wanted.map(async (one) => ({ ...one, image: await readImage(deps, providerId(sandbox), one.path) }));
  const found = await orAborted(Promise.all(reading), signal);
  if (found === null) return [...messages];
  const partsOf = new Map<ChatMessage, Part[]>();
  let leftBytes = MAX_SHOWN_BYTES;
  // The newest first, since what they leave is for older ones.
  for (const { message, path, image } of found.reverse()) {
    const fits = "bytes" in image && image.bytes.length <= leftBytes;
    if (fits) leftBytes -= image.bytes.length;
    const part = fits ? toPart(image) : toNote(path, "problem" in image ? image.problem : NO_ROOM);
    partsOf.set(message, [part, ...(partsOf.get(message) ?? [])]);
  }
  return messages.map((message) => ({ ...message, parts: [...message.parts, ...(partsOf.get(message) ?? [])] }));
}

type Part = ChatMessage["parts"][number];
interface Image {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

const NO_ROOM = "newer images take all the room that there is";

async function readImage(deps: Deps, id: string, path: string): Promise<Image | { readonly problem: string }> {
  const absolute = path.startsWith("/") ? path : `/workspace/${path}`;
  const content = await deps.provider.readFile(id, absolute, { maxBytes: MAX_IMAGE_BYTES }).catch(() => null);
  if (content === null) return { problem: "it could not be read" };
  if (content.sizeBytes > MAX_IMAGE_BYTES) return { problem: `it is larger than ${MAX_IMAGE_BYTES / 1e6} MB` };
  const kind = imageKindOf(content.bytes);
  if (!kind?.size || Math.min(kind.size.width, kind.size.height) === 0)
    return { problem: "its content is not a whole PNG, JPEG, GIF or WebP image" };
  const { width, height } = kind.size;
  if (Math.max(width, height) > MAX_SIDE_PIXELS)
    return { problem: `its ${width} × ${height} pixels are more than ${MAX_SIDE_PIXELS} on a side` };
  return { bytes: content.bytes, mediaType: kind.mediaType };
}

function toPart({ bytes, mediaType }: Image): Part {
  return { type: "file", mediaType, url: `data:${mediaType};base64,${bytes.toString("base64")}` };
}

function toNote(path: string, problem: string): Part {
  return { type: "text", text: `[The image ${path} is not shown: ${problem}.]` };
}
