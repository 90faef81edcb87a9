import { defineRoute } from "@/lib/http/define-route";
import { ok } from "@/lib/kernel/result";
import { readConfig } from "@/lib/session/config";

export const GET = defineRoute("config", async ({ runtime, user }) => ok(await readConfig(runtime, user.id)));
