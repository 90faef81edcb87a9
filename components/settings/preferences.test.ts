import { expect, it } from "vitest";
import { CHAT_SHARE, clampShare, readPreferences } from "@/components/settings/preferences";

const from = (cookies: Record<string, string>) => readPreferences((name) => cookies[name]);

it("is as usual where nothing or nonsense is remembered", () => {
  const usual = { theme: "system", sidebar: "open", chatShare: CHAT_SHARE.usual };
  expect(from({})).toEqual(usual);
  expect(from({ dormouse_theme: "pink", dormouse_sidebar: "<b>", dormouse_chat_share: "wide" })).toEqual(usual);
});

it("remembers the theme, the sidebar and the split", () => {
  expect(from({ dormouse_theme: "dark", dormouse_sidebar: "closed", dormouse_chat_share: "44.5" })).toEqual({
    theme: "dark",
    sidebar: "closed",
    chatShare: 44.5,
  });
});

it("keeps both sides of the split usable", () => {
  expect(clampShare(2)).toBe(CHAT_SHARE.min);
  expect(clampShare(99)).toBe(CHAT_SHARE.max);
});
