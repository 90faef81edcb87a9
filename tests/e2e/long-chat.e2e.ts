import { beforeAll, expect, test } from "vitest";
import type { ChatMessage, MessageListView } from "@/lib/chat/contract";
import { waitFor } from "@/tests/harness/wait-for";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let address: string;
let chatId: string;
let sessionId: string;

beforeAll(async () => {
  const made = await person.api.ready({ title: "Long" });
  chatId = made.chat.id;
  sessionId = made.session.id;
  address = `/sessions/${made.session.id}/chats/${chatId}`;
  for (let at = 0; at < 55; at++) await person.api.send(chatId, `say ${at}`);
});

/** Elements of the conversation that may be in the document, however long it is. */
const MOST_ELEMENTS = 1_500;

const call = (id: string) => ({
  type: "tool-bash",
  toolCallId: id,
  state: "output-available",
  input: { command: `echo ${id}` },
  output: { exitCode: 0, stdout: `${id}\n`.repeat(20), stderr: "" },
});

/** 10,000 messages: questions and answers of a text and four calls each; the last answer has a thousand. */
function longHistory(): ChatMessage[] {
  return Array.from({ length: 10_000 }, (_, at): ChatMessage => {
    const metadata = { turnId: `old-${at >> 1}`, createdAt: new Date(Date.UTC(2020, 0, 1) + at * 1_000).toISOString() };
    if (at % 2 === 0)
      return { id: `old-${at}`, role: "user", parts: [{ type: "text", text: `Question ${at}` }], metadata };
    const calls = Array.from({ length: at === 9_999 ? 1_000 : 4 }, (_, index) => call(`c${at}-${index}`));
    const text = { type: "text", text: `Answer **${at}** with a list:\n\n- one\n- two\n\nand \`code\`.` };
    return { id: `old-${at}`, role: "assistant", parts: [text, ...calls] as ChatMessage["parts"], metadata };
  });
}

interface Figures {
  readonly framesPerSecond: number;
  readonly p95FrameMs: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly elements: number;
}

/** Watches the page while something happens in it. */
async function measure(screen: Screen, what: string, during: () => Promise<unknown>): Promise<Figures> {
  await screen.page.evaluate(() => {
    const frames: number[] = [];
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ entryTypes: ["longtask"] });
    let last = performance.now();
    let on = true;
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      if (on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const end = () => {
      on = false;
      observer.disconnect();
      const sorted = frames.slice(1).sort((a, b) => a - b);
      const total = sorted.reduce((sum, ms) => sum + ms, 0);
      return {
        framesPerSecond: Math.round((sorted.length * 1_000) / total),
        p95FrameMs: Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0),
        longTasks: tasks.length,
        longestTaskMs: Math.round(Math.max(0, ...tasks)),
        elements: document.querySelectorAll("[aria-label=Conversation] *").length,
      };
    };
    Object.assign(window, { endMeasure: end });
  });
  await during();
  const figures: Figures = await screen.page.evaluate(() => Reflect.get(window, "endMeasure")());
  console.log(`${what}: ${JSON.stringify(figures)}`);
  expect(figures.elements, what).toBeLessThan(MOST_ELEMENTS);
  return figures;
}

