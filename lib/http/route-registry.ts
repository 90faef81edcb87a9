import { CHAT_ROUTES } from "./chat-routes";
import { PROVIDER_ROUTES } from "./provider-routes";
import { SANDBOX_ROUTES } from "./sandbox-routes";
import { SESSION_ROUTES } from "./session-routes";
import { SYSTEM_ROUTES } from "./system-routes";
import { USAGE_ROUTES } from "./usage-routes";

/** Every route of the API by name. Drives the handlers, the OpenAPI document and the authorisation test. */
export const ROUTES = {
  ...SYSTEM_ROUTES,
  ...SESSION_ROUTES,
  ...SANDBOX_ROUTES,
  ...CHAT_ROUTES,
  ...PROVIDER_ROUTES,
  ...USAGE_ROUTES,
} as const;

export type RouteName = keyof typeof ROUTES;
