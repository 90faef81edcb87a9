import { expect, it } from "vitest";
import { noticeLook } from "@/components/chat/notice-look";
import { MODEL_FAILURES } from "@/lib/model/failure-list";

const notice = (name: string, more: object = {}) => ({
  ...{ seq: 1, at: "2026-01-01T00:00:00.000Z", name, message: "Words.", turnId: "t1" },
  ...more,
});

it("gives a failure its advice once, with the way to Settings where the advice leads there", () => {
  const { message, advice } = MODEL_FAILURES.auth;
  const failure = { class: "auth", advice };
  const look = noticeLook(notice("turn_failed", { message: `${message} ${advice}`, failure }), false);
  expect(look).toMatchObject({ text: message, next: `What it did so far is kept. ${advice}`, inSettings: true });
  expect(look.tone).toBe("danger");
  const cut = { class: "cut", advice: MODEL_FAILURES.cut.advice };
  expect(noticeLook(notice("turn_failed", { failure: cut }), false).inSettings).toBe(false);
});

it("says what to do after a failure of which nothing is known", () => {
  expect(noticeLook(notice("turn_failed"), false).next).toMatch(/Send a message/);
});

it.each([
  ["condensed", false, "calm"],
  ["stuck_nudge", false, "calm"],
  ["stuck", true, "warn"],
  ["limit_steps", true, "warn"],
  ["limit_session_money", false, "calm"],
  ["retrying", false, "warn"],
])("%s is as loud as it matters (asks: %s): %s", (name, asks, tone) =>
  expect(noticeLook(notice(name), asks).tone).toBe(tone),
);
