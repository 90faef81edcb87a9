import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { ChatMessage, MessageListView, SendMessageView, TurnState } from "@/lib/chat/contract";
import { sendMessageView } from "@/lib/chat/contract";
import type { SandboxState, SandboxView } from "@/lib/sandbox/contract";
import { sandboxView } from "@/lib/sandbox/contract";
import type { CreateSessionBody, CreateSessionView, StartView } from "@/lib/session/contract";
import { createSessionView, startView } from "@/lib/session/contract";
import { poll } from "./poll";
import { collectUntil, type ReadOptions, readEvents, type StreamedEvent } from "./sse";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON body, or undefined when the body is not JSON. */
  readonly body: unknown;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, without JSON encoding. */
  readonly raw?: string | FormData;
  /** Leaves the bearer token out. */
  readonly anonymous?: boolean;
  readonly signal?: AbortSignal;
}

export const ENDED: ReadonlySet<TurnState> = new Set(["completed", "failed", "stopped", "interrupted"]);

/** One finished turn as a client sees it. */
export interface FinishedTurn {
  readonly id: string;
  readonly state: TurnState;
  readonly reason: string | null;
  readonly events: StreamedEvent[];
  readonly message: ChatMessage | undefined;
  readonly text: string;
}

/** A plain client of the HTTP API (api.md). Every typed call checks the answer against the published contract. */
export class Client {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers };
    if (!options.anonymous && headers.authorization === undefined) headers.authorization = `Bearer ${this.token}`;
    if (body !== undefined && headers["content-type"] === undefined) headers["content-type"] = "application/json";
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(payload === undefined ? {} : { body: payload }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request("GET", path, undefined, options);
  }
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request("POST", path, body, options);
  }
  patch(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.request("PATCH", path, body, options);
  }
  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request("DELETE", path, undefined, options);
  }

  /** A GET that must answer 200 with a body of the given shape. */
  async read<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>> {
    const answer = await this.get(path);
    return parsed(answer, 200, shape, `GET ${path}`);
  }

  async create(body: CreateSessionBody = {}): Promise<CreateSessionView> {
    return parsed(await this.post("/api/sessions", body), 201, createSessionView, "POST /api/sessions");
  }

  start(sessionId: string): Promise<StartView> {
    return this.read(`/api/sessions/${sessionId}/start`, startView);
  }

  /** Waits until a start has ended either way. */
  started(sessionId: string, timeoutMs = 240_000): Promise<StartView> {
    return poll(
      () => this.start(sessionId),
      (start) => start.status === "READY" || start.status === "ERROR",
      { timeoutMs, what: `start of ${sessionId}` },
    );
  }

  /** Creates a session and waits for READY. */
  async ready(body: CreateSessionBody = {}): Promise<CreateSessionView> {
    const made = await this.create(body);
    const start = await this.started(made.session.id);
    if (start.status !== "READY") throw new Error(`the start ended in ${start.status}: ${JSON.stringify(start.error)}`);
    return made;
  }

  sandbox(sessionId: string): Promise<SandboxView> {
    return this.read(`/api/sessions/${sessionId}/sandbox`, sandboxView);
  }

  sandboxIn(sessionId: string, state: SandboxState, timeoutMs = 150_000): Promise<SandboxView> {
    return poll(
      () => this.sandbox(sessionId),
      (view) => view.state === state,
      { timeoutMs, what: `sandbox of ${sessionId} in ${state}` },
    );
  }

  /** Puts a sandbox to sleep and waits for it. */
  async asleep(sessionId: string): Promise<SandboxView> {
    const answer = await this.post(`/api/sessions/${sessionId}/sandbox/hibernate`, {});
    if (answer.status !== 202) throw new Error(`hibernate answered ${answer.status}: ${answer.text}`);
    return this.sandboxIn(sessionId, "hibernated");
  }

  async send(chatId: string, text: string, id = newMessageId()): Promise<SendMessageView> {
    const answer = await this.post(`/api/chats/${chatId}/messages`, { id, text });
    return parsed(answer, 202, sendMessageView, "POST messages");
  }

  async messages(chatId: string, query = ""): Promise<MessageListView> {
    const answer = await this.get(`/api/chats/${chatId}/messages${query}`);
    if (answer.status !== 200) throw new Error(`GET messages answered ${answer.status}: ${answer.text}`);
    return answer.body as MessageListView;
  }

  events(chatId: string, options: ReadOptions = {}): AsyncGenerator<StreamedEvent> {
    return readEvents(this, `/api/chats/${chatId}/events`, options);
  }

  collect(
    chatId: string,
    predicate: (event: StreamedEvent, all: readonly StreamedEvent[]) => boolean,
    options: ReadOptions & { timeoutMs?: number } = {},
  ): Promise<StreamedEvent[]> {
    const reading = collectUntil(this, `/api/chats/${chatId}/events`, predicate, options);
    // Often awaited later: a failure is one of the test that awaits it, never an error outside of all tests.
    reading.catch(() => {});
    return reading;
  }

  /** The whole history of a chat that has nothing left to do: all stored events, in order. */
  async history(chatId: string, options: ReadOptions = {}): Promise<StreamedEvent[]> {
    const events = await this.collect(chatId, (event) => event.name === "now", options);
    return events.filter((event) => event.seq !== undefined);
  }

  /** Waits until a turn has ended, and gives what it said and did. */
  async finished(chatId: string, turnId: string, timeoutMs = 240_000): Promise<FinishedTurn> {
    let state: TurnState = "queued";
    let reason: string | null = null;
    const events = await this.collect(
      chatId,
      (event) => {
        const turn = turnOf(event);
        if (turn?.id !== turnId) return false;
        state = turn.state;
        reason = turn.reason ?? null;
        return ENDED.has(turn.state);
      },
      { timeoutMs, after: 0, view: "actions" },
    );
    const message = (await this.messages(chatId)).messages.find(
      (one) => one.role === "assistant" && one.metadata?.turnId === turnId,
    );
    return {
      id: turnId,
      state,
      reason,
      events: events.filter((event) => event.turnId === turnId),
      message,
      text: message ? textOf(message) : "",
    };
  }

  /** Sends a message and waits for the end of the turn that answers it. */
  async turn(chatId: string, text: string, timeoutMs = 240_000): Promise<FinishedTurn> {
    const sent = await this.send(chatId, text);
    return this.finished(chatId, sent.turn.id, timeoutMs);
  }
}

