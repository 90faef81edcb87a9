import { expect, test } from "vitest";
import { attachmentResponse, contentDisposition } from "./attachment";

test.each([
  ["notes.md", "attachment; filename=\"notes.md\"; filename*=UTF-8''notes.md"],
  ["gr\u00fc\u00dfe.txt", "attachment; filename=\"gr__e.txt\"; filename*=UTF-8''gr%C3%BC%C3%9Fe.txt"],
  [
    'a"; filename=evil.html',
    "attachment; filename=\"a_; filename=evil.html\"; filename*=UTF-8''a%22%3B%20filename%3Devil.html",
  ],
  ["../x", "attachment; filename=\".._x\"; filename*=UTF-8''.._x"],
  ["..", "attachment; filename=\"download\"; filename*=UTF-8''download"],
  ["a\r\nSet-Cookie: b", "attachment; filename=\"aSet-Cookie: b\"; filename*=UTF-8''aSet-Cookie%3A%20b"],
  ["exe\u202etxt", "attachment; filename=\"exetxt\"; filename*=UTF-8''exetxt"],
])("the name %j can neither end the header nor name a folder", (name, header) => {
  expect(contentDisposition(name)).toBe(header);
});

test("bytes are never shown by a browser, and are let go of when the reader leaves", async () => {
  let ended = false;
  async function* chunks() {
    try {
      for (;;) yield new Uint8Array([60, 98, 62]);
    } finally {
      ended = true;
    }
  }
  const answer = attachmentResponse({ name: "a.html", sizeBytes: 9, chunks: chunks() }, new AbortController().signal);
  expect(answer.headers.get("content-type")).toBe("application/octet-stream");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  const reader = answer.body?.getReader();
  expect((await reader?.read())?.value).toEqual(new Uint8Array([60, 98, 62]));
  await reader?.cancel();
  expect(ended).toBe(true);
});
