import { expect, test } from "vitest";
import { imageKindOf } from "./image-kind";

const from64 = (text: string) => Buffer.from(text, "base64");
const IMAGES: readonly (readonly [string, Buffer])[] = [
  ["image/png", from64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")],
  ["image/gif", from64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")],
  ["image/webp", from64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")],
  ["image/jpeg", Buffer.concat([from64("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAE="), Buffer.from([0xff, 0xd9])])],
];

test.each(IMAGES)("%s is known by its bytes, and refused when its end is missing", (kind, bytes) => {
  expect(imageKindOf(bytes)).toBe(kind);
  // With bytes behind its end, as cameras leave them, it is still one.
  expect(imageKindOf(Buffer.concat([bytes, Buffer.alloc(8)]))).toBe(kind);
  expect(imageKindOf(bytes.subarray(0, 16))).toBeNull();
});

test.each(["", "P", "hello", "<svg></svg>", "%PDF-1.7", "RIFF0000WAVE", "\x89PNG", "GIF89a", "BM000000"])(
  "%j is no image",
  (text) => {
    expect(imageKindOf(Buffer.from(text, "latin1"))).toBeNull();
  },
);
