import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { CreateSessionView, SessionView } from "@/lib/session/contract";
import { waitFor } from "@/tests/harness/wait-for";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let made: CreateSessionView;
let address: string;
const addressOf = ({ session, chat }: CreateSessionView) => `/sessions/${session.id}/chats/${chat.id}`;

beforeAll(async () => {
  made = await person.api.ready({ title: "In view" });
  address = addressOf(made);
});

const link = (screen: Screen, title: string) =>
  screen.page.getByRole("link", { name: title }).filter({ visible: true });
const palette = (page: Page) => page.getByRole("dialog", { name: "Find a session or a command" });
/** Opens the palette and chooses what comes first for these words. */
async function command({ page }: Screen, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(words);
  await palette(page)
    .getByRole("option", { name: new RegExp(words, "i"), selected: true })
    .waitFor();
  await page.keyboard.press("Enter");
}
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const LIGHT = "rgb(247, 245, 242)";
const DARK = "rgb(21, 19, 17)";

test.each(["light", "dark"] as const)(
  "everything that lies above a page can be used by anybody, %s",
  async (scheme) => {
    const screen = await person.open(address, { scheme });
    const { page } = screen;
    await screen.expectState("Active");
    await screen.expectAccessible("session");
    await page.keyboard.press("Control+k");
    await palette(page).getByRole("option", { name: "New session" }).waitFor();
    await screen.expectAccessible("palette");
    await page.keyboard.press("Escape");
    await palette(page).waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByText("Show or hide the sessions").waitFor();
    await screen.expectAccessible("help");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await screen.state.getByRole("button").click();
    await page.getByRole("dialog", { name: "Sandbox" }).getByText("Everything is in place").first().waitFor();
    await screen.expectAccessible("status");
    await page.keyboard.press("Escape");
    await screen.button("Session actions").click();
    await page.getByRole("menuitem", { name: "Archive" }).waitFor();
    await screen.expectAccessible("menu");
    await page.keyboard.press("Escape");
    await screen.button("Session actions").and(page.locator(":focus")).waitFor();
    await screen.expectStill();
  },
);

test("the theme is chosen in the palette, kept, and rendered by the server, so that nothing flashes", async () => {
  const screen = await person.open(address, { scheme: "light", fresh: true });
  const { page } = screen;
  await screen.expectState("Active");
  expect(await ground(page)).toBe(LIGHT);
  await command(screen, "dark");
  await page.waitForFunction((dark) => getComputedStyle(document.body).backgroundColor === dark, DARK);
  const answer = await page.reload();
  expect(await answer?.text()).toContain('data-theme="dark"');
  expect(await ground(page)).toBe(DARK);
  await screen.button(/^Menu of /).click();
  await page.getByRole("menuitemradio", { name: "As the system" }).click();
  await page.waitForFunction((light) => getComputedStyle(document.body).backgroundColor === light, LIGHT);
});

test("keys without a modifier do nothing while somebody writes, those with one do", async () => {
  const screen = await person.open(address, { fresh: true });
  const { page } = screen;
  await screen.composer.fill("");
  await screen.composer.pressSequentially("n?/[");
  expect(await screen.composer.inputValue()).toBe("n?/[");
  expect(new URL(page.url()).pathname).toBe(address);
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  // What lies above has keys of its own.
  await page.keyboard.type("?");
  expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await screen.composer.and(page.locator(":focus")).waitFor();
  await screen.composer.fill("");
  await page.locator("h1").first().click();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "hidden" });
  await page.keyboard.press("n");
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  expect(new URL(page.url()).pathname).toBe(address);
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "hidden" });
  await page.evaluate(() => localStorage.removeItem("dormouse:single-keys"));
  await page.keyboard.press("n");
  await page.getByRole("heading", { name: "What should be done?" }).waitFor();
  await page.keyboard.press("/");
  await page.getByRole("searchbox").and(page.locator(":focus")).waitFor();
});

test("the palette finds a session and goes there, and does what the one in view can do", async () => {
  const other = await person.api.create({ title: "Somewhere else entirely" });
  const screen = await person.open(address);
  const { page } = screen;
  await screen.expectState("Active");
  await command(screen, "pause");
  await screen.expectState("Paused");
  await command(screen, "resume");
  await screen.expectState("Active");
  await command(screen, "somewhere else");
  await page.waitForURL(`**${addressOf(other)}`);
});

test("the sidebar makes room, is remembered, and does not jump at a reload", async () => {
  const screen = await person.open(address, { fresh: true });
  const { page } = screen;
  await screen.expectState("Active");
  await page.keyboard.press("Control+b");
  await page.getByRole("searchbox").waitFor({ state: "hidden" });
  await page.reload();
  await screen.expectState("Active");
  expect(await page.getByRole("searchbox").count()).toBe(0);
  await screen.expectStill();
  await screen.button("Show sessions").filter({ visible: true }).click();
  await page.getByRole("searchbox").waitFor();
});

