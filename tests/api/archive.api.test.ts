import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { diffView } from "@/lib/sandbox/contract";
import { processesWith } from "@/tests/fixtures/processes";
import { makeRepository } from "@/tests/fixtures/repos";
import { rows } from "@/tests/fixtures/rows";
import { outputOf, toolParts } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

const { dataDir, databaseUrl } = inject("main");

const archive = (id: string) => api.patch(`/api/sessions/${id}`, { status: "archived" });
const unarchive = (id: string) => api.patch(`/api/sessions/${id}`, { status: "running" });

/** A session with a commit, a changed file and an untracked one. */
async function withWork() {
  const source = await makeRepository();
  const made = await api.ready({ repo: { url: source.path, newBranch: "kept/work" } });
  await api.turn(
    made.chat.id,
    [
      "$ echo committed > committed.txt && git add committed.txt && git commit -qm 'work of the agent'",
      "$ echo changed >> README.md && mkdir -p new && echo untracked > new/untracked.txt && printf '\\000\\377' > new/raw.bin",
    ].join("\n"),
  );
  return { source, made };
}

describe("archiving", () => {
  test("keeps history, diff and work, and unarchiving brings commits and untracked files back", async () => {
    const { source, made } = await withWork();
    const id = made.session.id;
    const before = await api.read(`/api/sessions/${id}/diff`, diffView);
    const messages = (await api.messages(made.chat.id)).messages;
    const answer = await archive(id);
    expect(answer.status, answer.text).toBe(200);
    const view = await api.sandboxIn(id, "archived");
    expect(view.snapshot).toBeNull();
    const session = (await api.get(`/api/sessions/${id}`)).body as { session: Record<string, unknown> };
    expect(session.session).toMatchObject({
      status: "archived",
      archivedAt: expect.any(String),
      sandboxState: "archived",
    });

    const kept = await api.read(`/api/sessions/${id}/diff`, diffView);
    expect(kept.kept).toBe(true);
    expect(kept.files.map(({ path: name }) => name).sort()).toEqual(before.files.map(({ path: name }) => name).sort());
    expect((await api.messages(made.chat.id)).messages).toEqual(messages);
    expect((await api.history(made.chat.id)).length).toBeGreaterThan(5);
    expectError(await api.post(`/api/chats/${made.chat.id}/messages`, { id: "m-1", text: "hi" }), 410, "archived");
    expect([409, 410]).toContain((await api.post(`/api/sessions/${id}/sandbox/resume`)).status);

    const back = await unarchive(id);
    expect(back.status, back.text).toBe(200);
    await api.sandboxIn(id, "active");
    const turn = await api.turn(
      made.chat.id,
      "$ git log -1 --format=%s; git branch --show-current; tail -1 README.md; cat new/untracked.txt committed.txt; od -An -tx1 new/raw.bin; git status --porcelain",
    );
    const seen = outputOf(toolParts(turn.message)[0]);
    for (const word of ["work of the agent", "kept/work", "changed", "untracked", "committed", "00 ff", "?? new/"]) {
      expect(seen).toContain(word);
    }
    expect((await api.messages(made.chat.id)).messages.slice(0, messages.length)).toEqual(messages);
    await source.remove();
  });

  test("works from sleep without waking, and without a repository", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "write only.txt: only here");
    await api.asleep(made.session.id);
    await archive(made.session.id);
    await api.sandboxIn(made.session.id, "archived");
    await unarchive(made.session.id);
    await api.sandboxIn(made.session.id, "active");
    const turn = await api.turn(made.chat.id, "$ cat only.txt");
    expect(outputOf(toolParts(turn.message)[0])).toContain("only here");
  });

  test("stops a turn first, cancels a start, and is idempotent", async () => {
    const [working, starting] = await Promise.all([api.ready({}), api.create({ prompt: "$ sleep 50" })]);
    const sent = await api.send(working.chat.id, "$ sleep 50");
    await api.collect(working.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    for (const made of [working, starting]) {
      expect((await archive(made.session.id)).status).toBe(200);
      expect((await archive(made.session.id)).status).toBe(200);
    }
    await api.sandboxIn(working.session.id, "archived");
    await api.sandboxIn(starting.session.id, "archived");
    expect((await api.finished(working.chat.id, sent.turn.id)).state).toBe("stopped");
  });

  test("unarchiving in the middle of it is a 409 that says to try again, never a mixture", async () => {
    const made = await api.ready({});
    await archive(made.session.id);
    const answer = await unarchive(made.session.id);
    if (answer.status === 409) expect(expectError(answer, 409).retryable).toBe(true);
    else expect(answer.status, answer.text).toBe(200);
    const done = await poll(
      async () => ({ answer: await unarchive(made.session.id), view: await api.sandbox(made.session.id) }),
      (now) => now.answer.status === 200 && now.view.state === "active",
      { what: "an unarchived session" },
    );
    expect(done.view.wanted).toBe("awake");
  });

  test("moves the session between the lists and their counts", async () => {
    const made = await api.create({ title: "to be moved" });
    await archive(made.session.id);
    await api.sandboxIn(made.session.id, "archived");
    const ids = async (status: string) =>
      ((await api.get(`/api/sessions?status=${status}&q=moved`)).body as { sessions: { id: string }[] }).sessions.map(
        ({ id }) => id,
      );
    expect(await ids("active")).not.toContain(made.session.id);
    expect(await ids("archived")).toContain(made.session.id);
  });
});

describe("deleting", () => {
  test("leaves no file of the sandbox behind, whatever its state was", async () => {
    const [active, slept, archived, starting] = await Promise.all([
      api.ready({}),
      api.ready({}),
      api.ready({}),
      api.create({}),
    ]);
    await api.asleep(slept.session.id);
    const sandboxes = await rows<{ id: string }>(
      databaseUrl,
      "SELECT sandbox_id AS id FROM sessions WHERE id = ANY($1::uuid[])",
      [[active, slept, archived, starting].map(({ session }) => session.id)],
    );
    expect(sandboxes.length).toBe(4);
    await archive(archived.session.id);
    await api.sandboxIn(archived.session.id, "archived");
    await api.turn(active.chat.id, "$ (setsid sleep 4321 &) ; echo x");
    for (const made of [active, slept, archived, starting]) {
      expect((await api.delete(`/api/sessions/${made.session.id}`)).status).toBe(202);
      expectError(await api.get(`/api/sessions/${made.session.id}`), 404);
    }
    const ids = sandboxes.map(({ id }) => id);
    await poll(
      async () => (existsSync(dataDir) ? leftovers(dataDir, ids) : []),
      (left) => left.length === 0,
      { what: "no leftovers" },
    );
    await poll(
      async () => processesWith("sleep", "4321"),
      (pids) => pids.length === 0,
      { what: "no process of a deleted sandbox" },
    );
    const left = await rows(
      databaseUrl,
      "SELECT id FROM sandboxes WHERE id = ANY($1::uuid[]) UNION ALL SELECT id FROM sessions WHERE sandbox_id = ANY($1::uuid[])",
      [ids],
    );
    expect(left).toEqual([]);
  });

  /** Files of the data directory whose name holds the id of a sandbox that is gone. */
  function leftovers(folder: string, ids: readonly string[]): string[] {
    const found: string[] = [];
    const visit = (at: string, depth: number) => {
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        if (ids.some((id) => entry.name.includes(id))) found.push(path.join(at, entry.name));
        else if (entry.isDirectory() && depth < 3 && entry.name !== "postgres")
          visit(path.join(at, entry.name), depth + 1);
      }
    };
    visit(folder, 0);
    return found;
  }
});
