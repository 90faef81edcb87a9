/** What the bytes of a file say that it is; of a kind that models take. */
export interface ImageKind {
  readonly mediaType: string;
  /** Null where it is not written where it should be. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * The kind of an image by its bytes; null for what is none of the four that models take, or has no end. A name says nothing: a
 * provider refuses the whole request for one file that is not what it is called.
 */
export function imageKindOf(bytes: Buffer): ImageKind | null {
  // No image is so short, and what is read below is there.
  if (bytes.length < 24) return null;
  const startsWith = (text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;
  const endsWith = (text: string) => bytes.lastIndexOf(text, undefined, "latin1") > 12;
  if (startsWith("\x89PNG\r\n\x1a\n") && startsWith("IHDR", 12) && endsWith("IEND"))
    return { mediaType: "image/png", size: { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } };
  if (startsWith("\xff\xd8\xff") && endsWith("\xff\xd9")) return { mediaType: "image/jpeg", size: sizeOfJpeg(bytes) };
  if ((startsWith("GIF87a") || startsWith("GIF89a")) && endsWith(";"))
    return { mediaType: "image/gif", size: { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } };
  if (startsWith("RIFF") && startsWith("WEBPVP8", 8) && bytes.length >= 30 && bytes.readUInt32LE(4) + 8 <= bytes.length)
    return { mediaType: "image/webp", size: sizeOfWebp(bytes) };
  return null;
}

/** It stands in the first frame header; what comes before are segments that say how long they are. */
function sizeOfJpeg(bytes: Buffer): ImageKind["size"] {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    // A marker may have filling before it.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function sizeOfWebp(bytes: Buffer): ImageKind["size"] {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
}
