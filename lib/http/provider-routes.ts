import { providerListView, providerTestView, setProviderBody } from "@/lib/model/contract";
import { spec } from "./route-spec";

/** Routes of the model providers that a user sets up. Keys go in and never come out. */
export const PROVIDER_ROUTES = {
  listProviders: spec({
    method: "GET",
    path: "/api/providers",
    summary: "Model providers and whether they are set up",
    auth: "user",
    answer: providerListView,
    status: 200,
  }),
  setProvider: spec({
    method: "POST",
    path: "/api/providers/{provider}",
    summary: "Set up a model provider",
    auth: "user",
    body: setProviderBody,
    answer: providerListView,
    status: 200,
  }),
  removeProvider: spec({
    method: "DELETE",
    path: "/api/providers/{provider}",
    summary: "Forget the key and address of a model provider",
    auth: "user",
    answer: "none",
    status: 204,
  }),
  testProvider: spec({
    method: "POST",
    path: "/api/providers/{provider}/test",
    summary: "Ask a provider for its models, and say what is wrong",
    auth: "user",
    answer: providerTestView,
    status: 200,
  }),
} as const;
