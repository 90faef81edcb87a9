import { createHash, randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";
import { titleOf } from "@/lib/chat/naming";
import { announceMessage, newTurn, toUserMessageView } from "@/lib/chat/send";
import { toChatView, unknownModel } from "@/lib/chat/service";
import { findMessage, insertChat, insertMessage, listChats } from "@/lib/chat/store";
import { appendEvents } from "@/lib/chat/stream-store";
import { nameSoon } from "@/lib/chat/title-service";
import { insertTurn, toTurnView } from "@/lib/chat/turn-store";
import type { Queryable, Tx } from "@/lib/db/client";
import { dbNow } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { parseRepoUrl, type RepoRemote } from "@/lib/git/remote";
import { crashPoint } from "@/lib/kernel/crash-points";
import { type AppError, appError, invariant, notFound } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { err, ok, type Result } from "@/lib/kernel/result";
import { balanceSlots } from "@/lib/sandbox/slots";
import { insertSandbox } from "@/lib/sandbox/store";
import type { CreateSessionBody, CreateSessionView } from "./contract";
import { newPhases, usualDurations } from "./start";
import { findNewestStart, insertStart, listFinishedPhases } from "./start-store";
import { toStartView } from "./start-view";
import { findOwnedSession, findSession, findSessionView, insertSession, type SessionRow } from "./store";

export interface SessionOwner {
  readonly id: string;
  readonly name: string;
}

export interface Created {
  readonly view: CreateSessionView;
  /** False when the same request had made it before. */
  readonly made: boolean;
}

/** Spends one of the user's creations; answers the refusal when there is none left. */
export type SpendCreation = () => Promise<Result<null, AppError>>;

/**
 * Makes a session with its sandbox row, chat, start task and, with a prompt, the message and the queued turn: all rows in one
 * transaction (api.md). The same id and body again answer the same; the same id with another body is a conflict.
 */
export async function createSession(
  deps: Deps,
  owner: SessionOwner,
  body: CreateSessionBody,
  spend: SpendCreation,
): Promise<Result<Created, AppError>> {
  const requestHash = hashBody(body);
  const before = body.id ? await findBefore(deps, owner.id, body.id, requestHash) : null;
  if (before) return before;
  const plan = await planSession(deps, owner, body);
  if (!plan.ok) return plan;
  const spent = await spend();
  if (!spent.ok) return spent;
  try {
    const id = await deps.db.transaction((tx) => insertAll(tx, deps, owner, body, plan.value, requestHash));
    crashPoint("create.after-commit");
    const view = await readCreated(deps.db, owner.id, id);
    if (plan.value.title.source === "auto") nameSoon(deps, view.chat);
    return ok({ view, made: true });
  } catch (error) {
    // Two requests with the same id at once: one of them made it.
    const raced = body.id ? await findBefore(deps, owner.id, body.id, requestHash) : null;
    if (raced) return raced;
    throw error;
  }
}

function hashBody(body: CreateSessionBody): string {
  const { id: _, ...rest } = body;
  return createHash("sha256").update(stableJson(rest)).digest("hex");
}

function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item)}`)
    .join(",")}}`;
}

async function findBefore(
  deps: Deps,
  userId: string,
  id: string,
  requestHash: string,
): Promise<Result<Created, AppError> | null> {
  const row = await findSession(deps.db, id);
  if (!row) return null;
  if (row.userId !== userId || row.deletedAt || row.requestHash !== requestHash) {
    return err(appError("conflict", "Another session has this id already.", { details: { field: "id" } }));
  }
  return ok({ view: await readCreated(deps.db, userId, id), made: false });
}

async function readCreated(db: Queryable, userId: string, id: string): Promise<CreateSessionView> {
  const session = await findSessionView(db, userId, id);
  const [chat] = await listChats(db, id);
  const start = await findNewestStart(db, id);
  invariant(session && chat && start, "a session is made with its chat and its start");
  const message = await findMessage(db, chat.id, promptMessageId(id));
  return {
    session,
    chat: await toChatView(db, chat),
    startTask: await toStartView(db, start),
    ...(message ? { message: toUserMessageView(message) } : {}),
  };
}

function promptMessageId(sessionId: string): string {
  return `prompt_${sessionId}`;
}

interface Plan {
  readonly model: string;
  readonly remote: RepoRemote | null;
  readonly baseBranch: string | null;
  readonly newBranch: string | null;
  readonly parent: SessionRow | null;
  readonly title: { readonly text: string; readonly source: "default" | "auto" | "person" };
}

