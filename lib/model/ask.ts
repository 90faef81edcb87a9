import { generateText } from "ai";
import type { Db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import type { Log } from "@/lib/kernel/log";
import type { CallPurpose } from "@/lib/usage/contract";
import { countedUsage } from "./counted";
import { estimatedUsage, NO_USAGE, tokensOfChars } from "./estimate";
import { classifyModelFailure } from "./failure";
import { closeCall, openCall } from "./ledger-store";
import type { UsableModel } from "./port";

export interface Question {
  readonly userId: string;
  readonly sessionId: string;
  readonly chatId?: string;
  readonly turnId?: string;
  readonly purpose: Exclude<CallPurpose, "step">;
  readonly instructions: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Asks a small model for one text: a title, a commit message, a summary. Null when it fails, takes too long or says nothing;
 * the caller has a plain fallback. What it cost is written down either way.
 */
export async function askOnce(
  deps: { readonly db: Db; readonly log: Log },
  usable: UsableModel,
  question: Question,
): Promise<string | null> {
  const { instructions, prompt, purpose, timeoutMs } = question;
  const id = newId();
  const promptChars = instructions.length + prompt.length;
  const promptTokens = tokensOfChars(promptChars);
  await openCall(deps.db, {
    id,
    userId: question.userId,
    sessionId: question.sessionId,
    chatId: question.chatId ?? null,
    turnId: question.turnId ?? null,
    purpose,
    model: usable.info.ref,
    inputTokens: promptTokens,
    costUsd: usable.costOf(estimatedUsage(promptTokens, 0)),
    promptChars,
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const result = await generateText({
      model: usable.model,
      instructions,
      prompt,
      maxOutputTokens: question.maxOutputTokens,
      maxRetries: 1,
      abortSignal: question.signal ? AbortSignal.any([question.signal, timeout]) : timeout,
      // A small task: nothing of it is worth thinking or storing.
      providerOptions: { openai: { store: false } },
    });
    const counted = countedUsage(result.usage);
    const usage = counted ?? estimatedUsage(promptTokens, result.text.length);
    await closeCall(deps.db, id, {
      usage,
      costUsd: usable.costOf(usage),
      estimated: counted === null,
      outcome: "done",
    });
    return result.text.trim() === "" ? null : result.text.trim();
  } catch (error) {
    const failure = classifyModelFailure(error, new Date());
    const worked = failure.class === "stopped" || failure.class === "cut";
    const usage = worked ? estimatedUsage(promptTokens, 0) : NO_USAGE;
    await closeCall(deps.db, id, { usage, costUsd: usable.costOf(usage), estimated: worked, outcome: "failed" });
    deps.log.warn("a small model did not answer", { purpose, model: usable.info.ref, class: failure.class });
    return null;
  }
}
