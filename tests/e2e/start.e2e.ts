import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository, type Repository, withSetup } from "@/tests/fixtures/repos";
import { enterPerson } from "./person";
import { read, type Screen } from "./screen";

const person = enterPerson();
let talkative: Repository;
let slow: Repository;

beforeAll(async () => {
  talkative = await withSetup('for i in 1 2 3; do echo "setup line $i"; sleep 2; done\n');
  slow = await withSetup("echo slow setup; sleep 600\n");
});
afterAll(() => Promise.all([talkative.remove(), slow.remove()]));

/** Fills the form of the start page and waits for the page of the new session. */
async function startSession(screen: Screen, fields: { task?: string; repository?: string; branch?: string }) {
  const { page } = screen;
  if (fields.task) await page.getByLabel("Task").fill(fields.task);
  if (fields.repository) await page.getByLabel("Repository").fill(fields.repository);
  if (fields.branch) await page.getByLabel("Branch", { exact: true }).fill(fields.branch);
  await screen.button("Start session").click();
  await page.waitForURL(/\/sessions\/.+\/chats\//);
}

const phasesOf = (screen: Screen) => screen.page.getByRole("region", { name: "Start of the session" });

// First in the file: the person has no session yet.
describe.each([1440, 390] as const)("at %i px, for the first time", (width) => {
  test("the first visit explains itself by three tasks, which work", async () => {
    const { sessions } = (await person.api.get("/api/sessions")).body as { sessions: { id: string }[] };
    for (const { id } of sessions) await person.api.delete(`/api/sessions/${id}`);
    const screen = await person.open("/", { width, fresh: true });
    await screen.page.getByRole("heading", { name: "New here? Take one of these" }).waitFor();
    await screen.expectAccessible("the first visit");
    await screen.button(/^Write a file/).click();
    await screen.page.getByLabel("Task").and(screen.page.locator(":focus")).waitFor();
    expect(await screen.page.getByLabel("Task").inputValue()).toContain("write hello.sh");
    await screen.expectStill();
    if (width === 1440) return;
    // Only the last width makes a session of it.
    await screen.button("Start session").click();
    await screen.conversation.getByText("The new file is under Changes.").waitFor();
  });
});

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("a session starts in view: phases, the output of the setup script, then the agent, and nothing jumps", async () => {
    const screen = await person.open("/", { width });
    await startSession(screen, { task: "say Hello there.\nslow 12\n$ ls", repository: talkative.path });
    const phases = phasesOf(screen);
    await phases.waitFor();
    await screen.forgetShifts();
    await phases.getByText("setup line 1").waitFor();
    await screen.expectState("Starting");
    await phases.getByText("Running: Running the setup script").waitFor();
    await screen.text("Waits for the sandbox.").waitFor();
    await phases.getByText("setup line 3").waitFor();
    await screen.page.getByRole("article", { name: "Dormouse" }).getByText("Hello there.").waitFor();
    await screen.conversation.getByText("Done: I made 1 tool call").waitFor();
    await phases.getByText(/^Started in \d+ s$/).waitFor();
    await screen.expectState("Active");
    await screen.expectStill();
  });
});

test("a start that fails says why, and Retry goes on when the reason is gone", async () => {
  const repository = await makeRepository();
  const screen = await person.open("/");
  await startSession(screen, { task: "say At last.", repository: repository.path, branch: "not-there-yet" });
  await phasesOf(screen).getByText("The start failed").waitFor();
  expect(await read(phasesOf(screen).getByRole("alert"))).toContain("not-there-yet");
  await screen.expectState("Failed");
  // Beside the Retry of the start there is no second button for the same thing.
  expect(await screen.button("Try again").count()).toBe(0);
  await repository.git("branch", "not-there-yet");
  await screen.button("Retry").click();
  await screen.expectState("Active");
  await screen.text("At last.").waitFor();
  await repository.remove();
});

test("a start can be cancelled, and polls each 2 s until then", async () => {
  const screen = await person.open("/", { fresh: true });
  await screen.page.clock.install();
  const polls: number[] = [];
  await startSession(screen, { repository: slow.path });
  await phasesOf(screen).getByText("slow setup").waitFor();
  screen.page.on("request", (request) => {
    if (request.url().endsWith("/sandbox")) polls.push(Date.now());
  });
  for (const round of [1, 2, 3]) {
    const asked = screen.page.waitForRequest((request) => request.url().endsWith("/sandbox"));
    await screen.page.clock.fastForward(2_000);
    await asked;
    expect(polls.length).toBeGreaterThanOrEqual(round);
  }
  await screen.button("Cancel start").click();
  await phasesOf(screen).getByText("The start failed").waitFor();
  await screen.button("Retry").waitFor();
});

test("a draft survives a reload, a branch is named before the start, and repositories are remembered", async () => {
  const repository = await makeRepository();
  await person.api.create({ title: "Seen before", repo: { url: repository.path } });
  const screen = await person.open("/", { fresh: true });
  const { page } = screen;
  await page.getByLabel("Task").fill("say Kept.");
  await page.getByLabel("Repository").click();
  await page.getByRole("option").filter({ hasText: repository.path }).click();
  await page.getByLabel("Task").focus();
  await page.reload();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "say Kept.");
  expect(await page.getByLabel("Repository").inputValue()).toBe(repository.path);
  await screen.expectStill();
  const branch = await page.getByLabel("New branch", { exact: true }).inputValue();
  expect(branch).toMatch(/^[a-z0-9]{2}\/[0-9a-f]{8}$/);
  await page.getByLabel("Task").press("Control+Enter");
  await page.waitForURL(/\/sessions\/.+\/chats\//);
  // The message is in its place at once, the branch has the name that was shown.
  await screen.page.getByRole("article", { name: "You" }).getByText("say Kept.").waitFor();
  await page.locator("header").getByText(branch).waitFor();
  await page.goto(`${new URL(page.url()).origin}/`);
  expect(await page.getByLabel("Task").inputValue()).toBe("");
  await repository.remove();
});

test("a repository that cannot be meant is refused beside its field, and what was typed stays", async () => {
  const screen = await person.open("/");
  screen.expected.push(/status of 422/);
  await screen.page.getByLabel("Task").fill("keep me");
  await screen.page.getByLabel("Repository").fill("git@github.com:owner/name.git");
  await screen.button("Start session").click();
  await screen.page.locator("input[name=repoUrl][aria-invalid=true]").waitFor();
  expect(await screen.page.getByLabel("Task").inputValue()).toBe("keep me");
});
