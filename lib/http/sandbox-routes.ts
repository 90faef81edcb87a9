import { z } from "zod";
import {
  diffView,
  fileContentView,
  filesView,
  gitView,
  hibernateBody,
  sandboxState,
  sandboxView,
  transitionView,
  uploadView,
} from "@/lib/sandbox/contract";
import { spec } from "./route-spec";

const stateAnswer = z.object({ state: sandboxState });
const text = z.string().max(4000);

/** Routes of the sandbox of a session and of the files in it. */
export const SANDBOX_ROUTES = {
  getSandbox: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/sandbox",
    summary: "Where the sandbox is; never wakes it",
    auth: "user",
    answer: sandboxView,
    status: 200,
  }),
  listTransitions: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/sandbox/transitions",
    summary: "What happened to the sandbox, newest first",
    auth: "user",
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(50),
      cursor: z
        .string()
        .regex(/^\d{1,10}$/)
        .optional(),
    }),
    answer: z.object({ transitions: z.array(transitionView), nextCursor: z.string().nullable() }),
    status: 200,
  }),
  hibernate: spec({
    method: "POST",
    path: "/api/sessions/{sessionId}/sandbox/hibernate",
    summary: "Put the sandbox to sleep",
    auth: "user",
    body: hibernateBody,
    bodyOptional: true,
    answer: stateAnswer,
    status: 202,
  }),
  resume: spec({
    method: "POST",
    path: "/api/sessions/{sessionId}/sandbox/resume",
    summary: "Wake the sandbox",
    auth: "user",
    answer: stateAnswer,
    status: 202,
  }),
  activity: spec({
    method: "POST",
    path: "/api/sessions/{sessionId}/sandbox/activity",
    summary: "A person is there; never wakes",
    auth: "user",
    answer: stateAnswer,
    status: 202,
  }),
  listFiles: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/files",
    summary: "One folder",
    auth: "user",
    query: z.object({ path: text.default("") }),
    answer: filesView,
    status: 200,
  }),
  uploadFiles: spec({
    method: "POST",
    path: "/api/sessions/{sessionId}/files",
    summary: "Upload files as multipart/form-data",
    auth: "user",
    query: z.object({ path: text.default("") }),
    answer: uploadView,
    status: 200,
  }),
  readFile: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/files/content",
    summary: "Content of one file",
    auth: "user",
    query: z.object({ path: text.min(1) }),
    answer: fileContentView,
    status: 200,
  }),
  downloadFile: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/files/download",
    summary: "A file as it is, or a folder as .tar.gz without .git and node_modules; always as an attachment",
    auth: "user",
    query: z.object({ path: text.default("") }),
    answer: "bytes",
    status: 200,
    unlimited: true,
  }),
  getGit: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/git",
    summary: "Branch, commits to push, the last push and a proposed commit message; the kept copy when asleep",
    auth: "user",
    answer: gitView,
    status: 200,
  }),
  getDiff: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/diff",
    summary: "What changed; the kept copy when asleep",
    auth: "user",
    query: z.object({ scope: z.enum(["all", "uncommitted"]).default("all") }),
    answer: diffView,
    status: 200,
  }),
} as const;
