import type { UIMessageChunk } from "ai";
import { applyChunk, type LiveParts, resetStep, resumeParts, settleParts } from "@/components/chat/apply-chunk";
import type { ChatEvent, ChatMessage, TurnState, TurnView } from "@/lib/chat/contract";

/** Words for the person; chat-rows.ts finds their place between the messages. */
export interface Notice {
  readonly seq: number;
  readonly at: string;
  readonly name: string;
  readonly message: string;
  readonly turnId: string | null;
  /** Of a failure: its class (lib/model/failure-list.ts), and what the person can do. */
  readonly failure?: { readonly class: string; readonly advice: string };
}

/** A message that was sent from this page and has not come back as an event. */
export interface PendingMessage {
  readonly id: string;
  readonly text: string;
  /** Paths of uploaded files. */
  readonly files?: readonly string[];
}

/** Everything that the page shows of a chat. Each value is replaced, never changed, so rows can be compared by identity. */
export interface ChatFold {
  /** Delivered and queued messages, oldest first; `metadata.status` tells which. */
  readonly messages: readonly ChatMessage[];
  readonly notices: readonly Notice[];
  readonly pending: readonly PendingMessage[];
  /** Unfinished turns, oldest first. */
  readonly turns: readonly TurnView[];
  /** The turn that ended last while the page looked on; its reason says why it failed or stopped. */
  readonly lastEnded: TurnView | null;
  readonly title: string | null;
  /** The last event that is contained; the stream goes on after it. */
  readonly lastSeq: number;
  readonly live: { readonly messageId: string; readonly parts: LiveParts } | null;
}

const ENDED: ReadonlySet<TurnState> = new Set(["completed", "failed", "stopped", "interrupted"]);

/** The state of a chat as a page load gives it. */
export function startFold(from: {
  messages: readonly ChatMessage[];
  notices: readonly ChatEvent[];
  eventSeq: number;
  activeTurn: TurnView | null;
}): ChatFold {
  return {
    messages: from.messages,
    notices: from.notices.flatMap(toNotices),
    pending: [],
    turns: from.activeTurn ? [from.activeTurn] : [],
    lastEnded: null,
    title: null,
    lastSeq: from.eventSeq,
    live: null,
  };
}

/** The id of the message that a turn writes. */
export const answerId = (turnId: string) => `msg_${turnId}`;

/**
 * Folds a batch of events into the state. Pure: what was passed in stays as it is. One batch costs the number of its
 * events plus one copy of the message list, so a long answer is folded in linear time. An event with a sequence number
 * that is contained already changes nothing, which makes reconnecting safe.
 */
export function foldEvents(state: ChatFold, events: readonly ChatEvent[]): ChatFold {
  const draft = new Draft(state);
  for (const event of events) {
    if (event.seq !== undefined) {
      if (event.seq <= draft.lastSeq) continue;
      draft.lastSeq = event.seq;
    }
    foldOne(draft, event);
  }
  return draft.finish();
}

/** Adds older messages, and the notices between them, that were fetched afterwards. */
export function prependMessages(
  state: ChatFold,
  older: { messages: readonly ChatMessage[]; notices: readonly ChatEvent[] },
): ChatFold {
  const known = new Set(state.messages.map((message) => message.id));
  const told = new Set(state.notices.map((notice) => notice.seq));
  const notices = older.notices.flatMap(toNotices).filter((notice) => !told.has(notice.seq));
  return {
    ...state,
    messages: [...older.messages.filter((message) => !known.has(message.id)), ...state.messages],
    notices: [...notices, ...state.notices],
  };
}

function toNotices(event: ChatEvent): Notice[] {
  const { seq, at, name, message, turnId, class: kind, advice } = event;
  if (!message || seq === undefined) return [];
  const failure = typeof kind === "string" && typeof advice === "string" ? { failure: { class: kind, advice } } : {};
  return [{ seq, at, name, message, turnId: turnId ?? null, ...failure }];
}

/** Takes the server's answer to a message that was sent; the event may have been faster. */
export function confirmSent(state: ChatFold, message: ChatMessage, turn: TurnView): ChatFold {
  const pending = state.pending.filter((entry) => entry.id !== message.id);
  if (state.messages.some((entry) => entry.id === message.id)) return { ...state, pending };
  const ended = state.lastEnded?.id === turn.id || ENDED.has(turn.state);
  return {
    ...state,
    pending,
    messages: [...state.messages, message],
    turns: ended || state.turns.some((entry) => entry.id === turn.id) ? state.turns : [...state.turns, turn],
  };
}

class Draft {
  lastSeq: number;
  title: string | null;
  turns: readonly TurnView[];
  lastEnded: TurnView | null;
  notices: readonly Notice[];
  pending: readonly PendingMessage[];
  readonly #state: ChatFold;
  #messages: ChatMessage[] | null = null;
  #index: Map<string, number> | null = null;
  #live: { messageId: string; parts: LiveParts } | null = null;
  #liveTouched = false;

  constructor(state: ChatFold) {
    this.#state = state;
    this.lastSeq = state.lastSeq;
    this.title = state.title;
    this.turns = state.turns;
    this.lastEnded = state.lastEnded;
    this.notices = state.notices;
    this.pending = state.pending;
  }

  get messages(): readonly ChatMessage[] {
    return this.#messages ?? this.#state.messages;
  }

  /** Index of a message, or -1. The index is built once per batch and thrown away when positions change. */
  indexOf(id: string): number {
    this.#index ??= new Map(this.messages.map((message, at) => [message.id, at]));
    return this.#index.get(id) ?? -1;
  }

