import type { ChatMessage } from "./contract";

/** The rows that make up a chat, as far as the history needs them. */
export interface HistoryMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly turnId: string;
  readonly status: "queued" | "delivered" | "removed";
  readonly parts: ChatMessage["parts"];
  readonly metadata: ChatMessage["metadata"];
  readonly createdAt: Date;
}
export interface HistoryStep {
  readonly turnId: string;
  readonly step: number;
  readonly parts: ChatMessage["parts"];
  readonly model: string;
  readonly finishReason: string;
}
export interface HistoryCall {
  readonly turnId: string;
  readonly id: string;
  readonly state: "pending" | "running" | "done";
  readonly ok: boolean | null;
  readonly output: Record<string, unknown> | null;
}

export function assistantMessageId(turnId: string): string {
  return `msg_${turnId}`;
}

/**
 * Puts messages together from rows: an answer's parts are those of its steps, with the outcome of each tool call filled in.
 * Pure; nothing that a browser sent as history is ever in it (design.md, section 5). `forModel` names the model that will read
 * them, and leaves out what only another one could understand.
 */
export function assembleMessages(
  messages: readonly HistoryMessage[],
  steps: readonly HistoryStep[],
  calls: readonly HistoryCall[],
  forModel?: string,
): ChatMessage[] {
  const stepsOf = groupBy(steps, (step) => step.turnId);
  const callOf = new Map(calls.map((call) => [`${call.turnId} ${call.id}`, call]));
  return messages.map((message) => ({
    id: message.id,
    role: message.role,
    parts:
      message.role === "user"
        ? message.parts
        : (stepsOf.get(message.turnId) ?? []).flatMap((step) =>
            (forModel === undefined || isNative(step, forModel) ? step.parts : portable(step.parts)).map((part) =>
              withOutcome(part, (id) => callOf.get(`${message.turnId} ${id}`)),
            ),
          ),
    metadata: {
      ...message.metadata,
      turnId: message.turnId,
      createdAt: message.createdAt.toISOString(),
      ...(message.role === "user" && message.status !== "removed" ? { status: message.status } : {}),
    },
  }));
}

type Part = ChatMessage["parts"][number];

/** Whether a model can take back what it said: its own words, of a step that came to its end. */
function isNative(step: HistoryStep, model: string): boolean {
  return step.model === model && (step.finishReason === "stop" || step.finishReason === "tool-calls");
}

/** Without reasoning and provider data, which carry signatures and ids that another provider or a new answer has no use for. */
function portable(parts: ChatMessage["parts"]): ChatMessage["parts"] {
  return parts
    .filter((part) => part.type !== "reasoning")
    .map((part) => {
      const { providerMetadata: _, callProviderMetadata: __, ...rest } = part as Part & Record<string, unknown>;
      return rest as Part;
    });
}

function withOutcome(part: Part, findCall: (id: string) => HistoryCall | undefined): Part {
  if (!("toolCallId" in part)) return part;
  const call = findCall(part.toolCallId);
  // A call that could not be made is settled already; what a tool reports as failed is output too, so that the model sees why.
  if (call?.state !== "done" || ("state" in part && part.state === "output-error")) return part;
  const { type, toolCallId } = part;
  return {
    type,
    toolCallId,
    input: "input" in part ? part.input : undefined,
    state: "output-available",
    output: call.output,
    ...("callProviderMetadata" in part ? { callProviderMetadata: part.callProviderMetadata } : {}),
  } as Part;
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/**
 * What the model gets: the assembled messages without those that answered a question, since their text is the result of
 * the question's tool call already. A message that let a paused turn go on stands where it was said, in the middle of the answer:
 * at the end it would look as if nothing had been done for it yet.
 */
export function modelHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const said = messages.filter((message) => message.role !== "user" || !message.metadata?.answers);
  const within = groupBy(
    said.filter((message) => message.metadata?.afterStep !== undefined),
    (message) => message.metadata?.turnId ?? "",
  );
  return said.flatMap((message) => {
    if (message.metadata?.afterStep !== undefined) return [];
    const notes = message.role === "assistant" ? within.get(message.metadata?.turnId ?? "") : undefined;
    return notes ? withNotes(message, notes) : [message];
  });
}

function withNotes(answer: ChatMessage, notes: readonly ChatMessage[]): ChatMessage[] {
  const starts = answer.parts.flatMap((part, index) => (part.type === "step-start" ? [index] : []));
  const pieces: ChatMessage[] = [];
  let from = 0;
  for (const [index, note] of notes.entries()) {
    const to = starts[note.metadata?.afterStep ?? 0] ?? answer.parts.length;
    pieces.push({ ...answer, id: `${answer.id}-${index}`, parts: answer.parts.slice(from, to) }, note);
    from = to;
  }
  return [...pieces, { ...answer, parts: answer.parts.slice(from) }].filter((piece) => piece.parts.length > 0);
}
