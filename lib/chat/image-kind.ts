/**
 * The media type of an image by its bytes; null for what is none of the four kinds that models take, or has no end. A name says
 * nothing: a provider refuses the whole request for one file that is not what it is called.
 */
export function imageKindOf(bytes: Buffer): string | null {
  const startsWith = (text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;
  if (startsWith("\x89PNG\r\n\x1a\n") && startsWith("IHDR", 12)) return bytes.includes("IEND") ? "image/png" : null;
  if (startsWith("\xff\xd8\xff")) return bytes.lastIndexOf("\xff\xd9", undefined, "latin1") > 0 ? "image/jpeg" : null;
  if (startsWith("GIF87a") || startsWith("GIF89a"))
    return bytes.lastIndexOf(";", undefined, "latin1") > 12 ? "image/gif" : null;
  if (startsWith("RIFF") && startsWith("WEBPVP8", 8))
    return bytes.readUInt32LE(4) + 8 <= bytes.length ? "image/webp" : null;
  return null;
}
