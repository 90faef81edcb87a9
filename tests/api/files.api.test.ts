import { describe, expect, test } from "vitest";
import { fileContentView, filesView, type UploadView, uploadView } from "@/lib/sandbox/contract";
import { withSetup } from "@/tests/fixtures/repos";
import { outputOf, parsed, toolParts } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

const root = (sessionId: string) => `/api/sessions/${sessionId}`;
const at = (path: string) => encodeURIComponent(path);

const folder = async (sessionId: string, path = "") =>
  (await api.read(`${root(sessionId)}/files${path ? `?path=${at(path)}` : ""}`, filesView)).entries;
const content = (sessionId: string, path: string) =>
  api.read(`${root(sessionId)}/files/content?path=${at(path)}`, fileContentView);

type Upload = readonly [name: string, bytes: string | Uint8Array<ArrayBuffer>];

async function upload(sessionId: string, ...files: Upload[]): Promise<UploadView["files"]> {
  const form = new FormData();
  for (const [name, bytes] of files) form.append("files", new Blob([bytes]), name);
  const answer = await api.post(`${root(sessionId)}/files`, undefined, { raw: form });
  return parsed(answer, answer.status === 201 ? 201 : answer.status === 202 ? 202 : 200, uploadView, "POST files")
    .files;
}

describe("files of an awake sandbox", () => {
  test("are listed one folder at a time, and read as text or base64", async () => {
    const made = await api.ready({});
    await api.turn(
      made.chat.id,
      "$ mkdir -p dir/sub && printf 'one\\ntwo\\n' > dir/a.txt && ln -s a.txt dir/link && printf '\\000\\001\\377' > dir/raw.bin && : > dir/empty",
    );
    const top = await folder(made.session.id);
    const dir = top.find(({ name }) => name === "dir");
    expect(dir).toMatchObject({ type: "directory" });
    expect(top.map(({ name }) => name)).not.toContain("sub");
    const inside = await folder(made.session.id, dir?.path ?? "");
    const types = Object.fromEntries(inside.map(({ name, type }) => [name, type]));
    expect(types).toEqual({ "a.txt": "file", empty: "file", link: "symlink", "raw.bin": "file", sub: "directory" });
    expect(inside.find(({ name }) => name === "a.txt")?.sizeBytes).toBe(8);
    const text = await content(made.session.id, inside.find(({ name }) => name === "a.txt")?.path ?? "");
    expect(text).toMatchObject({ encoding: "utf-8", content: "one\ntwo\n", lines: 2, sizeBytes: 8, truncated: false });
    const raw = await content(made.session.id, "dir/raw.bin");
    expect(raw.encoding).toBe("base64");
    expect([...Buffer.from(raw.content, "base64")]).toEqual([0, 1, 255]);
    expect((await content(made.session.id, "dir/empty")).content).toBe("");
  });

  test("that are large are cut with a marker", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "$ yes abcdefg | head -c 30000000 > big.txt");
    const view = await content(made.session.id, "big.txt");
    expect(view.sizeBytes).toBe(30_000_000);
    expect(view.truncated).toBe(true);
    expect(view.content.length).toBeLessThan(20_000_000);
  });

  test("outside the workspace, special or missing are refused without content, and nothing hangs", async () => {
    const made = await api.ready({});
    await api.turn(
      made.chat.id,
      "$ ln -s /etc/passwd leak; ln -s /proc/self/environ env; ln -s / rootlink; ln -s /dev/zero zero; mkfifo pipe; mkdir folder",
    );
    for (const path of [
      "../etc/passwd",
      "../../etc/passwd",
      "/etc/passwd",
      "folder/../../etc/passwd",
      "..\\..\\etc\\passwd",
      "%2e%2e/etc/passwd",
      "leak",
      "env",
      "rootlink/etc/passwd",
      "zero",
      "pipe",
      "folder",
      "nul\u0000byte",
      "missing.txt",
      "x".repeat(5_000),
    ]) {
      const answer = await api.get(`${root(made.session.id)}/files/content?path=${at(path)}`);
      expect([400, 404, 409, 422], `${path.slice(0, 40)}: ${answer.text.slice(0, 200)}`).toContain(answer.status);
      expect(answer.text).not.toContain("root:");
      expect(answer.text).not.toContain("PATH=");
    }
    for (const path of ["..", "/", "/etc", "rootlink", "rootlink/etc", "missing"]) {
      const answer = await api.get(`${root(made.session.id)}/files?path=${at(path)}`);
      if (path === "/" && answer.status === 200) continue; // the root of the files API is the workspace
      expect([400, 404, 409, 422], `${path}: ${answer.text.slice(0, 200)}`).toContain(answer.status);
      expect(answer.text).not.toContain("passwd");
    }
  });
});

