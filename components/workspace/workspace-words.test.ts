import { expect, test } from "vitest";
import { pushWords } from "@/components/workspace/push-words";
import { visibleText } from "@/components/workspace/visible-text";
import { stateNote, whyNot } from "@/components/workspace/workspace-words";
import { SANDBOX_STATES } from "@/lib/sandbox/contract";

test("every state but awake says what is shown, and the resting ones what can be done", () => {
  for (const state of SANDBOX_STATES) {
    const note = stateNote(state, "changes");
    if (state === "active") expect(note).toBeNull();
    else expect(note?.text.length).toBeGreaterThan(20);
  }
  expect(stateNote("hibernated", "files")).toMatchObject({ action: "resume", tone: "calm" });
  expect(stateNote("archived", "files")).toMatchObject({ action: null, tone: "calm" });
});

test("what needs a sandbox at rest says why it is not possible, in every state", () => {
  for (const state of SANDBOX_STATES) expect(whyNot({ state, busy: true }, "commit")).toMatch(/commit/);
  expect(whyNot({ state: "active", busy: false }, "commit")).toBeNull();
});

test.each([
  ["! [rejected] main -> main (fetch first)", /pull them in/],
  ["remote: error: refusing to update checked out branch: refs/heads/main", /checked out/],
  ["! [remote rejected] main -> main (protected branch hook declined)", /rules/],
  ["fatal: Authentication failed for 'http://git.internal/'", /DORMOUSE_GIT_TOKENS/],
  ["fatal: unable to access 'http://x/': Could not resolve host: x", /cannot be reached/],
  ["something else", null],
])("git says %j, we say what to do", (output, words) => {
  if (words) expect(pushWords(output)).toMatch(words);
  else expect(pushWords(output)).toBeNull();
});

test("what would hide or turn text round is spelled out", () => {
  expect(visibleText("a\u202eb\u200bc\td")).toBe("a⟦U+202E⟧b⟦U+200B⟧c\td");
});
