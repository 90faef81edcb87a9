import { defineRoute } from "@/lib/http/define-route";
import { testProvider } from "@/lib/model/provider-service";

export const POST = defineRoute("testProvider", ({ runtime, user, params }) =>
  testProvider(runtime, user.id, params.provider ?? ""),
);
