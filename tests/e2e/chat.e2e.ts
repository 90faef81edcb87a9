import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { waitFor } from "@/tests/harness/wait-for";
import { enterPerson } from "./person";
import { read, type Screen } from "./screen";

const person = enterPerson();
let session: CreateSessionView["session"];
/** A new chat for each test, all in one sandbox. */
let address: string;
let chatId: string;

beforeAll(async () => {
  session = (await person.api.ready({ title: "Chats" })).session;
});
beforeEach(async () => {
  const answer = await person.api.post(`/api/sessions/${session.id}/chats`, {});
  chatId = (answer.body as { chat: { id: string } }).chat.id;
  address = `/sessions/${session.id}/chats/${chatId}`;
});

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index + 1}`).join(" ");
const answers = (screen: Screen) => screen.page.getByRole("article", { name: "Dormouse" });
const sent = (screen: Screen) => screen.page.getByRole("article", { name: "You" });
const queue = (screen: Screen) => screen.page.getByRole("region", { name: "Queued messages" });

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("an answer streams without a jump, and a reload in its middle loses and doubles nothing", async () => {
    const screen = await person.open(address, { width });
    await screen.say("say Before.\n$ echo one\nslow 30");
    await answers(screen).getByText("w8 ").waitFor();
    await screen.expectStill();
    await screen.page.reload();
    await answers(screen).getByText(/w30\b/).waitFor();
    await answers(screen).getByText("Done: I made 1 tool call").waitFor();
    expect((await read(answers(screen))).replace(/\s+/g, " ")).toContain(words(30));
    expect(await sent(screen).count()).toBe(1);
    expect(await answers(screen).count()).toBe(1);
    expect(await screen.button(/^Run/).count()).toBe(1);
    await screen.expectStill();
  });

  test("messages that were sent meanwhile wait, can be changed and taken back, and are answered in order", async () => {
    const screen = await person.open(address, { width });
    await screen.say("slow 600");
    await answers(screen).getByText("w2 ").waitFor();
    await screen.say("say first");
    await queue(screen).getByText("say first").waitFor();
    await screen.say("say second");
    await queue(screen).getByText("say second").waitFor();
    await screen.expectCount(queue(screen).getByRole("listitem"), 2);

    const waiting = (text: string) => queue(screen).getByRole("listitem").filter({ hasText: text });
    await waiting("say first").getByRole("button", { name: "Edit" }).click();
    await screen.page.getByRole("dialog").getByLabel("Message").fill("say first, edited");
    await screen.page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await queue(screen).getByText("say first, edited").waitFor();
    // Named, not counted: one that is still on its way to the server has no button yet.
    await waiting("say second").getByRole("button", { name: "Remove" }).click();
    await screen.expectCount(queue(screen).getByRole("listitem"), 1);
    await waiting("say first, edited").waitFor();

    await screen.button("Stop").click();
    await answers(screen).nth(1).getByText("first, edited").waitFor();
    await queue(screen).waitFor({ state: "detached" });
    expect(await sent(screen).allInnerTexts()).toEqual(["slow 600", "say first, edited"]);
  });

  test("Stop keeps what was said and says that it was stopped, after a reload too", async () => {
    const screen = await person.open(address, { width });
    await screen.say("slow 600");
    await answers(screen).getByText("w4 ").waitFor();
    await screen.button("Stop").click();
    await screen.conversation.getByText("Stopped.", { exact: true }).waitFor();
    await screen.button("Stop").waitFor({ state: "detached" });
    await screen.page.reload();
    await screen.conversation.getByText("Stopped.", { exact: true }).waitFor();
    await answers(screen).getByText("w4 ").waitFor();
  });
});

test("two tabs show the same, while it happens", async () => {
  const one = await person.open(address);
  const two = await person.open(address);
  await two.composer.waitFor();
  await one.say("say Same for all.\nslow 15");
  for (const screen of [one, two]) await answers(screen).getByText("w3 ").waitFor();
  for (const screen of [one, two]) await answers(screen).getByText("Done: I made 0 tool calls").waitFor();
  await waitFor(async () => (await read(two.conversation)) === (await read(one.conversation)));
});

test("a command shows its output while it runs, and its result afterwards", async () => {
  const screen = await person.open(address);
  await screen.say(`$ echo early; until [ -e ${chatId} ]; do sleep 0.1; done; echo late`);
  await screen.button(/^Run/).click();
  await screen.page.getByRole("group", { name: "Output so far" }).getByText("early").waitFor();
  const form = new FormData();
  form.append("files", new File(["go on"], chatId));
  await person.api.post(`/api/sessions/${session.id}/files`, undefined, { raw: form });
  const output = screen.page.getByRole("group", { name: "Output", exact: true });
  await output.getByText("late").waitFor();
  expect((await read(output.locator("pre"))).trim()).toBe("early\nlate");
  await screen.text("exit 0").waitFor();
});

test("files that are written and edited are named with their calls", async () => {
  const screen = await person.open(address);
  await screen.say("write notes.md: hello\nedit notes.md: hello => goodbye\nread notes.md");
  await answers(screen).getByText("Done: I made 3 tool calls").waitFor();
  for (const name of ["Write notes.md", "Edit notes.md", "Read notes.md"]) {
    expect(await answers(screen).getByRole("button", { name }).count(), name).toBe(1);
  }
});

test("a question is answered in its place", async () => {
  const screen = await person.open(address);
  await screen.say("ask Which colour?");
  const question = screen.page.getByRole("region", { name: "Question" });
  await question.getByText("Which colour?").waitFor();
  await screen.text("Waits for your answer.").waitFor();
  await question.getByLabel("Your answer").fill("green");
  await question.getByRole("button", { name: "Answer" }).click();
  await question.getByText("Answered: green").waitFor();
  await answers(screen).getByText("Done: I made 1 tool call").waitFor();
});

test("a question is answered by a message, which does not wait in the queue", async () => {
  const screen = await person.open(address);
  await screen.say("ask Which size?");
  const question = screen.page.getByRole("region", { name: "Question" });
  await question.getByText("Which size?").waitFor();
  await screen.say("large");
  await question.getByText("Answered: large").waitFor();
  // It stands in the card, and not once more below.
  await screen.expectCount(sent(screen), 1);
  await screen.page.reload();
  await question.getByText("Answered: large").waitFor();
  await screen.expectCount(sent(screen), 1);
  expect(await queue(screen).count()).toBe(0);
});

test("a turn that fails says why in its place, after a reload and after the next turn too", async () => {
  const screen = await person.open(address);
  await screen.say("say Something first.\nfail auth");
  const why = screen.conversation.getByText(/refused the credentials/);
  await why.waitFor();
  await screen.say("say Better now.");
  await answers(screen).getByText("Better now.").waitFor();
  await screen.page.reload();
  await answers(screen).getByText("Better now.").waitFor();
  await screen.expectCount(why, 1);
  const order = async () => /refused the credentials.*say Better now\./s.test(await read(screen.conversation));
  await expect.poll(order).toBe(true);
});

test("a broken connection to the model is tried again in words, and can be stopped", async () => {
  const screen = await person.open(address);
  await screen.say("say Half of\nfail cut");
  await screen.conversation.getByText(/Trying again \(2 of/).waitFor();
  await screen.button("Stop").click();
  await screen.conversation.getByText("Stopped.", { exact: true }).waitFor();
  expect(await screen.conversation.getByText(/Trying again/).count()).toBe(0);
});

test("a lost connection is told and heals by itself, with nothing lost or doubled", async () => {
  const screen = await person.open(address);
  screen.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/);
  await screen.say("slow 40");
  await answers(screen).getByText("w3 ").waitFor();
  await screen.page.context().setOffline(true);
  await screen.composer.fill("say Sent while offline.");
  await screen.composer.press("Enter");
  await screen.text("Dormouse cannot be reached just now.").waitFor();
  expect(await screen.composer.inputValue()).toBe("say Sent while offline.");
  await screen.page.context().setOffline(false);
  await screen.composer.press("Enter");
  await answers(screen).getByText("Done: I made 0 tool calls").first().waitFor();
  await answers(screen).getByText("Sent while offline.").waitFor();
  expect((await read(answers(screen).first())).replace(/\s+/g, " ")).toContain(words(40));
  expect(await sent(screen).allInnerTexts()).toEqual(["slow 40", "say Sent while offline."]);
});

test("a stream that breaks says so, and goes on from where it was", async () => {
  const screen = await person.open(address);
  screen.expected.push(/Failed to load resource|ERR_/);
  await screen.page.route("**/events?**", (route) => route.abort());
  await screen.page.reload();
  await screen.text("The connection was lost. Trying again…").waitFor();
  await person.api.turn(chatId, "say Said meanwhile.");
  await screen.page.unroute("**/events?**");
  await answers(screen).getByText("Said meanwhile.").waitFor();
  await waitFor(async () => (await screen.text("The connection was lost.").count()) === 0);
});

test("older messages come when one scrolls up to them, without moving what is in view", async () => {
  const texts = Array.from({ length: 60 }, (_, index) => `say number ${index + 1}.`);
  for (const text of texts) await person.api.send(chatId, text);
  const screen = await person.open(address);
  await answers(screen).getByText("number 60.").waitFor();
  // Held back, to see where things stand before and after they come.
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await screen.page.route("**/messages?before=*", async (route) => {
    await held;
    await route.continue();
  });
  await screen.conversation.hover();
  await screen.page.mouse.wheel(0, -20_000);
  const busy = screen.page.locator("button[aria-busy]", { hasText: "Earlier messages" });
  await busy.waitFor();
  // The first message in view, by its name: it is looked for again afterwards.
  const bottom = await busy.evaluate((element) => element.getBoundingClientRect().bottom);
  const inView = await sent(screen).evaluateAll((articles, from) => {
    const first = articles.find((article) => article.getBoundingClientRect().top >= from);
    return first?.textContent ?? "";
  }, bottom);
  const topOf = () =>
    sent(screen)
      .filter({ has: screen.page.getByText(inView, { exact: true }) })
      .evaluate((element) => element.getBoundingClientRect().top);
  const before = await topOf();
  letThrough();
  await busy.waitFor({ state: "detached" });
  expect(Math.abs((await topOf()) - before), inView).toBeLessThan(4);
  await screen.page.mouse.wheel(0, -20_000);
  await screen.conversation.getByText("say number 1.", { exact: true }).waitFor();
});
