import { expect, test } from "vitest";
import { imageKindOf } from "./image-kind";

const from64 = (text: string) => Buffer.from(text, "base64");
const JPEG = [
  [0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 72, 0, 72, 0, 0],
  [0xff, 0xff, 0xc4, 0, 4, 0, 0],
  [0xff, 0xc2, 0, 11, 8, 0x23, 0x28, 0, 1, 1, 1, 0x11, 0],
  [0xff, 0xd9],
];
const IMAGES: readonly (readonly [string, Buffer, number, number])[] = [
  ["png", from64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="), 1, 1],
  ["gif", from64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), 1, 1],
  ["webp", from64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"), 1, 1],
  ["webp", from64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="), 1, 1],
  ["jpeg", Buffer.from(JPEG.flat()), 1, 9000],
];

test.each(IMAGES)(
  "%s is known by its bytes with its size, and refused when its end is missing",
  (kind, bytes, width, height) => {
    const known = { mediaType: `image/${kind}`, size: { width, height } };
    expect(imageKindOf(bytes)).toEqual(known);
    // With bytes behind its end, as cameras leave them, it is still one.
    expect(imageKindOf(Buffer.concat([bytes, Buffer.alloc(8)]))).toEqual(known);
    for (let length = 0; length < 24; length++) expect(imageKindOf(bytes.subarray(0, length))).toBeNull();
  },
);

test("a JPEG whose segments lead nowhere has no size", () => {
  expect(imageKindOf(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, ...Buffer.alloc(20), 0xff, 0xd9]))).toEqual({
    mediaType: "image/jpeg",
    size: null,
  });
});

test.each([
  "",
  "P",
  "\x89PNG\r\n\x1a\n\0\0\0\rIHDRIEND",
  "GIF89a0000000;",
  "hello",
  "<svg></svg>",
  "%PDF-1.7",
  "RIFF0000WAVE",
  "\x89PNG",
  "GIF89a",
  "BM000000",
])("%j is no image", (text) => {
  expect(imageKindOf(Buffer.from(text, "latin1"))).toBeNull();
});
