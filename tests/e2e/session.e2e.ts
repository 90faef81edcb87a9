import { describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { waitFor } from "@/tests/harness/wait-for";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
const addressOf = ({ session, chat }: CreateSessionView) => `/sessions/${session.id}/chats/${chat.id}`;
const inList = (screen: Screen, title: string) =>
  screen.page.getByRole("region", { name: "Sessions", exact: true }).getByRole("link", { name: title });

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("a session is archived, brought back and deleted", async () => {
    const made = await person.api.ready({ title: `Leaving at ${width}` });
    await person.api.turn(made.chat.id, "write kept.txt: kept");
    const screen = await person.open(addressOf(made), { width });
    await screen.choose("Archive");
    const dialog = screen.page.getByRole("dialog");
    await dialog.getByText(/^Kept: the conversation, the diff/).waitFor();
    await screen.expectAccessible("the question before archiving");
    await dialog.getByRole("button", { name: "Archive" }).click();
    await screen.expectState("Archived");
    await screen.text("This session is archived").waitFor();
    await screen.openPart("Changes");
    await screen.page
      .getByRole("region", { name: "Changed files" })
      .getByRole("button", { name: "kept.txt" })
      .waitFor();
    await screen.expectAccessible("an archived session");
    await screen.button("Unarchive").click();
    await screen.expectState("Active");
    await screen.openPart("Files");
    await screen.page.getByRole("treeitem", { name: /^kept\.txt/ }).waitFor();

    await screen.choose("Delete");
    await dialog.getByRole("button", { name: "Cancel" }).and(screen.page.locator(":focus")).waitFor();
    await screen.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await screen.choose("Delete");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
    await waitFor(async () => (await person.api.get(`/api/sessions/${made.session.id}`)).status === 404);
    await screen.openList();
    await inList(screen, `Leaving at ${width}`).waitFor({ state: "detached" });
  });

  test("the name is changed in its place: Enter saves, Escape does not", async () => {
    const made = await person.api.create({ title: `Old name at ${width}` });
    const screen = await person.open(addressOf(made), { width });
    const field = screen.page.getByLabel("Name of the session");
    await screen.page.getByRole("heading", { level: 1 }).dblclick();
    await field.fill("Not this one");
    await field.press("Escape");
    await screen.page.getByRole("heading", { name: `Old name at ${width}` }).waitFor();
    await screen.button("Rename the session").click();
    await field.fill(`New name at ${width}`);
    await field.press("Enter");
    await screen.page.getByRole("heading", { name: `New name at ${width}` }).waitFor();
    await screen.page.waitForFunction((title) => document.title === title, `New name at ${width} · Dormouse`);
    await screen.page.reload();
    await screen.page.getByRole("heading", { name: `New name at ${width}` }).waitFor();
    await screen.openList();
    await inList(screen, `New name at ${width}`).waitFor();
  });
});

test("a second chat shares the sandbox and keeps its own conversation", async () => {
  const made = await person.api.ready({ title: "Two chats" });
  await person.api.turn(made.chat.id, "write shared.txt: from the first");
  const screen = await person.open(addressOf(made));
  await screen.button("New chat").click();
  await screen.page.waitForURL((url) => !url.pathname.endsWith(made.chat.id));
  await screen.text("Nothing has been said yet.").waitFor();
  await screen.say("read shared.txt\nsay Seen by the second.");
  await screen.conversation.getByText("Seen by the second.").last().waitFor();
  await screen.page.getByRole("navigation", { name: "Chats" }).getByRole("link").first().click();
  await screen.conversation.getByRole("button", { name: "Write shared.txt" }).waitFor();
  expect(await screen.conversation.getByText("Seen by the second.").count()).toBe(0);
});

test("the list finds sessions by name, and arrow keys change its tabs", async () => {
  await person.api.create({ title: "A needle in the list" });
  const screen = await person.open("/");
  await screen.page.getByRole("searchbox", { name: "Search sessions" }).fill("needle");
  await inList(screen, "A needle in the list").waitFor();
  await screen.expectCount(screen.page.getByRole("region", { name: "Sessions", exact: true }).getByRole("link"), 1);
  await screen.page.getByRole("tab", { name: /^Active/ }).press("ArrowRight");
  await screen.page.getByRole("tab", { name: /^Archived/, selected: true }).waitFor();
  await screen.text("No session has this in its name").waitFor();
});

test.each(["light", "dark"] as const)("all text can be read in the %s theme", async (scheme) => {
  const made = await person.api.ready({ title: "Contrast", prompt: "say Some words.\n$ false\nfail auth" });
  const screen = await person.open(addressOf(made), { scheme });
  await screen.conversation.getByText(/refused the credentials/).waitFor();
  expect(await screen.page.evaluate(lowContrast)).toEqual([]);
  await screen.page.goto(screen.page.url().replace(/\/sessions.*/, "/"));
  await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
  expect(await screen.page.evaluate(lowContrast)).toEqual([]);
});

/** Runs in the page: texts in view whose contrast with what is behind them is below 4.5 : 1; disabled ones may. */
function lowContrast(): string[] {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return ["no canvas"];
  const rgba = (color: string): [number, number, number, number] => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const luminance = ([r, g, b]: readonly number[]) => {
    const linear = [r, g, b].map((value) => {
      const part = (value ?? 0) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
  };
  const behind = (element: Element | null): readonly number[] => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 0.99) return color;
    }
    return [255, 255, 255];
  };
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.textContent?.trim() || !element.checkVisibility({ opacityProperty: true })) continue;
    if (element.closest(":disabled, script, style, .sr-only")) continue;
    const text = luminance(rgba(getComputedStyle(element).color));
    const ground = luminance(behind(element));
    const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${node.textContent.slice(0, 40)}`);
  }
  return found;
}
