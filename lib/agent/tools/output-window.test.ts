import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutputWindow } from "./output-window";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("OutputWindow", () => {
  test("what fits comes out unchanged, however the bytes were cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        const window = new OutputWindow(1_000);
        const all = bytes(text);
        for (let at = 0; at < all.length; at += size) window.append(all.subarray(at, at + size));
        expect(window.render(1_000)).toBe(new TextDecoder().decode(all).replaceAll("\0", "\u2400"));
      }),
    );
  });

  test("what does not fit keeps both ends, and the number left out is exact", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 4, max: 300 }),
        fc.integer({ min: 1, max: 97 }),
        (length, max, size) => {
          const text = Array.from({ length }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
          const window = new OutputWindow(300);
          for (let at = 0; at < text.length; at += size) window.append(bytes(text.slice(at, at + size)));
          const shown = window.render(max);
          if (length <= max) {
            expect(shown).toBe(text);
            return;
          }
          const match = /^(.*)\n\[… (\d+) characters left out …\]\n(.*)$/s.exec(shown);
          const [head = "", omitted = "", tail = ""] = match?.slice(1) ?? [];
          expect(text.startsWith(head)).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(head.length + Number(omitted) + tail.length).toBe(length);
          expect(head.length + tail.length).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  test("a cut within a surrogate pair leaves nothing that cannot be stored", () => {
    const window = new OutputWindow(5);
    window.append(bytes("😀".repeat(100)));
    expect(window.render(5).isWellFormed()).toBe(true);
  });
});
