import { expect, it } from "vitest";
import { suggestBranch } from "@/components/session/suggest-branch";

it("names a branch after the person", () => {
  expect(suggestBranch("Ada Lovelace", "0123456789ab")).toBe("al/01234567");
  expect(suggestBranch("owner", "0123456789ab")).toBe("ow/01234567");
  expect(suggestBranch("李", "0123456789ab")).toBe("dm/01234567");
});
