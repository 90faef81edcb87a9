import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChatView, chatView } from "@/lib/chat/contract";
import { sessionView } from "@/lib/session/contract";
import { parsed } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

const oneChat = z.looseObject({ chat: chatView });
const manyChats = z.looseObject({ chats: z.array(chatView) });
const oneSession = z.looseObject({ session: sessionView });

async function add(sessionId: string, body: unknown = {}): Promise<ChatView> {
  return parsed(await api.post(`/api/sessions/${sessionId}/chats`, body), 201, oneChat, "POST chats").chat;
}

const list = async (sessionId: string) => (await api.read(`/api/sessions/${sessionId}/chats`, manyChats)).chats;

describe("chats of a session", () => {
  test("can be made, listed, read and renamed; ids of the client make creation idempotent", async () => {
    const made = await api.create({});
    const id = randomUUID();
    const second = await add(made.session.id, { id, title: "Second" });
    expect(second).toMatchObject({ id, title: "Second", sessionId: made.session.id, activeTurn: null });
    const again = await api.post(`/api/sessions/${made.session.id}/chats`, { id, title: "Second" });
    expect([200, 201]).toContain(again.status);
    expect((await list(made.session.id)).map((chat) => chat.id).sort()).toEqual([made.chat.id, id].sort());
    expect((await api.read(`/api/chats/${id}`, oneChat)).chat).toEqual(second);
    const patch = await api.patch(`/api/chats/${id}`, { title: "Renamed" });
    expect(parsed(patch, 200, oneChat, "PATCH chat").chat.title).toBe("Renamed");
    expectError(await api.patch(`/api/chats/${id}`, { title: "" }), 400, "malformed");
    expectError(await api.patch(`/api/chats/${id}`, { model: "nobody/nothing" }), 422);
  });

  test("share the sandbox, not the conversation", async () => {
    const made = await api.ready({});
    const second = await add(made.session.id);
    await api.turn(made.chat.id, "write shared.txt: from the first");
    const turn = await api.turn(second.id, "read shared.txt");
    expect(JSON.stringify(turn.message)).toContain("from the first");
    expect((await api.messages(second.id)).messages.length).toBe(2);
    const seqs = (await api.history(second.id)).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test("write one at a time: a turn of another chat stays queued and says why", async () => {
    const made = await api.ready({});
    const second = await add(made.session.id);
    await api.send(made.chat.id, "$ sleep 20");
    await api.collect(made.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    const waiting = await api.send(second.id, "say after you");
    const view = await poll(
      async () => (await api.read(`/api/chats/${second.id}`, oneChat)).chat,
      ({ activeTurn }) => Boolean(activeTurn?.reason),
      { what: "a reason for waiting" },
    );
    expect(view.activeTurn).toMatchObject({ id: waiting.turn.id, state: "queued" });
    await api.post(`/api/chats/${made.chat.id}/stop`);
    const turn = await api.finished(second.id, waiting.turn.id);
    expect(turn.text).toContain("after you");
  });

  test("the last one cannot be deleted, others can, and answer 404 from then on", async () => {
    const made = await api.create({});
    expectError(await api.delete(`/api/chats/${made.chat.id}`), 409, "conflict");
    const second = await add(made.session.id);
    expect((await api.delete(`/api/chats/${second.id}`)).status).toBeLessThan(300);
    for (const path of [
      `/api/chats/${second.id}`,
      `/api/chats/${second.id}/messages`,
      `/api/chats/${second.id}/events`,
    ]) {
      expectError(await api.get(path), 404, "not_found");
    }
    expect((await list(made.session.id)).map(({ id }) => id)).toEqual([made.chat.id]);
  });

  test("two simultaneous deletes never remove the last chat", async () => {
    const made = await api.create({});
    const second = await add(made.session.id);
    const answers = await Promise.all([
      api.delete(`/api/chats/${made.chat.id}`),
      api.delete(`/api/chats/${second.id}`),
    ]);
    expect(answers.filter(({ status }) => status === 409).length).toBe(1);
    expect((await list(made.session.id)).length).toBe(1);
  });

  test("one whose agent works is refused until it is stopped, or stopped first: nothing goes on unseen", async () => {
    const made = await api.ready({});
    const second = await add(made.session.id);
    const sent = await api.send(second.id, "$ sleep 8; touch survived");
    await api.collect(second.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    const answer = await api.delete(`/api/chats/${second.id}`);
    if (answer.status === 409) {
      expectError(answer, 409, "busy");
      await api.post(`/api/chats/${second.id}/stop`);
      await api.finished(second.id, sent.turn.id);
      expect((await api.delete(`/api/chats/${second.id}`)).status).toBeLessThan(300);
    } else expect([200, 202, 204], answer.text).toContain(answer.status);
    const turn = await api.turn(made.chat.id, "$ sleep 8; ls; echo listed");
    expect(JSON.stringify(turn.message)).toContain("listed");
    expect(JSON.stringify(turn.message?.parts)).not.toContain("survived");
  });
});

describe("read and unread", () => {
  test("an answer makes chat and session unread until the chat is marked read", async () => {
    const made = await api.ready({});
    await api.turn(made.chat.id, "say news");
    const chat = async () => (await api.read(`/api/chats/${made.chat.id}`, oneChat)).chat;
    const session = async () => (await api.read(`/api/sessions/${made.session.id}`, oneSession)).session;
    expect((await chat()).unread).toBe(true);
    expect((await session()).unread).toBe(true);
    expect((await api.post(`/api/chats/${made.chat.id}/read`)).status).toBeLessThan(300);
    expect((await chat()).unread).toBe(false);
    expect((await session()).unread).toBe(false);
    await api.turn(made.chat.id, "say more news");
    expect((await chat()).unread).toBe(true);
  });
});

describe("what a session is doing", () => {
  test("is working during a turn, waiting on a question, idle afterwards", async () => {
    const made = await api.ready({});
    const activity = async () => (await api.read(`/api/sessions/${made.session.id}`, oneSession)).session.activity;
    await api.send(made.chat.id, "$ sleep 1\nask Which one?");
    expect(await activity()).toBe("working");
    await poll(activity, (value) => value === "waiting", { what: "activity waiting" });
    const sent = await api.send(made.chat.id, "the second");
    await api.finished(made.chat.id, sent.turn.id);
    expect(await activity()).toBe("idle");
  });
});
