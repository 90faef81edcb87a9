import { randomUUID } from "node:crypto";
import { AxeBuilder } from "@axe-core/playwright";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { makeRepository, type Repository } from "@/tests/fixtures/repos";
import { enterPerson } from "./person";
import type { Screen } from "./screen";

const person = enterPerson();
let repository: Repository;

/** A picture of one red point. */
const POINT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

beforeAll(async () => {
  repository = await makeRepository({
    bare: true,
    files: {
      "README.md": "# Fixture\n\n![beacon](https://example.com/beacon.png)\n\n<script>alert(1)</script>\n",
      "src/index.ts": "export const answer = 42;\n",
      "src/deep/er/only.ts": "export {};\n",
      "package-lock.json": "{}\n",
    },
  });
});
afterAll(() => repository.remove());

async function openSession(branch: string, options: Parameters<typeof person.open>[1]) {
  const made = await person.api.ready({ title: branch, repo: { url: repository.path, newBranch: branch } });
  const address = `/sessions/${made.session.id}/chats/${made.chat.id}`;
  return { made, address, screen: await person.open(address, options) };
}

const turn = (made: CreateSessionView, text: string) => person.api.turn(made.chat.id, text);
const panel = (screen: Screen) => screen.page.getByRole("complementary", { name: "Workspace" });
const name = (screen: Screen, text: string | RegExp) => panel(screen).getByRole("button", { name: text });
const item = (screen: Screen, text: string) =>
  panel(screen).getByRole("treeitem", { name: new RegExp(`^${text.replaceAll(/[().]/g, "\\$&")}(?: |$)`) });
const scope = (screen: Screen, text: string) =>
  screen.page.getByRole("tablist", { name: "Which changes" }).getByRole("tab", { name: text });

