import { APICallError, InvalidResponseDataError, LoadAPIKeyError } from "@ai-sdk/provider";
import { NoOutputGeneratedError, RetryError, StreamProviderError } from "ai";
import { describe, expect, test } from "vitest";
import { classifyModelFailure, failureOfFinish } from "./failure";

const NOW = new Date("2026-11-29T12:00:00Z");
const api = (
  statusCode: number | undefined,
  more: { message?: string; body?: string; headers?: Record<string, string>; retryable?: boolean } = {},
) =>
  new APICallError({
    message: more.message ?? "failed with key sk-SECRET",
    url: "https://provider.test",
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(more.body === undefined ? {} : { responseBody: more.body }),
    ...(more.headers === undefined ? {} : { responseHeaders: more.headers }),
    ...(more.retryable === undefined ? {} : { isRetryable: more.retryable }),
  });

describe("classifyModelFailure", () => {
  test.each([
    [
      "429 with Retry-After",
      api(429, { headers: { "retry-after": "1" } }),
      { class: "rate_limit", retryable: true, retryAfterMs: 1_000 },
    ],
    [
      "429 with a date",
      api(429, { headers: { "retry-after": "Sun, 29 Nov 2026 12:00:05 GMT" } }),
      { class: "rate_limit", retryAfterMs: 5_000 },
    ],
    [
      "429 with retry-after-ms",
      api(429, { headers: { "retry-after-ms": "250", "retry-after": "9" } }),
      { class: "rate_limit", retryAfterMs: 250 },
    ],
    ["429 without a hint", api(429), { class: "rate_limit", retryable: true }],
    [
      "429 for an empty account",
      api(429, { body: '{"error":{"code":"insufficient_quota"}}' }),
      { class: "quota", retryable: false },
    ],
    ["402", api(402), { class: "quota", retryable: false }],
    [
      "529 before the first byte, after retries",
      new RetryError({ message: "x", reason: "maxRetriesExceeded", errors: [api(529)] }),
      { class: "overloaded", retryable: true },
    ],
    ["503", api(503), { class: "overloaded", retryable: true }],
    ["500", api(500), { class: "unknown", retryable: true }],
    ["401", api(401), { class: "auth", retryable: false }],
    ["403", api(403), { class: "auth", retryable: false }],
    ["a missing key", new LoadAPIKeyError({ message: "x" }), { class: "auth", retryable: false }],
    ["404", api(404), { class: "unknown_model", retryable: false }],
    ["400", api(400), { class: "unknown", retryable: false }],
    [
      "400 for a long prompt",
      api(400, { message: "prompt is too long: 210000 tokens > 200000 maximum" }),
      { class: "context_too_long", retryable: false },
    ],
    [
      "400 for a long context",
      api(400, { body: "This model's maximum context length is 8192 tokens" }),
      { class: "context_too_long" },
    ],
    ["400 of a filter", api(400, { body: '{"code":"content_filter"}' }), { class: "content_filter", retryable: false }],
    [
      "a socket cut in mid stream",
      api(200, { message: "Failed to process successful response", retryable: true }),
      { class: "cut", retryable: true },
    ],
    [
      "no connection",
      api(undefined, { message: "Cannot connect to API", retryable: true }),
      { class: "cut", retryable: true },
    ],
    ["a socket error", new Error("x", { cause: { code: "UND_ERR_SOCKET" } }), { class: "cut", retryable: true }],
    [
      "an error event in the stream",
      new StreamProviderError({ message: "Overloaded", statusCode: 529 }),
      { class: "overloaded", retryable: true },
    ],
    ["an answer without output", new NoOutputGeneratedError({ message: "x" }), { class: "garbage", retryable: true }],
    [
      "an answer in another form",
      new InvalidResponseDataError({ data: {}, message: "x" }),
      { class: "garbage", retryable: true },
    ],
    ["an abort", new DOMException("x", "AbortError"), { class: "stopped", retryable: false }],
    ["something that is no error", "boom sk-SECRET", { class: "unknown", retryable: false }],
    ["nothing", undefined, { class: "unknown", retryable: false }],
  ])("%s", (_name, error, expected) => {
    const failure = classifyModelFailure(error, NOW);
    expect(failure).toMatchObject(expected);
    expect(failure.message).not.toBe("");
    expect(JSON.stringify(failure)).not.toContain("SECRET");
  });
});

test.each([
  ["stop", null],
  ["tool-calls", null],
  ["length", "length"],
  ["content-filter", "content_filter"],
  ["interrupted", "no_finish"],
  [undefined, "no_finish"],
  ["error", "unknown"],
  ["other", "unknown"],
  ["something new", "unknown"],
])("finish reason %s: a step succeeds only on stop and tool-calls", (reason, expected) => {
  expect(failureOfFinish(reason)?.class ?? null).toBe(expected);
});
