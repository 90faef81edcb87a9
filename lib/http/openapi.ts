import { z } from "zod";
import { STATUS_OF } from "@/lib/kernel/errors";
import { ROUTES } from "./route-registry";
import type { RouteSpec } from "./route-spec";

const errorSchema = z.object({
  error: z.object({
    code: z.enum(Object.keys(STATUS_OF) as [string, ...string[]]),
    message: z.string(),
    retryable: z.boolean(),
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The OpenAPI 3.1 document, made from the route registry and the contracts. */
export function openApiDocument(): {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  [field: string]: unknown;
} {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, route] of Object.entries<RouteSpec>(ROUTES)) {
    if (operationId === "unknown") continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(operationId, route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Dormouse", version: "1", description: "Runs coding agents and never loses their work." },
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    security: [{ bearer: [] }],
    paths,
  };
}

function operation(operationId: string, route: RouteSpec): Record<string, unknown> {
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    operationId,
    summary: route.summary,
    ...(route.auth === "open" ? { security: [] } : {}),
    parameters: [...parameters, ...(route.query ? queryParameters(route.query) : [])],
    ...(route.body
      ? {
          requestBody: {
            required: !route.bodyOptional,
            content: { "application/json": { schema: schemaOf(route.body) } },
          },
        }
      : {}),
    responses: {
      [route.status]: answer(route),
      default: { description: "An error", content: { "application/json": { schema: schemaOf(errorSchema) } } },
    },
  };
}

function answer(route: RouteSpec): Record<string, unknown> {
  if (route.answer === "none") return { description: "Done" };
  if (route.answer === "events")
    return { description: "Server-sent events", content: { "text/event-stream": { schema: { type: "string" } } } };
  if (route.answer === "bytes")
    return {
      description: route.summary,
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    };
  return { description: route.summary, content: { "application/json": { schema: schemaOf(route.answer, "output") } } };
}

function queryParameters(query: z.ZodType): unknown[] {
  const schema = schemaOf(query) as { properties?: Record<string, unknown>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: "query",
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

function schemaOf(schema: z.ZodType, io: "input" | "output" = "input"): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
