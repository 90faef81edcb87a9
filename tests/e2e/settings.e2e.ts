import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { Client } from "@/tests/api/client";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

async function expectAccessible(screen: Screen): Promise<void> {
  const { violations } = await new AxeBuilder({ page: screen.page }).include("main").analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

/** Chooses a model by keys for a new session, and another one in its chat, whose usage is then known in part. */
async function useModels(screen: Screen): Promise<void> {
  const { page } = screen;
  await page.goto(new URL("/", page.url()).href);
  await screen.button(/^Model: /).focus();
  await page.keyboard.press("Enter");
  const search = page.getByRole("dialog", { name: "Model" }).getByRole("combobox");
  await search.and(page.locator(":focus")).waitFor();
  await screen.expectAccessible("models");
  await page.keyboard.type("model-b");
  await page.keyboard.press("Enter");
  await screen
    .button(/^Model: .*model-b/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.getByLabel("Task").fill("Say hello.");
  await screen.button("Start session").click();
  await screen.button("Copy the answer").waitFor();
  await screen.openPart("Sandbox");
  await page
    .getByRole("definition")
    .filter({ hasText: /^unknown|unknown price/ })
    .waitFor();
  await screen.button(/^Model: .*model-b/).click();
  await page.getByRole("option", { name: /^Demo/ }).click();
  await screen.button(/^Model: Demo/).waitFor();
  await page.reload();
  await screen.button(/^Model: Demo/).waitFor();
}

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("a guest sets up a provider in Settings: told what is wrong with an address, and nothing moves by itself", async () => {
    const screen = await person.open("/", { width });
    await screen.openList();
    await screen
      .button(/^Menu of /)
      .filter({ visible: true })
      .last()
      .click();
    await screen.page.getByRole("menuitem", { name: "Settings" }).click();
    await screen.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await screen.forgetShifts();
    await screen.text("only the scripted demo model").waitFor();
    await screen.text("No model was asked in the last 30 days").waitFor();
    await screen.expectStill();
    await expectAccessible(screen);
    await screen.button(/OpenAI-compatible server/).click();
    await screen.page.getByLabel("Address").fill(baseUrlOf(server, "compatible"));
    screen.expected.push(/422/);
    await screen.button("Save and test").click();
    await screen.text("must begin with https://, so that the key cannot be read").waitFor();
    await expectAccessible(screen);
    await screen.page.getByRole("radio", { name: "Dark" }).check();
    await screen.page.locator("html[data-theme=dark]").waitFor();
    await screen.page.getByRole("radio", { name: "As the system" }).check();
  });
});

test("the owner sets up, tests and removes a provider; a key is never shown again", async () => {
  const key = "sk-canary-of-the-browser";
  const owner = { signedIn: false, fresh: true, scheme: "dark" } as const;
  server.badKeys.delete(key);
  await new Client(inject("server").url, inject("server").token).delete("/api/providers/anthropic");
  const screen = await person.open(`/settings?token=${inject("server").token}`, owner);
  const card = screen.page.getByRole("listitem").filter({ hasText: "Claude models" });
  await card.getByRole("button", { name: "Set up Anthropic" }).click();
  await card.getByLabel("API key").fill(key);
  await card.getByLabel("Another address").fill(baseUrlOf(server, "anthropic"));
  await card.getByRole("button", { name: "Save and test" }).click();
  await card.getByText("It works: 2 models.").waitFor();
  expect(await card.getByLabel("API key").inputValue()).toBe("");
  expect(await screen.page.content()).not.toContain(key);
  await expectAccessible(screen);
  await useModels(screen);
  await screen.page.keyboard.press("Control+k");
  await screen.page.getByRole("dialog").getByRole("combobox").fill("settings");
  await screen.page.keyboard.press("Enter");
  await card.getByRole("button", { name: "Change Anthropic" }).click();
  server.badKeys.add(key);
  await card.getByRole("button", { name: "Test", exact: true }).click();
  await card.getByText("Anthropic refused the key").waitFor();
  await card.getByRole("button", { name: "Remove", exact: true }).click();
  await card.getByText("Not set up").waitFor();
});
