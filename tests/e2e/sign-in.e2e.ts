import { describe, expect, inject, test } from "vitest";
import { enterPerson } from "./person";

const person = enterPerson();

describe.each([1440, 390] as const)("at %i px", (width) => {
  test("somebody without a link is asked to sign in, at every address, and nothing is told", async () => {
    const made = await person.api.create({ title: "A secret name" });
    for (const path of ["/", `/sessions/${made.session.id}/chats/${made.chat.id}`]) {
      const screen = await person.open(path, { width, signedIn: false, fresh: true });
      await screen.page.getByRole("heading", { name: "Sign in to Dormouse" }).waitFor();
      expect(await screen.page.content()).not.toContain("A secret name");
    }
  });

  test("the printed link signs in, leaves the address bar, and the browser stays signed in", async () => {
    const screen = await person.open("/", { width, fresh: true });
    await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
    expect(screen.page.url()).toBe(`${inject("server").url}/`);
    await screen.page.reload();
    await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
    await screen.expectStill();
  });
});

test("a wrong token is refused in words, a right one may be pasted", async () => {
  const screen = await person.open("/", { signedIn: false, fresh: true });
  const field = screen.page.getByLabel("Token");
  await field.fill("not-a-token");
  await screen.button("Sign in").click();
  await screen.text("This token is not valid").waitFor();
  await field.fill(person.token);
  await screen.button("Sign in").click();
  await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
});

test("a page that was signed out meanwhile shows the sign-in and keeps the draft", async () => {
  const { session, chat } = await person.api.ready();
  const screen = await person.open(`/sessions/${session.id}/chats/${chat.id}`, { fresh: true });
  screen.expected.push(/status of 401/);
  await screen.expectState("Active");
  await screen.composer.fill("precious words");
  await screen.page.context().clearCookies();
  await screen.lookAgain(screen.page.getByRole("heading", { name: "Sign in to Dormouse" }));
  await screen.page.getByLabel("Token").fill(person.token);
  await screen.button("Sign in").click();
  await screen.page.getByRole("heading", { name: "What should be done?" }).waitFor();
  await screen.page.goto(`${inject("server").url}/sessions/${session.id}/chats/${chat.id}`);
  await screen.page.waitForFunction(() => document.querySelector("textarea")?.value === "precious words");
});

test("somebody else's session is not there", async () => {
  const owner = await fetch(`${inject("server").url}/api/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${inject("server").token}`, "content-type": "application/json" },
    body: JSON.stringify({ title: "Not yours" }),
  });
  const { session, chat } = (await owner.json()) as { session: { id: string }; chat: { id: string } };
  const screen = await person.open("/");
  screen.expected.push(/status of 404/);
  const answer = await screen.page.goto(`${inject("server").url}/sessions/${session.id}/chats/${chat.id}`);
  expect(answer?.status()).toBe(404);
  await screen.page.getByRole("heading", { name: "This session is not here" }).waitFor();
});
