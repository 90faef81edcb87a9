import { defineRoute } from "@/lib/http/define-route";
import { removeProvider, setProvider } from "@/lib/model/provider-service";

export const POST = defineRoute("setProvider", ({ runtime, user, params, body }) =>
  setProvider(runtime, user.id, params.provider ?? "", body),
);

export const DELETE = defineRoute("removeProvider", ({ runtime, user, params }) =>
  removeProvider(runtime, user.id, params.provider ?? ""),
);
