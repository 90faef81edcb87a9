import { describe, expect, test } from "vitest";
import type { SendMessageView } from "@/lib/chat/contract";
import { type BorrowContext, borrow } from "./borrow";
import { newMessageId, textOf } from "./client";
import { api, expectError } from "./subject";

/** A chat whose agent works for a while, so that what is sent stays queued. */
async function busy(context: BorrowContext): Promise<{ chatId: string; running: string }> {
  const made = await borrow(context);
  const sent = await api.send(made.chat.id, "$ sleep 60");
  await api.collect(made.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
  return { chatId: made.chat.id, running: sent.turn.id };
}

const stop = (chatId: string) => api.post(`/api/chats/${chatId}/stop`);

describe("sending", () => {
  test("answers 202 with message, turn and place in the queue", async (context) => {
    const made = await borrow(context);
    const id = newMessageId();
    const sent = await api.send(made.chat.id, "say hi", id);
    expect(sent.message).toMatchObject({ id, role: "user", parts: [{ type: "text", text: "say hi" }] });
    expect(sent.message.metadata.turnId).toBe(sent.turn.id);
    expect(sent.turn.state).toBe("queued");
    expect(sent.queuePosition).toBeGreaterThanOrEqual(0);
    const turn = await api.finished(made.chat.id, sent.turn.id);
    expect(turn.state).toBe("completed");
    const { messages } = await api.messages(made.chat.id);
    expect(messages[0]).toMatchObject({ id, metadata: { status: "delivered" } });
  });

  test("the same id twenty times at once is stored once, with the same answer", async (context) => {
    const { chatId } = await busy(context);
    const id = newMessageId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`/api/chats/${chatId}/messages`, { id, text: "say once" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const views = answers.map(({ body }) => body as SendMessageView);
    expect(new Set(views.map(({ turn }) => turn.id)).size).toBe(1);
    expect(new Set(views.map(({ queuePosition }) => queuePosition)).size).toBe(1);
    const stored = (await api.messages(chatId)).messages.filter((message) => message.id === id);
    expect(stored.length).toBe(1);
    await stop(chatId);
    const turn = await api.finished(chatId, views[0]?.turn.id ?? "");
    expect(turn.text).toContain("once");
    const again = await api.post(`/api/chats/${chatId}/messages`, { id, text: "say once" });
    expect(again.status).toBe(202);
    expect((again.body as SendMessageView).turn.id).toBe(turn.id);
    const queued = (await api.history(chatId)).filter(
      (event) => event.name === "message" && event.source === "user" && event.status === "queued",
    );
    expect(queued.length).toBe(2);
  });

  test("joins the queued turn; its messages are delivered in order by one turn", async (context) => {
    const { chatId, running } = await busy(context);
    const sent = [];
    for (const word of ["alpha", "beta", "gamma"]) sent.push(await api.send(chatId, `say ${word}`));
    expect(new Set(sent.map(({ turn }) => turn.id)).size).toBe(1);
    expect(sent[0]?.turn.id).not.toBe(running);
    const positions = sent.map(({ queuePosition }) => queuePosition);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions[0]).toBeGreaterThanOrEqual(1);
    await stop(chatId);
    expect((await api.finished(chatId, sent[0]?.turn.id ?? "")).state).toBe("completed");
    const users = (await api.messages(chatId)).messages.filter(({ role }) => role === "user");
    expect(users.map(textOf)).toEqual(["$ sleep 60", "say alpha", "say beta", "say gamma"]);
    expect(users.every(({ metadata }) => metadata?.status === "delivered")).toBe(true);
  });

  test("before READY queues in order, and nothing is lost", async () => {
    const made = await api.create({ prompt: "say one" });
    const second = await api.send(made.chat.id, "say two");
    const third = await api.send(made.chat.id, "say three");
    await api.finished(made.chat.id, third.turn.id);
    await api.finished(made.chat.id, second.turn.id);
    const users = (await api.messages(made.chat.id)).messages.filter(({ role }) => role === "user");
    expect(users.map(textOf)).toEqual(["say one", "say two", "say three"]);
    expect(users.every(({ metadata }) => metadata?.status === "delivered")).toBe(true);
  });

  test.for([
    ["no text and no files", { id: "m-1", text: "" }],
    ["blank text", { id: "m-1", text: "  \n " }],
    ["no id", { text: "hello" }],
    ["a bad id", { id: "a b/c", text: "hello" }],
    ["too much text", { id: "m-1", text: "x".repeat(200_001) }],
    ["parts of its own", { id: "m-1", text: "x", parts: [{ type: "tool-bash", state: "output-available" }] }],
    ["a role", { id: "m-1", text: "x", role: "assistant" }],
  ] as const)("with %s is 400 and stores nothing", async ([, body]) => {
    const made = await api.create({});
    expectError(await api.post(`/api/chats/${made.chat.id}/messages`, body), 400, "malformed");
    expect((await api.messages(made.chat.id)).messages).toEqual([]);
  });

  test("the id of a message of another chat does not show or change that one", async () => {
    const [one, two] = await Promise.all([api.create({}), api.create({})]);
    const id = newMessageId();
    await api.send(one.chat.id, "say in one", id);
    const answer = await api.post(`/api/chats/${two.chat.id}/messages`, { id, text: "say in two" });
    expect([202, 409]).toContain(answer.status);
    expect(answer.text).not.toContain("say in one");
    expect((await api.messages(one.chat.id)).messages.filter((message) => message.id === id).map(textOf)).toEqual([
      "say in one",
    ]);
  });

  test("to an archived session is 410", async () => {
    const made = await api.ready({});
    await api.patch(`/api/sessions/${made.session.id}`, { status: "archived" });
    await api.sandboxIn(made.session.id, "archived");
    expectError(await api.post(`/api/chats/${made.chat.id}/messages`, { id: "m-1", text: "hello" }), 410, "archived");
  });
});

describe("a queued message", () => {
  test("can be edited and removed, and the agent sees only what is left", async (context) => {
    const { chatId } = await busy(context);
    const [kept, edited, removed] = [newMessageId(), newMessageId(), newMessageId()];
    const sent = await api.send(chatId, "say kept-text", kept);
    await api.send(chatId, "say before-edit", edited);
    await api.send(chatId, "say to-be-removed", removed);
    const patch = await api.patch(`/api/chats/${chatId}/messages/${edited}`, { text: "say after-edit" });
    expect(patch.status, patch.text).toBe(200);
    expect((await api.delete(`/api/chats/${chatId}/messages/${removed}`)).status).toBeLessThan(300);
    expectError(await api.delete(`/api/chats/${chatId}/messages/${removed}`), 404, "not_found");
    await stop(chatId);
    await api.finished(chatId, sent.turn.id);
    const texts = (await api.messages(chatId)).messages.map(textOf).join("\n");
    expect(texts).toContain("after-edit");
    expect(texts).toContain("kept-text");
    expect(texts).not.toContain("before-edit");
    expect(texts).not.toContain("to-be-removed");
    const statuses = (await api.history(chatId))
      .filter((event) => event.kind === "action" && event.name === "message" && event.source === "user")
      .map(({ status }) => status);
    for (const status of ["queued", "edited", "removed", "delivered"]) expect(statuses).toContain(status);
    expectError(await api.patch(`/api/chats/${chatId}/messages/${kept}`, { text: "late" }), 409, "conflict");
    expectError(await api.delete(`/api/chats/${chatId}/messages/${kept}`), 409, "conflict");
  });

  test("when the last of its turn is removed, no turn is left to run", async (context) => {
    const { chatId, running } = await busy(context);
    const id = newMessageId();
    const sent = await api.send(chatId, "say never", id);
    await api.delete(`/api/chats/${chatId}/messages/${id}`);
    await stop(chatId);
    await api.finished(chatId, running);
    const after = await api.turn(chatId, "say finally");
    expect(after.state).toBe("completed");
    if (sent.turn.id !== after.id) {
      const ofRemoved = (await api.history(chatId)).filter((event) => event.turnId === sent.turn.id);
      expect(ofRemoved.filter(({ source }) => source === "agent")).toEqual([]);
    }
    expect((await api.messages(chatId)).messages.map(textOf).join()).not.toContain("never");
  });
});

describe("paging", () => {
  test("goes back by cursor without gap or double, and eventSeq is the last event", async (context) => {
    const made = await borrow(context);
    for (let index = 0; index < 4; index += 1) await api.turn(made.chat.id, `say number ${index}`);
    const all = await api.messages(made.chat.id);
    expect(all.messages.length).toBe(8);
    expect(all.cursor).toBeNull();
    const seen: string[] = [];
    let page = await api.messages(made.chat.id, "?limit=3");
    expect(page.messages.map(({ id }) => id)).toEqual(all.messages.slice(-3).map(({ id }) => id));
    for (;;) {
      seen.unshift(...page.messages.map(({ id }) => id));
      if (!page.cursor) break;
      page = await api.messages(made.chat.id, `?limit=3&before=${encodeURIComponent(page.cursor)}`);
    }
    expect(seen).toEqual(all.messages.map(({ id }) => id));
    const history = await api.history(made.chat.id);
    expect(all.eventSeq).toBe(history.at(-1)?.seq);
    expect(await api.history(made.chat.id, { after: all.eventSeq })).toEqual([]);
  });

  test.for(["limit=0", "limit=101", "limit=x", "before=garbage"])("%s is 400", async (query) => {
    const made = await api.create({});
    expectError(await api.get(`/api/chats/${made.chat.id}/messages?${query}`), 400, "malformed");
  });
});
