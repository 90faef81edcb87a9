import { describe, expect, test } from "vitest";
import { borrow } from "./borrow";
import { type FinishedTurn, outputOf, toolParts, turnOf } from "./client";
import { api } from "./subject";

/** When the turn ended by the server's clock, which is this machine's, in milliseconds. */
const endedAt = (turn: FinishedTurn) =>
  Date.parse(turn.events.find((event) => turnOf(event)?.state === turn.state)?.at ?? "");

const stop = (chatId: string) => api.post(`/api/chats/${chatId}/stop`);

describe("stop", () => {
  test("during words ends the turn within two seconds and keeps what was said", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "slow 200");
    await api.collect(made.chat.id, (event) => JSON.stringify(event).includes("w5"), { after: 0 });
    const from = Date.now();
    const answer = await stop(made.chat.id);
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({ turn: { id: sent.turn.id } });
    const turn = await api.finished(made.chat.id, sent.turn.id);
    expect(endedAt(turn) - from).toBeLessThan(2_000);
    expect(turn.state).toBe("stopped");
    expect(turn.text).toContain("w1 w2 w3 w4 w5");
    expect(turn.text).not.toContain("w200");
    const reloaded = (await api.messages(made.chat.id)).messages.at(-1);
    expect(JSON.stringify(reloaded)).toContain("w1 w2 w3 w4 w5");
  });

  test("during a command kills it with all it started, and its one observation says that it was interrupted", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "$ echo begun; (sleep 300; touch late) & sleep 300; touch late");
    await api.collect(made.chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
    const from = Date.now();
    await stop(made.chat.id);
    const turn = await api.finished(made.chat.id, sent.turn.id);
    expect(endedAt(turn) - from).toBeLessThan(5_000);
    expect(turn.state).toBe("stopped");
    const observations = turn.events.filter(({ kind }) => kind === "observation");
    expect(observations.length).toBe(1);
    const [part] = toolParts(turn.message);
    expect(part?.state).toMatch(/^output-/);
    const next = await api.turn(made.chat.id, "$ pgrep -fc 'sleep 30[0]'; ls");
    expect(outputOf(toolParts(next.message)[0])).toMatch(/"?0\\n/);
    expect(outputOf(toolParts(next.message)[0])).not.toContain("late");
  });

  test("is idempotent: many at once give one end, and none is left over for the next turn", async (context) => {
    const made = await borrow(context);
    const sent = await api.send(made.chat.id, "slow 100");
    await api.collect(made.chat.id, (event) => event.kind === "delta", { after: 0 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => stop(made.chat.id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const turn = await api.finished(made.chat.id, sent.turn.id);
    expect(turn.events.filter((event) => JSON.stringify(event.turn ?? "").includes('"stopped"')).length).toBe(1);
    expect((await stop(made.chat.id)).status).toBe(202);
    const next = await api.turn(made.chat.id, "say next");
    expect(next.state).toBe("completed");
  });

  test("lets the queued messages go on with a turn of their own", async (context) => {
    const made = await borrow(context);
    const first = await api.send(made.chat.id, "slow 100");
    await api.collect(made.chat.id, (event) => event.kind === "delta", { after: 0 });
    const second = await api.send(made.chat.id, "say from the queue");
    await stop(made.chat.id);
    expect((await api.finished(made.chat.id, first.turn.id)).state).toBe("stopped");
    expect((await api.finished(made.chat.id, second.turn.id)).text).toContain("from the queue");
  });

  test("before the turn has begun ends it without a word of the agent", async () => {
    const made = await api.create({ prompt: "say too early" });
    await stop(made.chat.id);
    const turn = await api.finished(made.chat.id, made.message?.metadata.turnId ?? "");
    expect(["stopped", "completed"]).toContain(turn.state);
    expect((await api.started(made.session.id)).status).toBe("READY");
    expect((await api.turn(made.chat.id, "say now")).text).toContain("now");
  });

  test("at random moments leaves exactly one end per turn and a chat that works", async (context) => {
    const made = await borrow(context);
    for (let round = 0; round < 8; round += 1) {
      const { eventSeq } = await api.messages(made.chat.id);
      const sent = await api.send(made.chat.id, "say a\n$ echo b\nslow 2");
      const count = round * 3 + 1;
      await api.collect(
        made.chat.id,
        (event, all) => JSON.stringify(event.turn ?? "").includes("completed") || all.length > count,
        { after: eventSeq },
      );
      await stop(made.chat.id);
      const turn = await api.finished(made.chat.id, sent.turn.id);
      const ends = turn.events.filter(
        (event) => event.name === "turn" && /"(stopped|completed|failed|interrupted)"/.test(JSON.stringify(event.turn)),
      );
      expect(ends.length).toBe(1);
      const actions = turn.events.filter((event) => event.kind === "action" && event.name === "run");
      expect(turn.events.filter(({ kind }) => kind === "observation").length).toBe(actions.length);
    }
    expect((await api.turn(made.chat.id, "say fine")).state).toBe("completed");
  });
});
