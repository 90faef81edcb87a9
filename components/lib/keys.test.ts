import { describe, expect, it } from "vitest";
import { hasModifier, type KeyPress, keyCaps, matchesKeys } from "@/components/lib/keys";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe("keys of a shortcut", () => {
  it("take Command on a Mac and Control elsewhere, never the other", () => {
    expect(matchesKeys(press("k", { ctrlKey: true }), "mod+k", false)).toBe(true);
    expect(matchesKeys(press("k", { metaKey: true }), "mod+k", true)).toBe(true);
    expect(matchesKeys(press("k", { ctrlKey: true }), "mod+k", true)).toBe(false);
    expect(matchesKeys(press("k", { metaKey: true }), "mod+k", false)).toBe(false);
    expect(matchesKeys(press("k"), "mod+k", false)).toBe(false);
  });

  it("need exactly their modifiers", () => {
    expect(matchesKeys(press("n"), "n", false)).toBe(true);
    expect(matchesKeys(press("N", { shiftKey: true }), "n", false)).toBe(false);
    expect(matchesKeys(press("n", { ctrlKey: true }), "n", false)).toBe(false);
    expect(matchesKeys(press("k", { ctrlKey: true, altKey: true }), "mod+k", false)).toBe(false);
  });

  it("find signs wherever the layout has them", () => {
    expect(matchesKeys(press("?", { shiftKey: true }), "?", false)).toBe(true);
    expect(matchesKeys(press("[", { ctrlKey: true, altKey: true }), "[", false)).toBe(true);
    expect(matchesKeys(press("[", { metaKey: true }), "[", true)).toBe(false);
    expect(matchesKeys(press(".", { ctrlKey: true }), "mod+.", false)).toBe(true);
  });

  it("go by the place of a key where the layout is not Latin", () => {
    expect(matchesKeys(press("л", { ctrlKey: true, code: "KeyK" }), "mod+k", false)).toBe(true);
  });

  it("are written as they are printed", () => {
    expect(keyCaps("mod+k", true)).toEqual(["⌘", "K"]);
    expect(keyCaps("mod+enter", false)).toEqual(["Ctrl", "Enter"]);
  });

  it("may be pressed in a field only with a modifier", () => {
    expect(hasModifier("mod+enter")).toBe(true);
    expect(hasModifier("?")).toBe(false);
    expect(hasModifier("n")).toBe(false);
  });
});