test("the chat and the workspace share the width as the person wants, also after a reload", async () => {
  const screen = await person.open(address, { fresh: true });
  const { page } = screen;
  const handle = page.getByRole("separator", { name: "Width of the chat" });
  const usual = Number(await handle.getAttribute("aria-valuenow"));
  await handle.focus();
  for (const _ of [1, 2, 3]) await handle.press("ArrowLeft");
  expect(Number(await handle.getAttribute("aria-valuenow"))).toBe(usual - 6);
  await page.reload();
  expect(Number(await handle.getAttribute("aria-valuenow"))).toBe(usual - 6);
  await screen.expectState("Active");
  await screen.expectStill();
});

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("a session is renamed, archived and deleted from the list, by keyboard or by touch, in any script", async () => {
    const name = `רשימה ${width} (x)`;
    const listed = await person.api.create({ title: name });
    const screen = await person.open("/", { width });
    const { page } = screen;
    const list = await screen.openList();
    await list.getByRole("link", { name }).waitFor();
    await screen.expectAccessible("home with the list");
    const act = async (what: string, title: string) => {
      await screen.openList();
      const press = (what: Locator) => (screen.narrow ? what.tap() : what.press("Enter"));
      await press(screen.button(`Actions for ${title}`).filter({ visible: true }));
      await press(page.getByRole("menuitem", { name: what }));
    };
    await act("Rename", name);
    await page.getByRole("dialog").getByLabel("Name").fill(`${name} neu`);
    await page.keyboard.press("Enter");
    await link(screen, `${name} neu`).waitFor();
    await act("Archive", `${name} neu`);
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await link(screen, `${name} neu`).waitFor({ state: "detached" });
    await page
      .getByRole("tab", { name: /^Archived/ })
      .filter({ visible: true })
      .click();
    await link(screen, `${name} neu`).waitFor();
    await act("Delete", `${name} neu`);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await link(screen, `${name} neu`).waitFor({ state: "detached" });
    await screen.expectStill();
    await waitFor(async () => (await person.api.get(`/api/sessions/${listed.session.id}`)).status === 404);
  });
});

test("the list stands in groups of repositories, and its next pages come while one scrolls", async () => {
  const screen = await person.open("/", { fresh: true });
  const { page } = screen;
  const all = Array.from({ length: 120 }, (_, at) => sessionNumber(made.session, at));
  await page.route("**/api/sessions?*", (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0);
    const sessions = all.slice(from, from + 50);
    const nextCursor = from + 50 < all.length ? String(from + 50) : null;
    return route.fulfill({ json: { sessions, nextCursor, counts: { active: all.length, archived: 0 } } });
  });
  await page.reload();
  const list = await screen.openList();
  await list.getByRole("link", { name: "Number 0", exact: false }).first().waitFor();
  await list.getByRole("heading", { name: "owner/first" }).waitFor();
  await list.getByRole("heading", { name: "owner/second" }).waitFor();
  const scrolled = async () => {
    await list.getByRole("tabpanel").evaluate((panel) => panel.scrollTo(0, panel.scrollHeight));
    return list.getByRole("link").count();
  };
  await expect.poll(scrolled, { interval: 200 }).toBe(all.length);
  await list.getByRole("button", { name: "owner/first" }).click();
  await screen.expectCount(list.getByRole("link"), all.length / 2);
});

function sessionNumber(like: SessionView, at: number): SessionView {
  const url = `https://example.org/owner/${at % 2 === 0 ? "first" : "second"}`;
  return { ...like, id: randomUUID(), title: `Number ${at}`, repo: { url, branch: "main", baseBranch: "main" } };
}

test("a list that cannot be read says so and can be asked for again; a lost connection is told quietly and heals", async () => {
  const screen = await person.open("/", { fresh: true });
  const { page } = screen;
  screen.expected.push(/Failed to load resource|ERR_/);
  await page.route("**/api/sessions?status=archived*", (route) => route.abort());
  await page.getByRole("tab", { name: /^Archived/ }).click();
  await page.getByRole("alert").getByText("Dormouse cannot be reached just now.").waitFor();
  await screen.button("Try again").click();
  await screen.text("Connection lost. Trying again…").waitFor();
  await page.unroute("**/api/sessions?status=archived*");
  await screen.button("Try again").click();
  await screen.text("Nothing archived").waitFor();
  await screen.text("Connection lost.").waitFor({ state: "detached" });
});

test("what happens in another session is told in passing, with the way there", async () => {
  const other = await person.api.ready({ title: "Elsewhere" });
  const screen = await person.open(address, { fresh: true });
  await link(screen, "Elsewhere").waitFor();
  const turn = await person.api.send(other.chat.id, "slow 8");
  await person.api.finished(other.chat.id, turn.turn.id);
  await screen.lookAgain(screen.text("The agent is done"));
  await screen.button("Open").click();
  await screen.page.waitForURL(`**${addressOf(other)}`);
});

test("the gallery is not part of the product", async () => {
  const screen = await person.open("/", { fresh: true });
  screen.expected.push(/status of 404/);
  expect((await screen.page.goto(`${inject("server").url}/_ui`))?.status()).toBe(404);
});