  put(message: ChatMessage): void {
    const at = this.indexOf(message.id);
    const messages = this.#writable();
    if (at >= 0) messages[at] = message;
    else {
      this.#index?.set(message.id, messages.length);
      messages.push(message);
    }
  }

  remove(id: string): void {
    const at = this.indexOf(id);
    if (at < 0) return;
    this.#writable().splice(at, 1);
    this.#index = null;
  }

  /** The parts of the answer of a turn, to be changed in place until `finish`. */
  live(turnId: string, at: string): LiveParts {
    const messageId = answerId(turnId);
    if (this.#live?.messageId === messageId) return this.#live.parts;
    this.#store();
    const known = this.messages[this.indexOf(messageId)];
    if (!known) this.put({ id: messageId, role: "assistant", parts: [], metadata: { turnId, createdAt: at } });
    const carried = this.#state.live;
    const parts =
      carried?.messageId === messageId && !this.#liveTouched
        ? { ...carried.parts, parts: [...carried.parts.parts], openTexts: new Map(carried.parts.openTexts) }
        : resumeParts(known?.parts ?? []);
    this.#live = { messageId, parts };
    this.#liveTouched = true;
    return parts;
  }

  /** Keeps with an answer how its turn ended, as a page load would give it. */
  noteTurn(turn: TurnView): void {
    const message = this.messages[this.indexOf(answerId(turn.id))];
    if (message) this.put({ ...message, metadata: { ...message.metadata, turn } });
  }

  finish(): ChatFold {
    this.#store();
    return {
      messages: this.messages,
      notices: this.notices,
      pending: this.pending,
      turns: this.turns,
      lastEnded: this.lastEnded,
      title: this.title,
      lastSeq: this.lastSeq,
      live: this.#live ?? this.#state.live,
    };
  }

  /** Writes the live parts into their message. */
  #store(): void {
    if (!this.#live) return;
    const message = this.messages[this.indexOf(this.#live.messageId)];
    if (message) this.put({ ...message, parts: [...this.#live.parts.parts] });
  }

  #writable(): ChatMessage[] {
    this.#messages ??= [...this.#state.messages];
    return this.#messages;
  }
}

function foldOne(draft: Draft, event: ChatEvent): void {
  switch (event.kind) {
    case "delta":
      foldDelta(draft, event);
      return;
    // The other actions, and all observations, have a delta of their own that shapes the tool's part.
    case "action":
      if (event.name === "message" && event.source === "user") foldMessage(draft, event);
      return;
    case "state":
      foldState(draft, event);
      return;
    case "notice":
      draft.notices = [...draft.notices, ...toNotices(event)];
      return;
    default:
      return;
  }
}

function foldDelta(draft: Draft, event: ChatEvent): void {
  if (!event.turnId) return;
  const live = draft.live(event.turnId, event.at);
  if (event.name === "reset-step") resetStep(live);
  else if (isChunk(event.chunk)) applyChunk(live, event.chunk);
}

/** A message of the person was queued, edited, removed or delivered. Delivered ones stand where they were delivered. */
function foldMessage(draft: Draft, event: ChatEvent): void {
  const id = typeof event.id === "string" ? event.id : null;
  if (!id) return;
  draft.pending = draft.pending.filter((entry) => entry.id !== id);
  if (event.status === "removed") {
    draft.remove(id);
    return;
  }
  const known = draft.messages[draft.indexOf(id)];
  const delivered = event.status === "delivered" || known?.metadata?.status === "delivered";
  const message: ChatMessage = {
    id,
    role: "user",
    parts: typeof event.text === "string" || !known ? [{ type: "text", text: String(event.text ?? "") }] : known.parts,
    metadata: {
      createdAt: event.at,
      ...known?.metadata,
      status: delivered ? "delivered" : "queued",
      ...(event.turnId ? { turnId: event.turnId } : {}),
      ...(Array.isArray(event.files) ? { files: event.files.map(String) } : {}),
      ...(typeof event.answers === "string" ? { answers: event.answers } : {}),
    },
  };
  if (event.status === "delivered" && known?.metadata?.status === "queued") draft.remove(id);
  draft.put(message);
}

function foldState(draft: Draft, event: ChatEvent): void {
  if (typeof event.title === "string") draft.title = event.title;
  if (event.name === "now") {
    foldNow(draft, event);
    return;
  }
  const turn = asTurn(event.turn);
  if (event.name !== "turn" || !turn) return;
  if (!ENDED.has(turn.state)) {
    const known = draft.turns.some((entry) => entry.id === turn.id);
    draft.turns = known ? draft.turns.map((entry) => (entry.id === turn.id ? turn : entry)) : [...draft.turns, turn];
    return;
  }
  draft.turns = draft.turns.filter((entry) => entry.id !== turn.id);
  draft.lastEnded = turn;
  if (draft.indexOf(answerId(turn.id)) < 0) return;
  settleParts(draft.live(turn.id, event.at), unansweredWords(turn.state));
  draft.noteTurn(turn);
}

/** `now` names the oldest unfinished turn or none; what this page believed besides is out of date. */
function foldNow(draft: Draft, event: ChatEvent): void {
  const turn = asTurn(event.turn);
  if (!turn) {
    if (event.turn === null) draft.turns = [];
    return;
  }
  draft.turns = [turn, ...draft.turns.filter((entry) => entry.id !== turn.id && entry.state === "queued")];
}

function unansweredWords(state: TurnState): string {
  return state === "stopped" ? "Stopped before it answered." : "The turn ended before it answered.";
}

function asTurn(value: unknown): TurnView | null {
  return typeof value === "object" && value !== null && "id" in value && "state" in value ? (value as TurnView) : null;
}

function isChunk(value: unknown): value is UIMessageChunk {
  return typeof value === "object" && value !== null && "type" in value;
}
