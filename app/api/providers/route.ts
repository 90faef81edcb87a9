import { defineRoute } from "@/lib/http/define-route";
import { listProviders } from "@/lib/model/provider-service";

export const GET = defineRoute("listProviders", ({ runtime, user }) => listProviders(runtime, user.id));