describe("uploads", () => {
  test("land in the workspace where the agent finds them, one result each, with clean names and no overwriting", async () => {
    const made = await api.ready({});
    const first = await upload(
      made.session.id,
      ["notes.txt", "first"],
      ["../../etc/evil.txt", "evil"],
      ["a/b\\c.txt", "c"],
    );
    expect(first.map(({ ok }) => ok)).toEqual([true, true, true]);
    for (const { path } of first) {
      expect(path).toBeDefined();
      expect(path).not.toContain("..");
      expect((await content(made.session.id, path ?? "")).content.length).toBeGreaterThan(0);
    }
    const [second] = await upload(made.session.id, ["notes.txt", "second"]);
    expect(second?.path).toMatch(/notes \(2\)\.txt$/);
    expect((await content(made.session.id, first[0]?.path ?? "")).content).toBe("first");
    expect((await content(made.session.id, second?.path ?? "")).content).toBe("second");
    const turn = await api.turn(
      made.chat.id,
      "$ find / -name evil.txt -not -path '/proc/*' 2>/dev/null; find . -name 'notes*'",
    );
    expect(outputOf(toolParts(turn.message)[0])).not.toContain("/etc/evil.txt");
    expect(outputOf(toolParts(turn.message)[0])).toContain("notes (2).txt");
  });

  test("keep every byte", async () => {
    const made = await api.ready({});
    const bytes = new Uint8Array(700_000).map((_, index) => (index * 31 + (index >> 8)) & 255);
    const [file] = await upload(made.session.id, ["data.bin", bytes]);
    expect(file).toMatchObject({ ok: true, sizeBytes: 700_000 });
    const turn = await api.turn(made.chat.id, `$ sha256sum '${file?.path?.replace(/^\/workspace\//, "")}'`);
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    expect(outputOf(toolParts(turn.message)[0])).toContain(digest);
  });

  test("over the size limit are refused by name with the limit, beside those that fit", async () => {
    const made = await api.ready({});
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(1_200_000)]), "too-big.bin");
    form.append("files", new Blob(["fits"]), "fits.txt");
    const answer = await api.post(`${root(made.session.id)}/files`, undefined, { raw: form });
    if (answer.status === 413) {
      expectError(answer, 413, "too_large");
      return;
    }
    const { files } = uploadView.parse(answer.body);
    expect(files.map(({ ok }) => ok)).toEqual([false, true]);
    expect(files[0]?.error).toMatchObject({ code: "too_large", message: expect.stringMatching(/1 ?MB/) });
  });

  test("before READY wait and arrive", async () => {
    const source = await withSetup("sleep 2\n");
    const made = await api.create({ repo: { url: source.path } });
    const [file] = await upload(made.session.id, ["early.txt", "early bird"]);
    expect(file).toMatchObject({ ok: true, queued: true });
    expect((await api.started(made.session.id)).status).toBe("READY");
    const turn = await api.turn(made.chat.id, "$ find . -name early.txt -exec cat {} +");
    expect(outputOf(toolParts(turn.message)[0])).toContain("early bird");
    await source.remove();
  });

  test("can be named in a message", async () => {
    const made = await api.ready({});
    const [file] = await upload(made.session.id, ["attached.txt", "attached"]);
    const answer = await api.post(`/api/chats/${made.chat.id}/messages`, {
      id: "with-file",
      text: "say seen",
      files: [{ path: file?.path }],
    });
    expect(answer.status, answer.text).toBe(202);
    const turn = (answer.body as { turn: { id: string } }).turn.id;
    expect((await api.finished(made.chat.id, turn)).state).toBe("completed");
    expect(JSON.stringify((await api.messages(made.chat.id)).messages[0])).toContain("attached.txt");
  });

  test("without a file or as JSON are 400", async () => {
    const made = await api.ready({});
    expectError(await api.post(`${root(made.session.id)}/files`, { a: 1 }), 400, "malformed");
    expectError(await api.post(`${root(made.session.id)}/files`, undefined, { raw: new FormData() }), 400, "malformed");
  });
});

describe("files of a sleeping sandbox", () => {
  test("show the last known listing, and 409 asleep for content that was not kept", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "write kept-name.txt: x");
    await poll(
      () => folder(made.session.id),
      (entries) => entries.some(({ name }) => name === "kept-name.txt"),
      { what: "the listing" },
    );
    await api.asleep(made.session.id);
    const view = await api.read(`${root(made.session.id)}/files`, filesView);
    expect(view.asleep).toBe(true);
    expect(view.entries.map(({ name }) => name)).toContain("kept-name.txt");
    const answer = await api.get(`${root(made.session.id)}/files/content?path=never-opened.txt`);
    expectError(answer, 409, "asleep");
    expect((await api.sandbox(made.session.id)).state).toBe("hibernated");
  });
});
