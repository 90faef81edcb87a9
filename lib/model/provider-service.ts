import type { Db } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import type { Env } from "@/lib/env";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { isPublicAddress } from "@/lib/kernel/net/address";
import { canonicalHost } from "@/lib/kernel/net/egress-rules";
import { err, ok, type Result } from "@/lib/kernel/result";
import {
  deleteProviderKey,
  findUserName,
  listProviderKeys,
  type ProviderKeyRow,
  upsertProviderKey,
} from "@/lib/secrets/store";
import type { Vault } from "@/lib/secrets/vault";
import type { UserAccess } from "./catalog";
import { createCheckedFetch } from "./checked-fetch";
import {
  PROVIDER_IDS,
  PROVIDER_LABELS,
  type ProviderId,
  type ProviderListView,
  type ProviderTestView,
  type ProviderView,
  providerId,
  type SetProviderBody,
} from "./contract";
import { classifyModelFailure } from "./failure";
import { listModels } from "./listing";
import { DEFAULT_BASE_URL, normalBaseUrl, type ProviderAccess } from "./provider-access";
import { environmentAccess } from "./provider-env";

const TEST_TIMEOUT_MS = 10_000;
/** The one user of one-machine mode (lib/boot.ts). */
const OWNER = "owner";

type Parts = { readonly db: Db; readonly env: Pick<Env, "signIn">; readonly vault: Vault };
type ProviderDeps = Pick<Deps, "db" | "env" | "vault">;

/** What a sealed key is bound to: it does not open in another user's row or for another provider. */
const contextOf = (userId: string, provider: ProviderId) => `provider-key ${userId} ${provider}`;

/** Only the owner of a one-machine deployment may reach into its network: everybody else is a guest in it. */
async function mayNamePrivate({ db, env }: Omit<Parts, "vault">, userId: string): Promise<boolean> {
  return env.signIn === "link" && (await findUserName(db, userId)) === OWNER;
}

/** The providers that a user has set up, keys opened; one whose key cannot be read is left out. */
export function userAccess(parts: Parts): UserAccess {
  return async (userId) => {
    const rows = await listProviderKeys(parts.db, userId);
    if (rows.length === 0) return [];
    const privateAllowed = await mayNamePrivate(parts, userId);
    const opened = await Promise.all(rows.map((row) => openAccess(parts.vault, row, privateAllowed)));
    return opened.filter((access) => access !== null);
  };
}

async function openAccess(vault: Vault, row: ProviderKeyRow, privateAllowed: boolean): Promise<ProviderAccess | null> {
  const apiKey = await openKey(vault, row);
  const baseUrl = row.baseUrl ?? DEFAULT_BASE_URL[row.provider];
  if (apiKey === undefined || baseUrl === null) return null;
  const revision = `${row.id} ${row.revision}`;
  return { provider: row.provider, apiKey, baseUrl, revision, fetch: createCheckedFetch({ privateAllowed }) };
}

/** Null: it needs none. Undefined: it cannot be read. */
async function openKey(vault: Vault, row: ProviderKeyRow): Promise<string | null | undefined> {
  const { sealed, keyId, userId, provider } = row;
  if (sealed === null || keyId === null) return null;
  return (await vault.open({ sealed, keyId }, contextOf(userId, provider))) ?? undefined;
}

/** Every provider as it stands for the user. No key is in it. */
export async function listProviders(deps: ProviderDeps, userId: string): Promise<Result<ProviderListView, AppError>> {
  const [rows, privateAddresses] = await Promise.all([listProviderKeys(deps.db, userId), mayNamePrivate(deps, userId)]);
  const fromEnvironment = environmentAccess(deps.env.models);
  const providers = await Promise.all(
    PROVIDER_IDS.map(async (provider): Promise<ProviderView> => {
      const label = PROVIDER_LABELS[provider];
      const row = rows.find((one) => one.provider === provider);
      if (row) {
        const apiKey = await openKey(deps.vault, row);
        const key = apiKey === undefined ? "unreadable" : apiKey === null ? "none" : "set";
        const { baseUrl } = row;
        return { provider, label, source: "settings", key, baseUrl, updatedAt: row.updatedAt.toISOString() };
      }
      const env = fromEnvironment.find((access) => access.provider === provider);
      const baseUrl = env && env.baseUrl !== DEFAULT_BASE_URL[provider] ? env.baseUrl : null;
      const key = env?.apiKey ? "set" : "none";
      return { provider, label, source: env ? "environment" : null, key, baseUrl, updatedAt: null };
    }),
  );
  return ok({ providers, privateAddresses });
}

/** Sets up a provider for the user, or changes it; without a key in the body the one that is stored stays, as long as the address does. */
export async function setProvider(
  deps: ProviderDeps,
  userId: string,
  name: string,
  body: SetProviderBody,
): Promise<Result<ProviderListView, AppError>> {
  const provider = providerId.safeParse(name).data;
  if (!provider) return err(NO_PROVIDER);
  const before = (await listProviderKeys(deps.db, userId)).find((row) => row.provider === provider);
  const checked = await checkSettings(deps, userId, provider, body, before ?? null);
  if (!checked.ok) return checked;
  const { baseUrl, keepsKey } = checked.value;
  const kept = keepsKey && before ? { sealed: before.sealed, keyId: before.keyId } : { sealed: null, keyId: null };
  const key = body.apiKey === undefined ? kept : await deps.vault.seal(body.apiKey, contextOf(userId, provider));
  await upsertProviderKey(deps.db, { id: newId(), userId, provider, ...key, baseUrl });
  return listProviders(deps, userId);
}

