import { describe, expect, test } from "vitest";
import { type BorrowContext, borrow } from "./borrow";
import { outputOf, toolParts, turnOf } from "./client";
import { poll } from "./poll";
import { api, expectError } from "./subject";

async function chat(context: BorrowContext): Promise<string> {
  return (await borrow(context)).chat.id;
}

describe("the demo model does what each line says", () => {
  test("with real tool calls, in order, and counts them in a last sentence on a line of its own", async (context) => {
    const lines = [
      "say Here we go",
      "$ printf 'out'; printf 'err' >&2; exit 4",
      "write notes/a.txt: line one\\nline two",
      "edit notes/a.txt: line two => line 2",
      "read notes/a.txt",
      "say That was it",
    ];
    const turn = await api.turn(await chat(context), lines.join("\n"));
    expect(turn.state).toBe("completed");
    const parts = toolParts(turn.message);
    expect(parts.map(({ type }) => type)).toEqual(["tool-bash", "tool-write", "tool-edit", "tool-read"]);
    expect(outputOf(parts[0])).toContain("out");
    expect(outputOf(parts[0])).toContain("err");
    expect(outputOf(parts[0])).toMatch(/\b4\b/);
    expect(outputOf(parts[3])).toContain("line 2");
    expect(outputOf(parts[3])).not.toContain("line two");
    expect(turn.text).toContain("Here we go");
    expect(turn.text.trim().split("\n").at(-1)).toMatch(/\b4\b.*tool call/);
    const order = (turn.message?.parts ?? []).filter(({ type }) => type === "text" || type.startsWith("tool-"));
    expect(order.map(({ type }) => type)).toEqual([
      "text",
      "tool-bash",
      "tool-write",
      "tool-edit",
      "tool-read",
      "text",
    ]);
  });

  test("think streams reasoning, which is not part of the text", async (context) => {
    const turn = await api.turn(await chat(context), "think deep-thought\nsay shallow-words");
    const reasoning = turn.message?.parts.find(({ type }) => type === "reasoning") as { text: string } | undefined;
    expect(reasoning?.text).toContain("deep-thought");
    expect(turn.text).not.toContain("deep-thought");
    expect(turn.text).toContain("shallow-words");
  });

  test("slow streams n words, one each 100 ms", async (context) => {
    const id = await chat(context);
    const from = performance.now();
    const turn = await api.turn(id, "slow 20");
    expect(performance.now() - from).toBeGreaterThan(1_800);
    expect(turn.text).toContain(Array.from({ length: 20 }, (_, index) => `w${index + 1}`).join(" "));
    expect(turn.text).not.toContain("w21");
  });

  test("anything else looks round with one command and explains itself, saying that it is scripted", async (context) => {
    const turn = await api.turn(await chat(context), "Please make me a web shop");
    expect(toolParts(turn.message).map(({ type }) => type)).toEqual(["tool-bash"]);
    expect(turn.text).toMatch(/demo/i);
    expect(turn.text).toContain("write <path>");
  });

  test("remembers earlier turns only as history: the newest message alone is the script", async (context) => {
    const id = await chat(context);
    await api.turn(id, "$ echo first");
    const turn = await api.turn(id, "say second");
    expect(toolParts(turn.message)).toEqual([]);
    expect(turn.text.trim().split("\n").at(-1)).toMatch(/\b0\b/);
  });
});

describe("a provider that fails", () => {
  test.for(["overloaded", "rate-limit", "cut"])(
    "with %s is retried visibly, then the turn ends in words",
    async (kind, context) => {
      const id = await chat(context);
      const turn = await api.turn(id, `say before\nfail ${kind}`);
      expect(["completed", "failed"]).toContain(turn.state);
      const notices = turn.events.filter((event) => event.kind === "notice" && event.name === "retrying");
      expect(notices.length).toBeGreaterThan(0);
      expect(notices[0]?.message?.length ?? 0).toBeGreaterThan(5);
      if (turn.state === "failed") expect(turn.reason?.length ?? 0).toBeGreaterThan(5);
      const next = await api.turn(id, "say still usable");
      expect(next.text).toContain("still usable");
    },
  );

  test("with auth fails at once with words and no retry", async (context) => {
    const id = await chat(context);
    const turn = await api.turn(id, "fail auth");
    expect(turn.state).toBe("failed");
    expect(turn.reason).toMatch(/key|sign|auth|credential/i);
    expect(turn.events.filter((event) => event.name === "retrying")).toEqual([]);
    expect((await api.turn(id, "say fine again")).state).toBe("completed");
  });

  test("keeps the steps that were done before", async (context) => {
    const turn = await api.turn(await chat(context), "$ echo kept-step\nfail auth");
    expect(turn.state).toBe("failed");
    expect(outputOf(toolParts(turn.message)[0])).toContain("kept-step");
  });
});

