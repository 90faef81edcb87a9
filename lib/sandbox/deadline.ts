import { orAborted } from "@/lib/kernel/retry";
import { SandboxError } from "./errors";

/**
 * What an operation at the provider gives within `ms` milliseconds (design.md, section 2, rule 3: nothing is in progress without a
 * deadline). One that hangs is left behind; operations are idempotent, so the next try finds whatever it did.
 * @throws SandboxError `transient` with reason `deadline`
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  try {
    const boxed = await orAborted(
      work.then((value) => ({ value })),
      over.signal,
    );
    if (boxed) return boxed.value;
    throw new SandboxError("transient", `The provider did not answer within ${Math.round(ms / 1000)} s.`, {
      reason: "deadline",
    });
  } finally {
    clearTimeout(timer);
  }
}
