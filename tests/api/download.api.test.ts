import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { gitView } from "@/lib/sandbox/contract";
import { makeRepository } from "@/tests/fixtures/repos";
import { api, expectError } from "./subject";

const address = (sessionId: string, path: string) =>
  `/api/sessions/${sessionId}/files/download?path=${encodeURIComponent(path)}`;

/** The answer with its bytes, which the client of the suite would read as text. */
async function download(sessionId: string, path: string) {
  const answer = await fetch(`${api.url}${address(sessionId, path)}`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test("a file comes whole and byte by byte, a folder as an archive, and no browser would show either", async () => {
  const made = await api.ready({});
  await api.turn(
    made.chat.id,
    [
      "$ mkdir -p site/node_modules/x && head -c 3000000 /dev/urandom > site/big.bin && sha256sum site/big.bin | cut -c1-64 > site/sum",
      "$ printf '<script>alert(1)</script>' > 'site/page \"1\".html'; touch site/node_modules/x/y; ln -s /etc/passwd site/leak; : > site/empty; mkfifo pipe; ln -s /etc/passwd leak",
    ].join("\n"),
  );
  const page = await download(made.session.id, 'site/page "1".html');
  expect(page.bytes.toString()).toBe("<script>alert(1)</script>");
  expect(page.headers.get("content-type")).toBe("application/octet-stream");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("content-security-policy")).toContain("sandbox");
  expect(page.headers.get("content-disposition")).toBe(
    "attachment; filename=\"page _1_.html\"; filename*=UTF-8''page%20%221%22.html",
  );
  const big = await download(made.session.id, "site/big.bin");
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", big.bytes)).toString("hex");
  expect((await download(made.session.id, "site/sum")).bytes.toString().trim()).toBe(digest);
  expect((await download(made.session.id, "site/empty")).bytes.length).toBe(0);

  const folder = await download(made.session.id, "site");
  expect(folder.headers.get("content-disposition")).toContain('filename="site.tar.gz"');
  const listed = execFileSync("tar", ["--list", "--gzip"], { input: folder.bytes }).toString();
  expect(listed).toContain("site/big.bin");
  expect(listed).not.toContain("node_modules");
  const leak = execFileSync("tar", ["--extract", "--gzip", "--to-stdout", "./site/leak"], { input: folder.bytes });
  expect(leak.toString(), "a link stays a link").toBe("");
  expect((await download(made.session.id, "")).headers.get("content-disposition")).toContain("workspace.tar.gz");

  for (const path of ["missing", "pipe", "leak", "../etc", "/etc/passwd", "site/../../etc"]) {
    const answer = await api.get(address(made.session.id, path));
    expect([400, 404], `${path}: ${answer.text.slice(0, 100)}`).toContain(answer.status);
    expect(answer.text).not.toContain("root:");
  }
  await api.asleep(made.session.id);
  expectError(await api.get(address(made.session.id, "site/sum")), 409, "asleep");
  expect((await api.sandbox(made.session.id)).state, "a look does not wake").toBe("hibernated");
});

test("the branch, what is not pushed, what was pushed where, and words for the next commit are told, asleep too", async () => {
  const source = await makeRepository({ bare: true });
  const made = await api.ready({ repo: { url: source.path, newBranch: "told/x" } });
  const at = `/api/sessions/${made.session.id}/git`;
  const clean = await api.read(at, gitView);
  expect(clean).toMatchObject({ branch: "told/x", head: source.head, unpushed: 0, pushed: null, uncommitted: 0 });
  expect(clean).toMatchObject({ remote: source.path, proposedMessage: "", kept: false });

  await api.turn(made.chat.id, "write a.txt: one\nwrite b.txt: two");
  expect(await api.read(at, gitView)).toMatchObject({ uncommitted: 2, proposedMessage: "Add a.txt and b.txt" });
  await api.post(`${at}/commit`, {});
  const ahead = await api.read(at, gitView);
  expect(ahead).toMatchObject({ unpushed: 1, pushed: null, uncommitted: 0 });
  expect((await api.post(`${at}/commit`, { push: true })).status).toBe(200);
  const pushed = await api.read(at, gitView);
  expect(pushed).toMatchObject({ unpushed: 0, pushed: { sha: ahead.head, branch: "told/x" } });
  expect(await source.git("log", "-1", "--format=%s", "told/x")).toBe("Add a.txt and b.txt");

  await api.asleep(made.session.id);
  expect(await api.read(at, gitView)).toMatchObject({ kept: true, branch: "told/x", pushed: pushed.pushed });
  await source.remove();
});
