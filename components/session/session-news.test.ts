import { expect, it } from "vitest";
import { newsOf } from "@/components/session/session-news";
import type { SessionView } from "@/lib/session/contract";

const session = (activity: SessionView["activity"], sandboxState: SessionView["sandboxState"] = "active") =>
  ({ id: "1", activity, sandboxState, unread: false }) as SessionView;
const words = (was: SessionView, is: SessionView) => newsOf([was], [is]).map((news) => news.words);

it("tells the end of work, a question and a failure, once", () => {
  expect(words(session("working"), session("idle"))).toEqual(["The agent is done"]);
  expect(words(session("working"), session("waiting"))).toEqual(["The agent asks you something"]);
  expect(words(session("idle"), session("idle", "failed"))).toEqual(["It failed"]);
  expect(words(session("idle", "failed"), session("idle", "failed"))).toEqual([]);
});

it("tells work that was over before it was seen", () => {
  expect(words(session("idle"), { ...session("idle"), unread: true })).toEqual(["The agent is done"]);
});

it("says nothing about what did not change or was not there", () => {
  expect(words(session("idle"), session("working"))).toEqual([]);
  expect(newsOf([], [session("idle")])).toEqual([]);
});
