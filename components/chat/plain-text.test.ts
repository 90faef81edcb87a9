import { expect, it } from "vitest";
import { showDirection, terminalText } from "@/components/chat/plain-text";

it("shows what a terminal would have left on the screen", () => {
  expect(terminalText("\u001b[32mok\u001b[0m\n\u001b[1;31mbad\u001b[m")).toBe("ok\nbad");
  expect(terminalText("10 %\r50 %\r100 %\r\nnext")).toBe("100 %\nnext");
  expect(terminalText("bell\u0007 and\u0000 null")).toBe("bell and null");
  expect(terminalText("tab\tstays")).toBe("tab\tstays");
});

it("keeps the words of a hidden link and drops its address, closed or not", () => {
  const link = "\u001b]8;;https://evil.example/?d=1\u0007click\u001b]8;;\u0007 me";
  expect(terminalText(link)).toBe("click me");
  expect(terminalText("\u001b]8;;https://evil.example/\u001b\\click\u001b]8;;\u001b\\")).toBe("click");
  expect(terminalText("a \u001b]0;title that never ends\nnext")).toBe("a \nnext");
});

it("names marks that would turn a file name round", () => {
  expect(showDirection("photo\u202egnp.exe")).toBe("photo[U+202E]gnp.exe");
  expect(showDirection("קובץ.txt")).toBe("קובץ.txt");
});
