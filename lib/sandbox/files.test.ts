import { expect, test } from "vitest";
import { cleanName, workspacePath } from "./files";

test("paths stay in the workspace", () => {
  expect(workspacePath("")).toEqual({ ok: true, value: "/workspace" });
  expect(workspacePath("a/../b")).toEqual({ ok: true, value: "/workspace/b" });
  expect(workspacePath("/workspace/x")).toEqual({ ok: true, value: "/workspace/x" });
  for (const outside of ["..", "../../etc/passwd", "/etc/passwd", "/workspace2/x", "a/../../x"])
    expect(workspacePath(outside)).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(workspacePath("a\0b")).toMatchObject({ ok: false, error: { code: "malformed" } });
});

test("upload names lose folders, dots in front, control characters and tricks of direction", () => {
  expect(cleanName("../../x.txt")).toBe("x.txt");
  expect(cleanName("C:\\temp\\y.txt")).toBe("y.txt");
  expect(cleanName("..")).toBe("file");
  expect(cleanName("")).toBe("file");
  expect(cleanName("a\u202Egnp.exe")).toBe("agnp.exe");
  expect(cleanName("-rf")).toBe("rf");
  expect(Buffer.byteLength(cleanName(`${"ü".repeat(300)}.txt`))).toBeLessThanOrEqual(200);
  expect(cleanName(`${"x".repeat(300)}.txt`).endsWith(".txt")).toBe(true);
});
