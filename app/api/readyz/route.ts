import { defineRoute } from "@/lib/http/define-route";
import { checkReadiness } from "@/lib/http/readiness";
import { jsonResponse } from "@/lib/http/respond";

export const GET = defineRoute("readyz", async ({ runtime }) => {
  const down = await checkReadiness(runtime);
  return jsonResponse({ ok: down.length === 0, down }, down.length === 0 ? 200 : 503);
});