const wheel = async (screen: Screen, deltaY: number, times: number) => {
  await screen.conversation.hover();
  for (let at = 0; at < times; at++) {
    await screen.page.mouse.wheel(0, deltaY);
    await screen.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
};

test("10,000 messages, and a thousand calls in one answer, stay smooth to scroll and to stream into", async () => {
  const screen = await person.open(address);
  await screen.page.route("**/messages?before=*", (route) => {
    const body: MessageListView = { messages: longHistory(), notices: [], cursor: null, eventSeq: 0 };
    return route.fulfill({ json: body });
  });
  await screen.conversation.getByText("Done: I made").last().waitFor();
  await measure(screen, "10,000 messages come in", async () => {
    await wheel(screen, -5_000, 3);
    await screen.button("Earlier messages").waitFor({ state: "detached" });
  });
  await measure(screen, "scrolling up through them", () => wheel(screen, -600, 120));
  await screen.button("To the end").click();
  await screen.conversation.getByText("Done: I made").last().waitFor();
  await measure(screen, "an answer streams below them", async () => {
    await screen.say("slow 50");
    await screen.conversation.getByText(/w50\b/).last().waitFor();
  });
  // Who has scrolled up stays there while the answer goes on.
  await screen.say("slow 120");
  const answers = screen.conversation.getByRole("article", { name: "Dormouse" });
  // The article itself has no size: its rows are placed by the list.
  await answers.filter({ hasText: /\bw5\b/, hasNotText: "Done: I made" }).waitFor({ state: "attached" });
  await wheel(screen, -800, 2);
  const place = () => screen.conversation.evaluate((box) => Math.round(box.scrollTop));
  await screen.page.waitForTimeout(300);
  const before = await place();
  await screen.page.waitForTimeout(1_000);
  expect(Math.abs((await place()) - before)).toBeLessThan(4);
});

test("a turn of a thousand calls stays smooth while it runs, and at its end", async () => {
  const { body } = await person.api.post(`/api/sessions/${sessionId}/chats`, {});
  address = `/sessions/${sessionId}/chats/${(body as { chat: { id: string } }).chat.id}`;
  const screen = await person.open(address, { fresh: true });
  // A server that is as quick as no model is: 25 calls each 100 ms.
  await screen.page.addInitScript(() => {
    const plainFetch = window.fetch;
    window.fetch = (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      return url.includes("/events?") ? Promise.resolve(thousandCalls(url)) : plainFetch(input, init);
    };
    function thousandCalls(url: string): Response {
      let seq = Number(new URL(url, location.href).searchParams.get("after"));
      const base = { at: new Date().toISOString(), turnId: "fake", source: "agent" };
      const encoder = new TextEncoder();
      const stream = new ReadableStream({
        async start(controller) {
          const send = (event: object) =>
            controller.enqueue(encoder.encode(`data: ${JSON.stringify({ ...base, seq: ++seq, ...event })}\n\n`));
          const chunk = (value: object) => send({ kind: "delta", name: "chunk", chunk: value });
          send({ kind: "state", name: "turn", source: "system", turn: { id: "fake", state: "running", reason: null } });
          for (let at = 0; at < 1_000; at++) {
            const toolCallId = `c${at}`;
            chunk({ type: "start-step" });
            chunk({ type: "text-start", id: "t" });
            chunk({ type: "text-delta", id: "t", delta: `Step **${at}** of many.` });
            chunk({ type: "text-end", id: "t" });
            chunk({
              type: "tool-input-available",
              toolCallId,
              toolName: "bash",
              input: { command: `echo call ${at}` },
            });
            chunk({
              type: "tool-output-available",
              toolCallId,
              output: { exitCode: 0, stdout: "x\n".repeat(20), stderr: "" },
            });
            if (at % 25 === 24) await new Promise((resolve) => setTimeout(resolve, 100));
          }
          send({
            kind: "state",
            name: "turn",
            source: "system",
            turn: { id: "fake", state: "completed", reason: null },
          });
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    }
  });
  await screen.page.reload();
  await screen.conversation.waitFor();
  await measure(screen, "a thousand calls come in", async () => {
    await screen.button(/^Run echo call 999/).waitFor();
    await screen.button("Stop").waitFor({ state: "detached" });
  });
  const left = () => screen.conversation.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
  await waitFor(async () => (await left()) < 2);
  await screen.button(/^Run echo call 999/).click();
  await screen.page.getByRole("group", { name: "Output", exact: true }).getByText("x").first().waitFor();
  await wheel(screen, -5_000, 2);
  await wheel(screen, 20_000, 2);
  // What was opened is open still, though it was out of the document meanwhile.
  await screen.page.getByRole("group", { name: "Output", exact: true }).waitFor();
});