async function planSession(deps: Deps, owner: SessionOwner, body: CreateSessionBody): Promise<Result<Plan, AppError>> {
  if (body.autoCommit) return err(notBuilt("autoCommit"));
  const parent = body.parentId ? await findOwnedSession(deps.db, owner.id, body.parentId) : null;
  if (body.parentId && !parent) return err(notFound("The parent session"));
  const model = body.model ?? parent?.model ?? (await deps.models.defaultRef(owner.id));
  if (!(await deps.models.find(owner.id, model))) return err(unknownModel(model));
  const repo =
    body.repo ??
    (parent?.repoUrl ? { url: parent.repoUrl, branch: parent.newBranch ?? parent.baseBranch ?? undefined } : null);
  const remote = repo ? parseRepoUrl(repo.url, { allowLocal: deps.env.allowLocalRepos }) : null;
  if (remote && !remote.ok) return remote;
  const newBranch = body.repo?.newBranch === true ? madeBranch(owner.name) : body.repo?.newBranch || null;
  for (const [field, branch] of [
    ["repo.branch", repo?.branch ?? null],
    ["repo.newBranch", newBranch],
  ] as const) {
    if (branch !== null && !isBranchName(branch))
      return err(
        appError("unprocessable", `${branch} is not a name that git takes for a branch.`, { details: { field } }),
      );
  }
  const firstLine = body.prompt ? titleOf(body.prompt) : null;
  return ok({
    model,
    remote: remote?.value ?? null,
    baseBranch: repo?.branch ?? null,
    newBranch,
    parent,
    title: body.title
      ? { text: body.title, source: "person" }
      : firstLine
        ? { text: firstLine, source: "auto" }
        : { text: remote?.value.label ?? "New session", source: "default" },
  });
}

function notBuilt(field: string): AppError {
  return appError("not_built", `${field} is not built yet.`, { details: { field } });
}

/** `<initials>/<8 hex>` (api.md). */
function madeBranch(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const initials =
    words.length > 1
      ? words
          .slice(0, 2)
          .map((word) => word.charAt(0))
          .join("")
      : (words[0] ?? "dm").slice(0, 2);
  return `${initials}/${randomBytes(4).toString("hex")}`;
}

/** The rules of `git check-ref-format --branch`. */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.startsWith("-") || name === "@" || name === "HEAD") return false;
  if (/[\p{Cc} ~^:?*[\\]/u.test(name) || /\.\.|@\{|\/\/|\/$|^\/|\.$/.test(name)) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

async function insertAll(
  tx: Tx,
  deps: Deps,
  owner: SessionOwner,
  body: CreateSessionBody,
  plan: Plan,
  requestHash: string,
): Promise<string> {
  const id = body.id ?? newId();
  const gitRemote =
    plan.remote === null ? null : plan.remote.kind === "local" ? pathToFileURL(plan.remote.url).href : plan.remote.url;
  const sandbox = await insertSandbox(tx, {
    id: newId(),
    userId: owner.id,
    provider: deps.provider.name,
    hostId: deps.provider.name === "local" ? deps.hostId : null,
    wanted: "awake",
    state: "provisioning",
    idleTimeoutSeconds: body.idleTimeoutSeconds ?? deps.env.idleTimeoutSeconds,
    queuedAt: dbNow,
    gitRemote,
  });
  const session = await insertSession(tx, {
    id,
    userId: owner.id,
    sandboxId: sandbox.id,
    parentId: plan.parent?.id ?? null,
    requestHash,
    title: plan.title.text,
    titleSource: plan.title.source,
    model: plan.model,
    repoUrl: plan.remote?.url ?? null,
    baseBranch: plan.baseBranch,
    newBranch: plan.newBranch,
    instructions: body.instructions ?? null,
    tags: body.tags ?? [],
    maxSteps: body.limits?.maxSteps ?? null,
    maxCostUsd: body.limits?.maxCostUsd ?? null,
    sessionMaxSteps: body.limits?.sessionMaxSteps ?? null,
    sessionMaxCostUsd: body.limits?.sessionMaxCostUsd ?? null,
  });
  const chat = await insertChat(tx, {
    id: newId(),
    sessionId: id,
    title: plan.title.source === "auto" ? plan.title.text : "Chat",
    titleSource: plan.title.source === "auto" ? "auto" : "default",
    model: plan.model,
  });
  const usual = usualDurations(await listFinishedPhases(tx, owner.id));
  await insertStart(tx, {
    id: newId(),
    sessionId: id,
    sandboxId: sandbox.id,
    generation: sandbox.generation,
    phases: newPhases(usual),
  });
  if (body.prompt !== undefined) await insertPrompt(tx, session, chat.id, body.prompt);
  await balanceSlots(tx, owner.id, deps.maxActive);
  crashPoint("create.before-commit");
  return id;
}

async function insertPrompt(tx: Tx, session: SessionRow, chatId: string, prompt: string): Promise<void> {
  const turn = await insertTurn(tx, { ...newTurn({ id: chatId }, session, session), reason: "Waits for the sandbox." });
  const message = await insertMessage(tx, {
    chatId,
    id: promptMessageId(session.id),
    role: "user",
    turnId: turn.id,
    status: "queued",
    parts: [{ type: "text", text: prompt }],
    bodyHash: createHash("sha256")
      .update(JSON.stringify([prompt, []]))
      .digest("hex"),
  });
  await announceMessage(tx, message, prompt);
  await appendEvents(tx, chatId, [
    { kind: "state", name: "turn", source: "system", turnId: turn.id, data: { turn: toTurnView(turn) } },
  ]);
}
