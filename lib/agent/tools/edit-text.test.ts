import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replaceText } from "./edit-text";

const edit = (
  text: string,
  oldString: string,
  newString: string,
  more: { replaceAll?: boolean; again?: boolean } = {},
) => replaceText(text, { oldString, newString, replaceAll: false, again: false, ...more });

describe("replaceText", () => {
  test("replaces exactly what was asked for, whatever the texts hold", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, fresh, after) => {
        const text = before + old + after;
        fc.pre(text.indexOf(old) === before.length && text.indexOf(old, before.length + 1) < 0 && !text.includes("\n"));
        expect(edit(text, old, fresh)).toMatchObject({
          kind: "replaced",
          text: before + fresh + after,
          replacements: 1,
        });
      }),
    );
  });

  test("line ends of Windows are kept: a line break in either text stands for one", () => {
    const outcome = edit("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz");
    expect(outcome).toMatchObject({ kind: "replaced", text: "x\r\ny\r\nz\r\nc\r\n" });
    expect(edit("a\r\nb\r\n", "b", "b\nd")).toMatchObject({ text: "a\r\nb\r\nd\r\n" });
    expect(edit("a\r\nb\r\n", "a\r\nb", "c\r\nd")).toMatchObject({ text: "c\r\nd\r\n" });
  });

  test("a byte order mark stays", () => {
    expect(edit("\uFEFFa b", "b", "c")).toMatchObject({ text: "\uFEFFa c" });
  });

  test("several matches are refused with their lines, or all replaced when asked for", () => {
    expect(edit("x\ny\nx\n", "x", "z")).toEqual({ kind: "ambiguous", matches: 2, lines: [1, 3] });
    expect(edit("x\ny\nx\n", "x", "z", { replaceAll: true })).toMatchObject({
      text: "z\ny\nz\n",
      replacements: 2,
      line: 1,
    });
  });

  test("the nearest lines are those most like the wanted one, also when only blanks differ", () => {
    const text = "function add(a, b) {\n\treturn a + b;\n}\nfunction mul(a, b) {\n";
    const outcome = edit(text, "  return a + b;\n}", "x");
    expect(outcome).toMatchObject({ kind: "not_found", nearest: [{ line: 2, text: "\treturn a + b;" }] });
    expect(edit(text, "zzzz", "x")).toEqual({ kind: "not_found", nearest: [] });
  });

  test.each([
    ["the new text is there and the old one is not", "b\n", "a", "b", "already_applied"],
    ["the old text is a part of the new one", "ab\n", "a", "ab", "already_applied"],
    ["a deletion has been made", "b\n", "a", "", "already_applied"],
    ["nothing has been done yet", "a\n", "a", "b", "replaced"],
    ["neither text is there", "c\n", "a", "b", "not_found"],
  ])("a second execution, when %s", (_name, text, oldString, newString, kind) => {
    expect(edit(text, oldString, newString, { again: true }).kind).toBe(kind);
  });

  test("a large file is edited in linear time", () => {
    const text = "some line of text\n".repeat(200_000);
    const startedAt = performance.now();
    expect(edit(text, "line", "row", { replaceAll: true })).toMatchObject({ replacements: 200_000 });
    expect(edit(text, "not in there at all", "x").kind).toBe("not_found");
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
