import { describe, expect, test } from "vitest";
import { patchChat } from "@/lib/chat/service";
import { touchSession } from "@/lib/chat/store";
import { appendEvents } from "@/lib/chat/stream-store";
import { lockSandbox } from "@/lib/sandbox/store";
import { must } from "@/lib/testing/scene";
import type { Answer } from "@/tests/fixtures/model-server/reply";
import {
  askedSmall,
  CLAUDE,
  DONE,
  enterProviders,
  events,
  scene,
  server,
  until,
  usageOf,
} from "@/tests/fixtures/provider-scene";
import { waitFor } from "@/tests/harness/wait-for";

enterProviders();

describe("titles and commit messages by the small model", () => {
  test("a chat and its session are named, and the first line stands until then", async () => {
    server.respond((request) => (request.model === "claude-haiku-4-5" ? { text: '"Repair the clock."' } : DONE));
    const session = await scene.create({ prompt: "please have a look at the clock\nit is wrong", model: CLAUDE });
    await until(session, "completed");
    await scene.driver.settle(async () => (await events(session, "title")).length > 0);
    const [row] = await scene.deps.query(
      "SELECT c.title, s.title AS session_title FROM chats c JOIN sessions s ON s.id = c.session_id WHERE c.id = $1",
      [session.chatId],
    );
    expect(row).toEqual({ title: "Repair the clock", session_title: "Repair the clock" });
    expect(askedSmall()).toHaveLength(1);
    expect((await usageOf(session)).total.calls).toBe(2);
  });

  test("never over a person's own title, also when it comes while the model thinks", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond((request) => (request.model === "claude-haiku-4-5" ? back.promise : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await scene.driver.settle(async () => askedSmall().length === 1);
    must(await patchChat(scene.deps, scene.deps.userId, session.chatId, { title: "Mine" }));
    back.resolve({ text: "Theirs" });
    await until(session, "completed");
    await scene.driver.settle();
    const [row] = await scene.deps.query("SELECT title FROM chats WHERE id = $1", [session.chatId]);
    expect(row).toEqual({ title: "Mine" });
    expect((await events(session, "title")).map(({ title }) => title)).toEqual(["Mine"]);
  });

  test("a name that comes while the session is archived does not deadlock with it", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond((request) => (request.model === "claude-haiku-4-5" ? back.promise : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await scene.driver.settle(async () => askedSmall().length === 1);
    await scene.driver.drain();
    // What archiving a session with a queued turn does, in its order.
    await scene.deps.db.transaction(async (tx) => {
      await lockSandbox(tx, session.sandboxId);
      await touchSession(tx, session.id);
      back.resolve({ text: "Repair the clock" });
      await waitFor(() => scene.somebodyWaits(), { what: "the name waits" });
      await appendEvents(tx, session.chatId, [{ kind: "notice", name: "x", source: "system", data: { message: "x" } }]);
    });
    await until(session, "completed");
    await scene.driver.settle(async () => (await events(session, "title")).length > 0);
    expect((await events(session, "title")).at(-1)).toEqual({ title: "Repair the clock" });
    expect(scene.deps.logged.join("\n")).not.toContain("could not be named");
  });

  test("a small model that fails leaves the plain title and costs the turn nothing", async () => {
    server.respond((request) => (request.model === "claude-haiku-4-5" ? { status: 400 } : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await until(session, "completed");
    await scene.driver.settle();
    const [row] = await scene.deps.query("SELECT title FROM chats WHERE id = $1", [session.chatId]);
    expect(row).toEqual({ title: "look at the clock" });
  });
});
