import type { z } from "zod";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { isUuid, newId } from "@/lib/kernel/ids";
import { callSites, errorText } from "@/lib/kernel/log";
import { err, ok, type Result } from "@/lib/kernel/result";
import { findRuntime, type Runtime } from "@/lib/runtime";
import { type Identity, identify } from "./identity";
import { corsHeaders, isOwnOrigin } from "./origin";
import { spend } from "./rate-limit";
import { emptyResponse, errorResponse, jsonResponse } from "./respond";
import { ROUTES, type RouteName } from "./route-registry";
import type { RouteSpec } from "./route-spec";

/** Bodies of JSON calls; a message may have 200,000 characters. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type SpecOf<N extends RouteName> = (typeof ROUTES)[N];
type QueryOf<N extends RouteName> = SpecOf<N> extends { query: infer Q } ? Output<Q> : undefined;
type BodyOf<N extends RouteName> = SpecOf<N> extends { body: infer B } ? Output<B> : undefined;
type AnswerOf<N extends RouteName> = SpecOf<N>["answer"] extends z.ZodType ? z.input<SpecOf<N>["answer"]> : null;

/** What a handler gets: parsed, and allowed to call. `params` are ids of the path; those that are UUIDs are checked. */
export interface Call<N extends RouteName> {
  readonly runtime: Runtime;
  readonly user: Identity;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
  readonly request: Request;
  readonly requestId: string;
}

type Handler<N extends RouteName> = (call: Call<N>) => Promise<Result<AnswerOf<N>, AppError> | Response>;
type Context = { readonly params: Promise<Record<string, string | string[] | undefined>> };

/** The path parameters that are not UUIDs. */
const FREE_PARAMS = new Set(["messageId", "provider", "rest"]);

/**
 * The only way to make a route handler: credentials, origin, rate, parameters, strict body, one call, one answer, in this order
 * (api.md: 401 comes before anything else is checked).
 */
export function defineRoute<N extends RouteName>(
  name: N,
  handler: Handler<N>,
): (request: Request, context: Context) => Promise<Response> {
  const spec: RouteSpec = ROUTES[name];
  return async (request, context) => {
    const requestId = newId();
    const runtime = findRuntime();
    if (!runtime) return errorResponse(appError("unavailable", "Dormouse is starting."), requestId);
    const cors = corsHeaders(request.headers.get("origin"), runtime.env.allowedOrigins);
    try {
      return allow(await answerCall(spec, runtime, request, context, requestId, handler as Handler<RouteName>), cors);
    } catch (error) {
      return allow(failed(error, runtime, spec, requestId), cors);
    }
  };
}

/** A page elsewhere that may call can read errors too. */
function allow(answer: Response, cors: Readonly<Record<string, string>>): Response {
  for (const [header, value] of Object.entries(cors)) answer.headers.set(header, value);
  return answer;
}

async function answerCall(
  spec: RouteSpec,
  runtime: Runtime,
  request: Request,
  context: Context,
  requestId: string,
  handler: Handler<RouteName>,
): Promise<Response> {
  const user = await authorize(spec, runtime, request);
  if (!user.ok) return errorResponse(user.error, requestId);
  if (!spec.unlimited) {
    const spent = await spend(
      runtime.pool,
      "requests",
      runtime.env.rateLimit && withBurst(runtime.env.rateLimit),
      user.value.id,
    );
    if (!spent.ok) return errorResponse(spent.error, requestId);
  }
  const params: Record<string, string> = {};
  for (const [key, value] of Object.entries((await context.params) ?? {})) {
    const text = Array.isArray(value) ? value.join("/") : (value ?? "");
    if (!FREE_PARAMS.has(key) && !isUuid(text)) return errorResponse(notFound(), requestId);
    params[key] = text;
  }
  const query = parseQuery(spec, request);
  if (!query.ok) return errorResponse(query.error, requestId);
  const body = await parseBody(spec, request);
  if (!body.ok) return errorResponse(body.error, requestId);

  const call = {
    runtime,
    user: user.value,
    params,
    query: query.value,
    body: body.value,
    request,
    requestId,
  } as Call<RouteName>;
  const outcome = await handler(call);
  if (outcome instanceof Response) return outcome;
  if (!outcome.ok) return errorResponse(outcome.error, requestId);
  const headers = { "X-Request-Id": requestId };
  return outcome.value === null || spec.answer === "none"
    ? emptyResponse(spec.status, headers)
    : jsonResponse(outcome.value, spec.status, headers);
}

