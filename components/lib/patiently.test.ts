import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { patiently } from "./patiently";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function failing(times: number) {
  let left = times;
  return vi.fn(async () => {
    left -= 1;
    if (left >= 0) throw new Error("no network");
    return "the part";
  });
}

test("a part that cannot be loaded is asked for again until it is there", async () => {
  const load = failing(3);
  const loading = patiently(load)();
  await vi.runAllTimersAsync();
  expect(await loading).toBe("the part");
  expect(load).toHaveBeenCalledTimes(4);
});

test("it is asked for at once when the network is back", async () => {
  const loading = patiently(failing(1))();
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(await loading).toBe("the part");
});

test("one that never comes fails in the end, with the reason", async () => {
  const loading = patiently(failing(100))();
  const failure = expect(loading).rejects.toThrow("no network");
  await vi.runAllTimersAsync();
  await failure;
});
