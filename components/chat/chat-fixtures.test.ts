import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CHAT_FIXTURES } from "@/components/chat/chat-fixtures";

it("shows every state of the chat in the gallery", () => {
  for (const { name, element } of CHAT_FIXTURES) {
    expect(renderToStaticMarkup(createElement("div", null, element)).length, name).toBeGreaterThan(20);
  }
  const names = CHAT_FIXTURES.map((fixture) => fixture.name);
  expect(new Set(names).size).toBe(names.length);
});
