import { afterEach, describe, expect, it, vi } from "vitest";
import { callApi, failureOf, parseRetryAfter } from "@/components/lib/api-client";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function answers(...list: Response[]) {
  const fetching = vi.fn(async () => list.shift() ?? new Response(null, { status: 500 }));
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

describe("a call of the API", () => {
  it("gives the failure as the API words it", async () => {
    const error = {
      code: "no_remote",
      message: "There is no remote.",
      retryable: false,
      requestId: "r1",
      details: { a: 1 },
    };
    answers(Response.json({ error }, { status: 422 }));
    expect(await callApi("/x")).toEqual({ ok: false, error });
  });

  it("waits for a short Retry-After and then goes through", async () => {
    vi.useFakeTimers();
    const fetching = answers(
      new Response(null, { status: 429, headers: { "retry-after": "2" } }),
      Response.json({ fine: true }),
    );
    const call = callApi("/x", { method: "POST", body: {} });
    await vi.advanceTimersByTimeAsync(1_900);
    expect(fetching).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await call).toEqual({ ok: true, value: { fine: true } });
  });

  it("shows a long Retry-After instead of waiting for it", async () => {
    const fetching = answers(new Response(null, { status: 429, headers: { "retry-after": "60" } }));
    expect(await callApi("/x")).toMatchObject({
      ok: false,
      error: { code: "rate_limited", details: { retryAfterSeconds: 60 } },
    });
    expect(fetching).toHaveBeenCalledTimes(1);
  });

  it("is a retryable failure when the server cannot be reached", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("network");
    });
    expect(await callApi("/x")).toMatchObject({ ok: false, error: { code: "unavailable", retryable: true } });
  });
});

it("reads an error page that is not ours", () => {
  expect(failureOf(502, null, 0)).toMatchObject({ code: "unavailable", retryable: true });
  expect(failureOf(404, { error: { code: "strange" } }, 0)).toMatchObject({ code: "not_found" });
});

it("reads Retry-After as seconds or as a date", () => {
  expect(parseRetryAfter("3", 0)).toBe(3_000);
  expect(parseRetryAfter("Thu, 01 Jan 1970 00:00:10 GMT", 4_000)).toBe(6_000);
  expect(parseRetryAfter(null, 0)).toBe(1_000);
});
