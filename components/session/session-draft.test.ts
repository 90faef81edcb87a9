import { expect, it } from "vitest";
import { emptyDraft, recallDraft, storeDraft, toCreateBody, typedDraft } from "@/components/session/session-draft";
import { createSessionBody } from "@/lib/session/contract";

const ID = "3b241101-e2bb-4255-8caf-4136c566a962";

it("leaves out what is empty and sends what the API takes", () => {
  const body = toCreateBody(emptyDraft("demo/demo"), ID);
  expect(body).toEqual({ id: ID, model: "demo/demo" });
  expect(createSessionBody.parse(body)).toEqual(body);
});

it("asks for a branch that the server names unless one is given", () => {
  const draft = { ...emptyDraft("demo/demo"), prompt: "Do it", repoUrl: " https://github.com/a/b ", branch: "main" };
  expect(toCreateBody(draft, ID)).toMatchObject({
    prompt: "Do it",
    repo: { url: "https://github.com/a/b", branch: "main", newBranch: true },
  });
  expect(toCreateBody({ ...draft, newBranch: " fix " }, ID).repo?.newBranch).toBe("fix");
  expect(toCreateBody({ ...draft, onNewBranch: false }, ID).repo).not.toHaveProperty("newBranch");
});

it("takes over what stands in the fields before the page came to life, and nothing that is empty", () => {
  const fields = new FormData();
  fields.set("prompt", "typed early");
  fields.set("repoUrl", "");
  fields.set("other", "x");
  expect(typedDraft(fields)).toEqual({ prompt: "typed early" });
});

it("survives a reload, but for the name of the branch and a model that is gone", () => {
  const draft = { ...emptyDraft("demo/demo", "du/12345678"), prompt: "Do it", repoUrl: "/repo", onNewBranch: false };
  expect(recallDraft(storeDraft(draft), ["demo/demo"])).toEqual({
    prompt: "Do it",
    repoUrl: "/repo",
    branch: "",
    onNewBranch: false,
    model: "demo/demo",
  });
  expect(recallDraft(storeDraft(draft), ["other/model"])).not.toHaveProperty("model");
});

it("recalls nothing from what is no draft", () => {
  for (const stored of [null, "", "{", "7", '{"prompt":7,"evil":"x"}']) expect(recallDraft(stored, [])).toEqual({});
});