/** The turn that a `state`/`turn` event names, else undefined. */
export function turnOf(event: StreamedEvent): { id: string; state: TurnState; reason?: string | null } | undefined {
  if (event.kind !== "state" || event.name !== "turn") return undefined;
  return event.turn as { id: string; state: TurnState; reason?: string | null };
}

export function newMessageId(): string {
  return `m-${randomUUID()}`;
}

/** All text that a message shows, reasoning left out. */
export function textOf(message: ChatMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export interface ToolPart {
  readonly type: string;
  readonly toolCallId: string;
  readonly state: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
}

export function toolParts(message: ChatMessage | undefined): ToolPart[] {
  return (message?.parts ?? []).filter((part) => part.type.startsWith("tool-")) as unknown as ToolPart[];
}

/** What the model saw of a tool call, as one searchable string. */
export function outputOf(part: ToolPart | undefined): string {
  return JSON.stringify(part?.output ?? part?.errorText ?? null);
}

export function parsed<T extends z.ZodType>(answer: Answer, status: number, shape: T, what: string): z.output<T> {
  if (answer.status !== status) throw new Error(`${what} answered ${answer.status}, not ${status}: ${answer.text}`);
  const result = shape.safeParse(answer.body);
  if (!result.success) throw new Error(`${what} breaks its contract: ${result.error.message}\n${answer.text}`);
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
