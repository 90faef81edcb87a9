import type { ChatEvent } from "@/lib/chat/contract";
import { readSnapshot } from "@/lib/chat/read";
import { findOwnedChat } from "@/lib/chat/store";
import { readEvents } from "@/lib/chat/stream-store";
import { isFinished } from "@/lib/chat/turn";
import { listUnfinished, toTurnView } from "@/lib/chat/turn-store";
import type { Queryable } from "@/lib/db/client";
import { POLL_FALLBACK_MS } from "@/lib/db/listen";
import type { Deps } from "@/lib/deps";
import { readSandboxView } from "@/lib/sandbox/service";
import { findSandbox } from "@/lib/sandbox/store";
import { Signals } from "./signals";
import { isStartOpen } from "./start";
import { findNewestStart } from "./start-store";
import { toStartView } from "./start-view";
import { findSession } from "./store";

const PAGE = 500;

export interface FollowOptions {
  readonly chatId: string;
  readonly userId: string;
  /** Events after this seq. */
  readonly after: number;
  /** Leaves deltas out. */
  readonly actionsOnly: boolean;
  /** Ends after the turn that is current when history is over. */
  readonly untilTurnEnd: boolean;
  readonly signal: AbortSignal;
}

/**
 * Everything that happens in a chat: history, then one `now`, then live, without a gap and without doubles (api.md, "Events").
 * Subscribes first and selects then; the table is the truth, hints only make it quick.
 */
export async function* followChat(deps: Deps, options: FollowOptions): AsyncGenerator<ChatEvent> {
  const { chatId, userId, signal } = options;
  const owned = await findOwnedChat(deps.db, userId, chatId);
  if (!owned) return;
  const { id: sessionId, sandboxId } = owned.session;
  const signals = new Signals(deps.listener, signal, { chat: chatId, sandbox: sandboxId, start: sessionId });
  try {
    let after = options.after;
    let endsWith: string | null = null;
    // History, and the moment at which it is over, seen in one snapshot.
    for (;;) {
      const page = await readSnapshot(deps, async (tx) => {
        const { events, seq } = await readEvents(tx, chatId, after, PAGE, options.actionsOnly);
        return { events, seq, now: events.length < PAGE ? await readNow(tx, chatId, sandboxId, sessionId) : null };
      });
      yield* page.events;
      after = page.seq;
      if (!page.now) continue;
      endsWith = page.now.turnId;
      yield page.now.event;
      break;
    }
    if (options.untilTurnEnd && endsWith === null) return;
    for (;;) {
      const woken = await signals.next(POLL_FALLBACK_MS);
      if (signal.aborted) return;
      if (woken.heartbeat)
        yield { kind: "heartbeat", name: "heartbeat", source: "system", at: new Date().toISOString() };
      for (;;) {
        const { events, seq } = await readEvents(deps.db, chatId, after, PAGE, options.actionsOnly);
        after = seq;
        for (const event of events) {
          yield event;
          if (options.untilTurnEnd && endsTurn(event, endsWith)) return;
        }
        if (events.length < PAGE) break;
      }
      if (woken.sandbox) yield* stateEvent("sandbox", await readSandbox(deps.db, sandboxId));
      if (woken.start) yield* stateEvent("start", await readStart(deps.db, sessionId));
      if (woken.polled && !(await findOwnedChat(deps.db, userId, chatId))) return;
    }
  } finally {
    signals.close();
  }
}

function endsTurn(event: ChatEvent, turnId: string | null): boolean {
  if (event.kind !== "state" || event.name !== "turn" || event.turnId !== turnId) return false;
  const turn = event.turn as { state?: Parameters<typeof isFinished>[0] } | undefined;
  return turn?.state !== undefined && isFinished(turn.state);
}

function* stateEvent(name: string, value: object | null): Generator<ChatEvent> {
  if (value) yield { kind: "state", name, source: "system", at: new Date().toISOString(), [name]: value };
}

async function readSandbox(tx: Queryable, sandboxId: string) {
  const row = await findSandbox(tx, sandboxId);
  return row ? readSandboxView(tx, row) : null;
}

async function readStart(tx: Queryable, sessionId: string) {
  const row = await findNewestStart(tx, sessionId);
  return row ? toStartView(tx, row) : null;
}

async function readNow(
  tx: Queryable,
  chatId: string,
  sandboxId: string,
  sessionId: string,
): Promise<{ event: ChatEvent; turnId: string | null }> {
  const unfinished = await listUnfinished(tx, chatId);
  const sandbox = await readSandbox(tx, sandboxId);
  const start = await readStart(tx, sessionId);
  const session = await findSession(tx, sessionId);
  const turn = unfinished[0] ?? null;
  return {
    event: {
      kind: "state",
      name: "now",
      source: "system",
      at: new Date().toISOString(),
      turn: turn ? toTurnView(turn) : null,
      sandbox,
      start,
      title: session?.title ?? "",
    },
    turnId: turn?.id ?? null,
  };
}

/** The start of a session, each time it changes, until READY or ERROR. Closing the stream cancels nothing. */
export async function* followStart(deps: Deps, sessionId: string, signal: AbortSignal): AsyncGenerator<object> {
  const signals = new Signals(deps.listener, signal, { start: sessionId });
  let shown = "";
  try {
    for (;;) {
      const view = await readStart(deps.db, sessionId);
      if (!view) return;
      const text = JSON.stringify(view);
      if (text !== shown) yield view;
      shown = text;
      if (!isStartOpen(view.status) || signal.aborted) return;
      await signals.next(POLL_FALLBACK_MS);
    }
  } finally {
    signals.close();
  }
}