/** No violation in the workspace, as it is just now. */
async function expectAccessible(screen: Screen): Promise<void> {
  const { violations } = await new AxeBuilder({ page: screen.page }).include("aside[aria-label=Workspace]").analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join("\n")}`);
  expect(told).toEqual([]);
}

describe.each([
  [1440, "light"],
  [390, "dark"],
] as const)("at %i px, %s", (width, scheme) => {
  test("changes are read as a tree, committed as proposed, pushed, and told where to", async () => {
    const branch = `changes-${width}-${randomUUID().slice(0, 8)}`;
    const { made, screen } = await openSession(branch, { width, scheme });
    await turn(made, "edit src/index.ts: 42 => 43\nwrite package-lock.json: {\\n}\nwrite docs/new.md: one line");
    await screen.openPart("Changes");
    await panel(screen).getByText("3 files changed").waitFor();
    await panel(screen).getByText("one line", { exact: true }).waitFor();
    // A generated file is folded, a word that changed is marked.
    expect(await name(screen, /package-lock\.json/).getAttribute("aria-expanded")).toBe("false");
    expect(await name(screen, /index\.ts/).getAttribute("aria-expanded")).toBe("true");
    await panel(screen).locator(".bg-ok-mark", { hasText: "43" }).waitFor();
    await expectAccessible(screen);

    await screen.button("How changes are shown").click();
    await screen.page.getByRole("menuitemradio", { name: "Side by side" }).click();
    await screen.page.keyboard.press("Escape");
    await screen.page.getByRole("menu").waitFor({ state: "detached" });
    await panel(screen).locator(".bg-danger-mark", { hasText: "42" }).waitFor();
    await expectAccessible(screen);

    // The keys of a tree: to the next name, fold, to the folder, fold.
    await name(screen, "docs").focus();
    const focused = (row: Locator) => row.and(screen.page.locator(":focus")).waitFor();
    await screen.page.keyboard.press("ArrowDown");
    await focused(name(screen, /new\.md/));
    await screen.page.keyboard.press("ArrowLeft");
    await panel(screen)
      .getByRole("button", { name: /new\.md/, expanded: false })
      .waitFor();
    await screen.page.keyboard.press("ArrowLeft");
    await focused(name(screen, "docs"));
    await screen.page.keyboard.press("ArrowLeft");
    await panel(screen).getByRole("button", { name: /^docs/, expanded: false }).waitFor();

    // What stands open, and the place, stay while a turn goes on.
    await turn(made, "write aaa.txt: another file");
    await name(screen, /aaa\.txt/).waitFor();
    await panel(screen).getByRole("button", { name: /^docs/, expanded: false }).waitFor();
    await panel(screen).locator(".bg-danger-mark", { hasText: "42" }).waitFor();

    await scope(screen, "Uncommitted").click();
    const message = screen.page.getByLabel("Commit message");
    await expect.poll(() => message.inputValue()).toMatch(/^Change 4 files\n\n- add aaa\.txt/);
    await message.fill(`feat: ${branch}`);
    await screen.button("Commit and push").click();
    await screen.text(new RegExp(`^Committed and pushed [0-9a-f]{8} on ${branch} to ${repository.path}\\.$`)).waitFor();
    await screen.text("Everything is committed").waitFor();
    expect(await repository.git("log", "-1", "--format=%s", branch)).toBe(`feat: ${branch}`);

    // A push that is refused says what to do; the commit is there and can be pushed later.
    await repository.git("update-ref", `refs/heads/${branch}`, await elsewhere(branch));
    await turn(made, "write later.txt: later");
    screen.expected.push(/status of 4\d\d/);
    await expect.poll(() => message.inputValue()).toBe("Add later.txt");
    await screen.button("Commit and push").click();
    await panel(screen)
      .getByRole("alert")
      .getByText(/Ask the agent to pull them in/)
      .waitFor();
    await screen.button("Push 1 commit").waitFor();
    await expectAccessible(screen);

    // Asleep the changes can be read, and nothing wakes the sandbox by it.
    await person.api.asleep(made.session.id);
    await panel(screen)
      .getByText(/^Paused\. These/)
      .first()
      .waitFor();
    await scope(screen, "All").click();
    await name(screen, /aaa\.txt/).waitFor();
    await panel(screen).getByText("Resume the sandbox to commit.").waitFor();
    expect((await person.api.sandbox(made.session.id)).state).toBe("hibernated");
    await screen.button("Resume sandbox").click();
    await panel(screen).getByText("5 files changed").waitFor();
  });

  test("files are looked through by keyboard, shown as what they are, uploaded by drop and taken home", async () => {
    const { made, screen } = await openSession(`files-${width}`, { width, scheme });
    await turn(
      made,
      `$ echo ${POINT} | base64 -d > point.png && printf '\\000\\001' > raw.bin && yes 'a long line of text' | head -c 2000000 > big.txt`,
    );
    await screen.openPart("Files");
    await item(screen, "src").waitFor();
    await expectAccessible(screen);
    await item(screen, "src").focus();
    for (const key of ["ArrowRight", "ArrowDown"]) {
      await screen.page.keyboard.press(key);
      await item(screen, "index.ts").waitFor();
    }
    await expect.poll(() => item(screen, "deep").evaluate((node) => node === document.activeElement)).toBe(true);
    await screen.page.keyboard.press("ArrowDown");
    await screen.page.keyboard.press("Enter");
    const shown = panel(screen).getByRole("region", { name: "File index.ts" });
    await shown.getByText("export const answer = 42;").waitFor();
    await shown.locator("code span[style*='--code-token-keyword']").first().waitFor();
    await expectAccessible(screen);

    const [download] = await Promise.all([
      screen.page.waitForEvent("download"),
      shown.getByRole("link", { name: "Download index.ts" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("index.ts");
    const back = screen.button("Back to the files");
    const open = async (file: string) => {
      if (await back.isVisible()) await back.click();
      await item(screen, file).click();
    };
    // A drawn README loads nothing from elsewhere and runs nothing; its source is one press away.
    await open("README.md");
    await panel(screen).getByRole("heading", { name: "Fixture" }).waitFor();
    await panel(screen).getByText("image not loaded").waitFor();
    await screen.button("Source").click();
    await panel(screen).getByText("![beacon](https://example.com/beacon.png)").waitFor();
    await open("point.png");
    await expect
      .poll(() =>
        panel(screen)
          .getByRole("img", { name: "point.png" })
          .evaluate((node) => (node as HTMLImageElement).naturalWidth),
      )
      .toBe(1);
    await open("raw.bin");
    await panel(screen).getByText("A binary file of 2 B").waitFor();
    await open("big.txt");
    await panel(screen).getByText("2.0 MB · the first 1.0 MB are shown").waitFor();
    await back.click();

    // Dropped anywhere on the panel; each file has its result, and a folder says why it has none.
    await item(screen, "src").focus();
    const drop = async (...names: string[]) => {
      const data = await screen.page.evaluateHandle((all) => {
        const transfer = new DataTransfer();
        for (const one of all) transfer.items.add(new File(["uploaded"], one, { type: "text/plain" }));
        return transfer;
      }, names);
      const target = panel(screen).getByRole("tree", { name: "Files" });
      await target.dispatchEvent("dragenter", { dataTransfer: data });
      await panel(screen).getByText("Drop to upload to src").waitFor();
      await target.dispatchEvent("drop", { dataTransfer: data });
    };
    await drop("one.txt", "two.txt");
    const results = panel(screen).getByRole("list", { name: "Uploads" });
    await results.getByText("is src/one.txt").waitFor();
    await results.getByText("is src/two.txt").waitFor();
    await drop("one.txt");
    await results.getByText("is src/one (2).txt").waitFor();
    await item(screen, "one (2).txt").click();
    await panel(screen).getByText("uploaded", { exact: true }).waitFor();
    await back.click();
    const [archive] = await Promise.all([
      screen.page.waitForEvent("download"),
      panel(screen)
        .getByRole("link", { name: /^Download src as \.tar\.gz/ })
        .click(),
    ]);
    expect(archive.suggestedFilename()).toBe("src.tar.gz");

    await person.api.asleep(made.session.id);
    await panel(screen)
      .getByText(/^Paused\. These/)
      .last()
      .waitFor();
    screen.expected.push(/status of 409/);
    await item(screen, "big.txt").waitFor();
    await item(screen, "raw.bin").click();
    await panel(screen)
      .getByText(/^(A binary file of|Only the name of this file)/)
      .waitFor();
    await expectAccessible(screen);
    expect((await person.api.sandbox(made.session.id)).state).toBe("hibernated");
  });
});

/** A commit on top of the branch that the sandbox does not know. */
async function elsewhere(branch: string): Promise<string> {
  const tree = await repository.git("rev-parse", `${branch}^{tree}`);
  return repository.git("commit-tree", tree, "-p", branch, "-m", "from elsewhere");
}

test("nothing to commit is said in words, by a page that has not seen the other commit", async () => {
  const { made, screen } = await openSession(`nothing-${randomUUID().slice(0, 8)}`, { width: 1440 });
  await turn(made, "write a.txt: a");
  await expect.poll(() => screen.page.getByLabel("Commit message").inputValue()).toBe("Add a.txt");
  screen.expected.push(/status of 409/);
  await person.api.post(`/api/sessions/${made.session.id}/git/commit`, { push: true });
  await screen.button("Commit and push").click();
  await panel(screen).getByRole("alert").getByText("There is nothing to commit.").waitFor();
  await panel(screen)
    .getByText(/^Pushed [0-9a-f]{8} on nothing/)
    .waitFor();
  expect(await screen.button("Commit and push").isDisabled()).toBe(true);
});

test("a very large change opens, scrolls and folds smoothly, and holds its place while more comes", async () => {
  const { made, screen } = await openSession("large", { width: 1440 });
  await turn(
    made,
    "$ for i in $(seq 300); do mkdir -p p$((i % 20)); seq 15 | sed \"s/^/export const value$i = /\" > p$((i % 20))/f$i.ts; done; seq 5000 | sed 's/^/line number /' > zz-huge.txt",
  );
  const startedAt = Date.now();
  await panel(screen).getByText("301 files changed").waitFor({ timeout: 60_000 });
  await screen.button("How changes are shown").click();
  await screen.page.getByRole("menuitem", { name: "Open all files" }).click();
  const list = panel(screen).getByRole("region", { name: "Changed files" });
  await list
    .getByText("export const value100 = 1", { exact: true })
    .or(list.getByText("export const value20 = 1", { exact: true }))
    .first()
    .waitFor();
  const figures = await list.evaluate(async (box) => {
    const frames: number[] = [];
    let last = performance.now();
    for (let step = 0; step < 60; step++) {
      box.scrollTop += 900;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
    }
    frames.sort((one, two) => one - two);
    return {
      p50Ms: frames[30],
      p95Ms: frames[56],
      nodes: box.querySelectorAll("*").length,
      heightPx: box.scrollHeight,
    };
  });
  console.log("large change:", JSON.stringify({ ...figures, openedMs: Date.now() - startedAt }));
  expect(figures.nodes, "only what is in view is in the document").toBeLessThan(2_500);
  // More files come in above: the line in view stays where it is.
  const place = () =>
    list.evaluate((box) => {
      const at = box.getBoundingClientRect();
      const line = [...box.querySelectorAll("code")].find((code) => code.getBoundingClientRect().top > at.top + 100);
      return { text: line?.textContent ?? "", top: Math.round(line?.getBoundingClientRect().top ?? 0) };
    });
  const before = await place();
  await turn(made, "$ mkdir a-first && for i in $(seq 9); do echo hello $i > a-first/$i.txt; done");
  await panel(screen).getByText("310 files changed").waitFor({ timeout: 60_000 });
  const after = await list.getByText(before.text, { exact: true }).first().boundingBox();
  expect(Math.abs((after?.y ?? -1_000) - before.top)).toBeLessThan(24);
});
