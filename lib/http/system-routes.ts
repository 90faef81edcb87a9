import { z } from "zod";
import { configView } from "@/lib/session/contract";
import { spec } from "./route-spec";

/** Routes of the deployment itself: what it can do, whether it works, signing out. */
export const SYSTEM_ROUTES = {
  config: spec({
    method: "GET",
    path: "/api/config",
    summary: "Models, limits and capabilities",
    auth: "user",
    answer: configView,
    status: 200,
  }),
  openapi: spec({
    method: "GET",
    path: "/api/openapi.json",
    summary: "This document",
    auth: "user",
    answer: z.looseObject({ openapi: z.string() }),
    status: 200,
  }),
  healthz: spec({
    method: "GET",
    path: "/api/healthz",
    summary: "The process lives",
    auth: "open",
    answer: z.object({ ok: z.boolean() }),
    status: 200,
    unlimited: true,
  }),
  readyz: spec({
    method: "GET",
    path: "/api/readyz",
    summary: "Database, engine and sandbox provider work",
    auth: "open",
    answer: z.object({ ok: z.boolean(), down: z.array(z.string()) }),
    status: 200,
    unlimited: true,
  }),
  signOut: spec({
    method: "POST",
    path: "/api/sign-out",
    summary: "Forget the cookie of this browser",
    auth: "user",
    answer: "none",
    status: 204,
  }),
  unknown: spec({
    method: "GET",
    path: "/api/{rest}",
    summary: "Everything else is not there",
    auth: "user",
    answer: "none",
    status: 404,
  }),
} as const;