const NO_PROVIDER = notFound("This provider");

interface CheckedSettings {
  readonly baseUrl: string | null;
  /** The stored key goes on to be used: it was meant for this very address. */
  readonly keepsKey: boolean;
}

async function checkSettings(
  deps: ProviderDeps,
  userId: string,
  provider: ProviderId,
  body: SetProviderBody,
  before: ProviderKeyRow | null,
): Promise<Result<CheckedSettings, AppError>> {
  const refused = (field: keyof SetProviderBody, message: string) =>
    err(appError("unprocessable", message, { details: { field } }));
  const baseUrl = body.baseUrl === undefined ? null : normalBaseUrl(provider, body.baseUrl);
  if (baseUrl === null && provider === "compatible")
    return refused("baseUrl", "Enter the address of the server; it usually ends with /v1.");
  const problem = baseUrl === null ? null : addressProblem(baseUrl, await mayNamePrivate(deps, userId));
  if (problem) return refused("baseUrl", problem);
  const keepsKey = body.apiKey === undefined && before?.sealed !== null && before?.baseUrl === baseUrl;
  if (provider !== "compatible" && body.apiKey === undefined && !keepsKey)
    return refused("apiKey", "Enter the API key. A stored key is not sent to another address.");
  return ok({ baseUrl, keepsKey });
}

/** What is wrong with an address, as far as can be told without connecting; the connection is checked again. */
function addressProblem(text: string, privateAllowed: boolean): string | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "This is no address. It looks like https://models.example.com/v1.";
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The address must begin with https:// or http://.";
  if (url.username || url.password || url.search || url.hash)
    return "The address must not have a user name, a password, a query or a fragment. The key has a field of its own.";
  if (privateAllowed) return null;
  if (url.protocol !== "https:")
    return "The address must begin with https://, so that the key cannot be read on its way.";
  const host = canonicalHost(url.hostname);
  const isAddress = host !== null && /^[\d.]+$|:/.test(host);
  if (host === null || host === "localhost" || host.endsWith(".localhost") || (isAddress && !isPublicAddress(host)))
    return "This is a private address. Only the owner of a one-machine deployment may use one.";
  return null;
}

/** Forgets a user's own key and address; what the environment has comes back. */
export async function removeProvider(
  deps: ProviderDeps,
  userId: string,
  name: string,
): Promise<Result<null, AppError>> {
  const provider = providerId.safeParse(name).data;
  if (!provider) return err(NO_PROVIDER);
  await deleteProviderKey(deps.db, userId, provider);
  return ok(null);
}

/** Asks a provider for its list of models with what is set up, which costs nothing, and says in words what is wrong. */
export async function testProvider(
  deps: ProviderDeps,
  userId: string,
  name: string,
): Promise<Result<ProviderTestView, AppError>> {
  const provider = providerId.safeParse(name).data;
  if (!provider) return err(NO_PROVIDER);
  const own = (await userAccess(deps)(userId)).find((one) => one.provider === provider);
  const stored = (await listProviderKeys(deps.db, userId)).some((row) => row.provider === provider);
  const access = own ?? (stored ? null : environmentAccess(deps.env.models).find((one) => one.provider === provider));
  if (!access)
    return ok({
      ok: false,
      message: stored
        ? "The key cannot be read any more, because the key file of this deployment was replaced. Enter it again."
        : `${PROVIDER_LABELS[provider]} is not set up.`,
      models: null,
    });
  try {
    const models = await listModels(access, AbortSignal.timeout(TEST_TIMEOUT_MS));
    const message = models.length === 0 ? "It answers, but offers no models." : `It works: ${count(models.length)}.`;
    return ok({ ok: models.length > 0, message, models: models.length });
  } catch (error) {
    return ok({ ok: false, message: whatIsWrong(error, provider), models: null });
  }
}

function count(n: number): string {
  return `${n} ${n === 1 ? "model" : "models"}`;
}

const WRONG_ADDRESS = "There is no list of models at this address. That of a compatible server usually ends with /v1.";

/** For a test, by the class; never the provider's own words, which may quote the key. */
function whatIsWrong(error: unknown, provider: ProviderId): string {
  // Something answers that is not the API: a web page, a list in another form.
  if (error instanceof SyntaxError || (error instanceof Error && error.name === "ZodError")) return WRONG_ADDRESS;
  const failure = classifyModelFailure(error, new Date());
  switch (failure.class) {
    case "auth":
      return `${PROVIDER_LABELS[provider]} refused the key. Check that it is whole and still valid.`;
    case "unknown_model":
      return WRONG_ADDRESS;
    case "quota":
    case "rate_limit":
    case "overloaded":
      return `The key was taken, but: ${failure.message}`;
    default:
      return failure.message;
  }
}