describe("a question of the agent", () => {
  async function asked(context: BorrowContext): Promise<{ chatId: string; turnId: string; toolCallId: string }> {
    const chatId = await chat(context);
    const sent = await api.send(chatId, "ask Which colour?\nsay thanks");
    const events = await api.collect(chatId, (event) => turnOf(event)?.state === "waiting_for_user", {
      after: 0,
      view: "actions",
    });
    const ask = events.find((event) => event.kind === "action" && event.name === "ask");
    expect(JSON.stringify(ask)).toContain("Which colour?");
    const message = (await api.messages(chatId)).messages.find(({ role }) => role === "assistant");
    const part = toolParts(message)[0];
    expect(part?.type).toBe("tool-ask_user_question");
    expect(part?.state).toBe("input-available");
    return { chatId, turnId: sent.turn.id, toolCallId: part?.toolCallId ?? "" };
  }

  test("waits without a running turn and is answered through /answers", async (context) => {
    const { chatId, turnId, toolCallId } = await asked(context);
    const wrong = await api.post(`/api/chats/${chatId}/answers`, { toolCallId: "other", answer: "red" });
    expect([404, 409], wrong.text).toContain(wrong.status);
    const answer = await api.post(`/api/chats/${chatId}/answers`, { toolCallId, answer: "dark red" });
    expect(answer.status, answer.text).toBeLessThan(300);
    const turn = await api.finished(chatId, turnId);
    expect(turn.state).toBe("completed");
    expect(outputOf(toolParts(turn.message)[0])).toContain("dark red");
    expect(turn.text).toContain("thanks");
    const observed = turn.events.filter((event) => event.kind === "observation" && event.name === "ask");
    expect(observed.length).toBe(1);
    expectError(await api.post(`/api/chats/${chatId}/answers`, { toolCallId, answer: "again" }), 409);
  });

  test("is answered by a plain message, which joins the same turn", async (context) => {
    const { chatId, turnId } = await asked(context);
    const sent = await api.send(chatId, "light blue");
    expect(sent.turn.id).toBe(turnId);
    const turn = await api.finished(chatId, turnId);
    expect(outputOf(toolParts(turn.message)[0])).toContain("light blue");
    expect(turn.text).toContain("thanks");
  });

  test("can be stopped, and keeps its one observation", async (context) => {
    const { chatId, turnId } = await asked(context);
    expect((await api.post(`/api/chats/${chatId}/stop`)).status).toBe(202);
    const turn = await api.finished(chatId, turnId);
    expect(turn.state).toBe("stopped");
    expect(turn.events.filter((event) => event.kind === "observation").length).toBe(1);
    expect((await api.turn(chatId, "say on we go")).text).toContain("on we go");
  });

  test("keeps the sandbox free to sleep: a waiting turn is not busy", async (context) => {
    const { chatId, turnId } = await asked(context);
    const { body } = await api.get(`/api/chats/${chatId}`);
    const { sessionId } = (body as { chat: { sessionId: string } }).chat;
    await poll(
      () => api.sandbox(sessionId),
      ({ busy }) => !busy,
      { what: "not busy" },
    );
    await api.asleep(sessionId);
    await api.send(chatId, "green");
    const turn = await api.finished(chatId, turnId);
    expect(turn.state).toBe("completed");
  });
});

describe("limits of a turn", () => {
  test("maxSteps ends or pauses it with a reason instead of going on for ever", async () => {
    const made = await api.ready({ limits: { maxSteps: 2 } });
    const sent = await api.send(made.chat.id, ["$ echo 1", "$ echo 2", "$ echo 3", "$ echo 4"].join("\n"));
    const events = await api.collect(
      made.chat.id,
      (event) => {
        const turn = turnOf(event);
        return turn?.id === sent.turn.id && !["queued", "running"].includes(turn.state);
      },
      { after: 0 },
    );
    const turn = turnOf(events.at(-1) as never);
    expect(turn?.reason ?? JSON.stringify(events.at(-1))).toMatch(/step/i);
    expect(events.filter((event) => event.kind === "action" && event.name === "run").length).toBeLessThan(4);
  });
});
