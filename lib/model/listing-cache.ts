import { orAborted } from "@/lib/kernel/retry";
import { type ListedModel, listModels } from "./listing";
import type { ProviderAccess } from "./provider-access";

const FRESH_MS = 10 * 60_000;
const AFTER_FAILURE_MS = 30_000;
const GIVE_UP_MS = 10_000;
/** How long a page or a step waits for a list that nobody has asked for yet. */
const PATIENCE_MS = 1_000;

interface Entry {
  models: readonly ListedModel[];
  freshUntil: number;
  asking: Promise<void> | null;
}

/**
 * Remembers what providers list, per key and address. An old list is given at once and renewed behind; a provider that does
 * not answer has an empty one, so that nothing waits for it.
 */
export class ListingCache {
  readonly #entries = new Map<string, Entry>();

  async get(access: ProviderAccess): Promise<readonly ListedModel[]> {
    const key = `${access.provider} ${access.baseUrl} ${access.revision}`;
    const known = this.#entries.get(key);
    const entry = known ?? { models: [], freshUntil: 0, asking: null };
    if (!known) this.#entries.set(key, entry);
    if (performance.now() > entry.freshUntil) entry.asking ??= this.#ask(access, entry);
    if (!known && entry.asking) await orAborted(entry.asking, AbortSignal.timeout(PATIENCE_MS));
    return entry.models;
  }

  async #ask(access: ProviderAccess, entry: Entry): Promise<void> {
    try {
      entry.models = await listModels(access, AbortSignal.timeout(GIVE_UP_MS));
      entry.freshUntil = performance.now() + FRESH_MS;
    } catch {
      // Whoever uses the model learns what is wrong; a list is a convenience.
      entry.freshUntil = performance.now() + AFTER_FAILURE_MS;
    } finally {
      entry.asking = null;
    }
  }
}
