import { defineRoute } from "@/lib/http/define-route";
import { cookieName } from "@/lib/http/identity";
import { emptyResponse } from "@/lib/http/respond";

export const POST = defineRoute("signOut", async ({ runtime }) =>
  emptyResponse(204, { "Set-Cookie": `${cookieName(runtime.env.port)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax` }),
);
