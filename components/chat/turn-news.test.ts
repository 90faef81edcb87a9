import { expect, it } from "vitest";
import { markTitle, turnNews } from "@/components/chat/turn-news";
import type { TurnView } from "@/lib/chat/contract";

const turn = (state: TurnView["state"], id = "t1"): TurnView => ({ id, state, reason: null });

it("tells that a turn ended or asks, once", () => {
  expect(turnNews(turn("running"), null, turn("completed"))).toBe("done");
  expect(turnNews(turn("running"), null, turn("failed"))).toBe("failed");
  expect(turnNews(turn("running"), turn("waiting_for_user"), null)).toBe("asks");
  expect(turnNews(turn("waiting_for_user"), turn("waiting_for_user"), null)).toBeNull();
  expect(turnNews(turn("running"), turn("running"), null)).toBeNull();
  expect(turnNews(null, turn("running"), null)).toBeNull();
});

it("does not tell a person what that person did", () => {
  expect(turnNews(turn("running"), null, turn("stopped"))).toBeNull();
});

it("tells of a turn that ended while nobody listened", () => {
  expect(turnNews(turn("running"), null, null)).toBe("done");
  expect(turnNews(turn("running"), turn("queued", "t2"), null)).toBe("done");
});

it("marks a title once and cleans it again", () => {
  expect(markTitle("Fix it · Dormouse", "✓")).toBe("(✓) Fix it · Dormouse");
  expect(markTitle("(✓) Fix it · Dormouse", "?")).toBe("(?) Fix it · Dormouse");
  expect(markTitle("(?) Fix it · Dormouse", null)).toBe("Fix it · Dormouse");
});