const NOBODY: Identity = { id: "00000000-0000-0000-0000-000000000000", name: "", by: "bearer" };

async function authorize(spec: RouteSpec, runtime: Runtime, request: Request): Promise<Result<Identity, AppError>> {
  if (spec.auth === "open") return ok(NOBODY);
  const user = await identify(runtime.db, request.headers, runtime.env.port);
  if (!user)
    return err(appError("unauthorized", "Sign in with the link that `npm start` printed, or send a bearer token."));
  if (user.by === "cookie" && !isOwnOrigin(request.method, request.headers)) {
    return err(appError("cross_origin", "A call with a cookie must come from Dormouse's own pages."));
  }
  const origin = request.headers.get("origin");
  if (user.by === "bearer" && origin !== null && !isAllowedOrigin(origin, request, runtime)) {
    return err(appError("cross_origin", "This origin may not call. DORMOUSE_ALLOWED_ORIGINS lists those that may."));
  }
  return ok(user);
}

function isAllowedOrigin(origin: string, request: Request, runtime: Runtime): boolean {
  if (runtime.env.allowedOrigins.includes(origin)) return true;
  try {
    return new URL(origin).host === request.headers.get("host");
  } catch {
    return false;
  }
}

/** api.md: the request limit has a burst of twice that; over a window twice as long it is the same rate. */
function withBurst(rate: { readonly count: number; readonly seconds: number }) {
  return { count: rate.count * 2, seconds: rate.seconds * 2 };
}

function parseQuery(spec: RouteSpec, request: Request): Result<unknown, AppError> {
  if (!spec.query) return ok(undefined);
  const values = Object.fromEntries(new URL(request.url).searchParams);
  if (!isStorable(values)) return err(NOT_STORABLE);
  const parsed = spec.query.safeParse(values);
  return parsed.success ? ok(parsed.data) : err(malformed(parsed.error));
}

async function parseBody(spec: RouteSpec, request: Request): Promise<Result<unknown, AppError>> {
  if (!spec.body) return ok(undefined);
  const text = await readText(request);
  if (text === null) return err(appError("too_large", "The body is larger than 2 MB."));
  let json: unknown;
  if (text.trim() === "" && spec.bodyOptional) json = {};
  else {
    const type = request.headers.get("content-type") ?? "";
    if (!/^application\/json\b/i.test(type)) return err(appError("malformed", "Send the body as application/json."));
    try {
      json = JSON.parse(text);
    } catch {
      return err(appError("malformed", "The body is not valid JSON."));
    }
  }
  if (!isStorable(json)) return err(NOT_STORABLE);
  const parsed = spec.body.safeParse(json);
  return parsed.success ? ok(parsed.data) : err(malformed(parsed.error));
}

const NOT_STORABLE = appError("malformed", "Text must not contain NUL characters or half a surrogate pair.");

/** Whether Postgres takes every string in a value. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}

async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return null;
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function malformed(error: z.ZodError): AppError {
  const first = error.issues[0];
  const field =
    first?.code === "unrecognized_keys"
      ? [...first.path, first.keys[0] ?? ""].join(".")
      : (first?.path.join(".") ?? "");
  return appError(
    "malformed",
    field ? `${field}: ${first?.message ?? "not valid"}` : (first?.message ?? "The request is not valid."),
    { details: { field } },
  );
}

/** Errors of the database's connection: the request may be sent again when it is back (properties.md, R10). */
const CONNECTION_ERROR =
  /^(?:ECONN|ETIMEDOUT|EPIPE|57P0|08|53300)|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

function failed(error: unknown, runtime: Runtime, spec: RouteSpec, requestId: string): Response {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const down = CONNECTION_ERROR.test(code) || CONNECTION_ERROR.test(errorText(cause));
  runtime.log.error("request failed", {
    route: `${spec.method} ${spec.path}`,
    requestId,
    code,
    error: errorText(cause),
    at: callSites(error),
  });
  return errorResponse(
    down
      ? appError("unavailable", "The database does not answer. Try again in a moment.")
      : appError("internal", "Something went wrong here. The log has it under the request id."),
    requestId,
  );
}
