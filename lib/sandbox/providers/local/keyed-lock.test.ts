import { expect, it } from "vitest";
import { KeyedLock } from "./keyed-lock";

it("operations on one key run one after the other, also after a failure", async () => {
  const lock = new KeyedLock();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run("a", async () => {
    seen.push("first begins");
    await gate.promise;
    seen.push("first ends");
    throw new Error("no");
  });
  const second = lock.run("a", async () => void seen.push("second"));
  await lock.run("b", async () => void seen.push("other key"));
  gate.resolve();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(seen).toEqual(["first begins", "other key", "first ends", "second"]);
});

it("two callers that want the same keys in another order do not wait for each other for ever", async () => {
  const lock = new KeyedLock();
  const order: string[] = [];
  await Promise.all([
    lock.runAll(["a", "b"], async () => void order.push("ab")),
    lock.runAll(["b", "a"], async () => void order.push("ba")),
    lock.runAll(["a", "a"], async () => void order.push("aa")),
  ]);
  expect(order.sort()).toEqual(["aa", "ab", "ba"]);
});
