import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { demoFailure } from "./demo-failure";
import { closingSentence, type DemoSegment, type DemoStep, planDemoAnswer } from "./demo-script";
import { demoParts } from "./demo-stream";

/**
 * The scripted model `demo/demo` (api.md, "The demo model"): no key, no network, real tool calls. It keeps no state: which step
 * comes next is the number of tool results since the newest user message, because every step but the last makes one call.
 * So a step that is asked for again, after a crash say, is answered in the same way. `fail <class>` fails at every
 * attempt, like a provider that is down for good.
 */
export function createDemoModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "demo",
    modelId: "demo",
    supportedUrls: {},
    doGenerate: async (options) => {
      const { content, finishReason, usage } = await collect(demoParts(currentStep(options.prompt), options));
      return { content, finishReason, usage, warnings: [] };
    },
    doStream: async (options) => {
      options.abortSignal?.throwIfAborted();
      const { segments } = currentStep(options.prompt);
      // Like a real provider, which refuses before the first byte; `cut` and failures after text come in the stream.
      const first = segments[0];
      if (first?.type === "fail" && first.failure !== "cut") throw demoFailure(first.failure);
      return { stream: toStream(demoParts(currentStep(options.prompt), options)) };
    },
  };
}

/** What to do now, as a function of the prompt alone. */
function currentStep(prompt: LanguageModelV4Prompt): DemoStep {
  const newestUser = prompt.findLastIndex((message) => message.role === "user");
  const message = prompt[newestUser];
  const text =
    message?.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";

  let answered = 0;
  for (const later of prompt.slice(newestUser + 1)) {
    if (later.role === "tool") answered += later.content.filter((part) => part.type === "tool-result").length;
  }

  const plan = planDemoAnswer(text);
  const step = plan[Math.min(answered, plan.length - 1)];
  if (step === undefined) throw new Error("invariant: a plan has at least one step");
  if (step.call !== null) return step;

  const spokeBefore = [...plan.slice(0, -1), step].some(({ segments }) => segments.some(isSpoken));
  // The closing sentence starts on a new line also for a reader who joins the text of all steps.
  const opensPart = !isSpoken(step.segments.at(-1));
  const closing = `${opensPart && spokeBefore ? "\n" : ""}${closingSentence(answered)}`;
  return { segments: [...step.segments, { type: "text", text: closing }], call: null };
}

function isSpoken(segment: DemoSegment | undefined): boolean {
  return segment?.type === "text" || segment?.type === "slow";
}

function toStream(parts: AsyncGenerator<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function collect(parts: AsyncGenerator<LanguageModelV4StreamPart>): Promise<{
  content: LanguageModelV4Content[];
  finishReason: LanguageModelV4FinishReason;
  usage: LanguageModelV4Usage;
}> {
  const content: LanguageModelV4Content[] = [];
  for await (const part of parts) {
    if (part.type === "error") throw part.error;
    if (part.type === "finish") return { content, finishReason: part.finishReason, usage: part.usage };
    if (part.type === "text-start") content.push({ type: "text", text: "" });
    if (part.type === "reasoning-start") content.push({ type: "reasoning", text: "" });
    if (part.type === "tool-call") content.push(part);
    const last = content.at(-1);
    if (part.type === "text-delta" && last?.type === "text") last.text += part.delta;
    if (part.type === "reasoning-delta" && last?.type === "reasoning") last.text += part.delta;
  }
  throw new Error("invariant: a demo answer ends with finish");
}
