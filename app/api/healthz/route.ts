import { defineRoute } from "@/lib/http/define-route";
import { ok } from "@/lib/kernel/result";

export const GET = defineRoute("healthz", async () => ok({ ok: true }));
