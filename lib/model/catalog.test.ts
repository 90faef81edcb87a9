import { expect, test } from "vitest";
import { createModelCatalog } from "./catalog";

test("the demo model is there without a key, says what it is, and is found by its reference only", () => {
  const catalog = createModelCatalog({ model: "demo/demo" });
  expect(catalog.list().map((info) => info.ref)).toEqual(["demo/demo"]);
  expect(catalog.list()[0]?.label).toMatch(/scripted/);
  expect(catalog.find("demo/demo")?.model.provider).toBe("demo");
  expect(catalog.find("demo/other")).toBeNull();
  expect(createModelCatalog({ model: "unknown/model" }).list()).toHaveLength(1);
});
