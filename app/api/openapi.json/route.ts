import { defineRoute } from "@/lib/http/define-route";
import { openApiDocument } from "@/lib/http/openapi";
import { ok } from "@/lib/kernel/result";

export const GET = defineRoute("openapi", async () => ok(openApiDocument()));
