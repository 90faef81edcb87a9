import type { z } from "zod";

/** One route: its rule and its shapes. Drives the handlers, the OpenAPI document and the authorisation test. */
export interface RouteSpec {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{names}` of path parameters. */
  readonly path: string;
  readonly summary: string;
  /** `open`: without credentials; only the health routes. */
  readonly auth: "user" | "open";
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** True when an empty body counts as `{}`. */
  readonly bodyOptional?: boolean;
  readonly answer: z.ZodType | "events" | "bytes" | "none";
  readonly status: number;
  /** Not counted by the request limit: streams and health. */
  readonly unlimited?: boolean;
}

/** Keeps the exact shape of a route while checking it. */
export function spec<const S extends RouteSpec>(route: S): S {
  return route;
}
