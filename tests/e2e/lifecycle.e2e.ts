import { beforeAll, describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { MAX_ACTIVE } from "./global-setup";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let made: CreateSessionView;
let address: string;
const addressOf = ({ session, chat }: CreateSessionView) => `/sessions/${session.id}/chats/${chat.id}`;

beforeAll(async () => {
  made = await person.api.ready({ title: "Sleeper" });
  address = addressOf(made);
  await person.api.turn(made.chat.id, "write kept.txt: kept\nsay Written.");
});

const isSandboxPoll = (request: { url(): string }) => request.url().endsWith("/sandbox");
const resumeButton = (screen: Screen) => screen.button("Resume");

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("a session is put to sleep and resumed; Resume is there only while it sleeps", async () => {
    const screen = await person.open(address, { width });
    await screen.expectState("Active");
    expect(await resumeButton(screen).count()).toBe(0);
    await screen.button("Pause now").click();
    await screen.expectState("Paused");
    await resumeButton(screen).waitFor();
    expect(await screen.button("Pause now").count()).toBe(0);
    await resumeButton(screen).click();
    await screen.expectState("Active");
    await screen.expectCount(resumeButton(screen), 0);
    await screen.openPart("Sandbox");
    const history = screen.page.getByRole("region", { name: "History" });
    for (const words of ["Resuming", "Paused", "Going to sleep"]) await history.getByText(words).first().waitFor();
    await screen.expectStill();
  });

  test("reading a sleeping session never wakes it: the page, its changes, its files, a reload", async () => {
    const before = await person.api.asleep(made.session.id);
    const screen = await person.open(address, { width });
    await screen.expectState("Paused");
    await screen.conversation.getByText("Written.").last().waitFor();
    await screen.openPart("Changes");
    await screen.page
      .getByRole("region", { name: "Changed files" })
      .getByRole("button", { name: "kept.txt" })
      .waitFor();
    await screen.openPart("Files");
    await screen.page.getByRole("treeitem", { name: /^kept\.txt/ }).waitFor();
    await screen.openPart("Sandbox");
    await screen.page.getByRole("region", { name: "History" }).getByText("Paused").first().waitFor();
    await screen.page.reload();
    await screen.expectState("Paused");
    const after = await person.api.sandbox(made.session.id);
    expect([after.state, after.version]).toEqual(["hibernated", before.version]);
    await person.api.post(`/api/sessions/${made.session.id}/sandbox/resume`, {});
    await person.api.sandboxIn(made.session.id, "active");
  });
});

test("a message wakes a sleeping session and is answered", async () => {
  await person.api.asleep(made.session.id);
  const screen = await person.open(address);
  await screen.expectState("Paused");
  await screen.say("$ cat kept.txt\nsay Awake again.");
  await screen.conversation.getByText("Awake again.").last().waitFor();
  await screen.expectState("Active");
});

test("at work, Pause asks first, and then keeps what was said", async () => {
  const screen = await person.open(address);
  await screen.say("slow 600");
  await screen.conversation.getByText("w3 ").waitFor();
  await screen.button("Pause now").click();
  await screen.page.getByRole("dialog").getByRole("button", { name: "Stop and pause" }).click();
  await screen.expectState("Paused");
  await screen.conversation.getByText("w3 ").waitFor();
  await resumeButton(screen).click();
  await screen.expectState("Active");
});

test("at rest the state is asked for each 15 s, and at once when the page gets the focus", async () => {
  const screen = await person.open("/", { fresh: true });
  await screen.page.clock.install();
  await screen.page.goto(screen.page.url().replace(/\/$/, address));
  const polls: string[] = [];
  const first = screen.page.waitForRequest(isSandboxPoll);
  await first;
  await screen.expectState("Active");
  screen.page.on("request", (request) => {
    if (isSandboxPoll(request)) polls.push(request.url());
  });
  for (const _ of [1, 2]) {
    polls.length = 0;
    await screen.page.clock.fastForward(10_000);
    await screen.page.evaluate(() => fetch("/api/healthz").then((answer) => answer.text()));
    expect(polls).toEqual([]);
    const asked = screen.page.waitForRequest(isSandboxPoll);
    await screen.page.clock.fastForward(5_500);
    await asked;
  }
  // Two questions within half a second are one.
  await screen.page.clock.fastForward(1_000);
  const asked = screen.page.waitForRequest(isSandboxPoll);
  await screen.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await asked;
});

test("one session more than may be open puts the longest idle to sleep, and its chat says so, for good", async () => {
  await person.api.sandboxIn(made.session.id, "active");
  const screen = await person.open(address);
  await screen.expectState("Active");
  await Promise.all(Array.from({ length: MAX_ACTIVE }, (_, at) => person.api.ready({ title: `Filler ${at}` })));
  const notice = screen.conversation.getByText(/^Put to sleep because \d+ sessions were open/);
  await notice.waitFor();
  await screen.expectState("Paused");
  await screen.page.reload();
  await notice.waitFor();
  await screen.expectCount(notice, 1);
});
