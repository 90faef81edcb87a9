import { and, asc, eq, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { providerKeys } from "@/lib/db/schema/models";
import { users } from "@/lib/db/schema/users";

export type ProviderKeyRow = typeof providerKeys.$inferSelect;

export async function listProviderKeys(tx: Queryable, userId: string): Promise<ProviderKeyRow[]> {
  return tx.select().from(providerKeys).where(eq(providerKeys.userId, userId)).orderBy(asc(providerKeys.createdAt));
}

/** Makes or replaces a user's entry for a provider; each change is another revision. */
export async function upsertProviderKey(
  tx: Queryable,
  row: Pick<ProviderKeyRow, "id" | "userId" | "provider" | "sealed" | "keyId" | "baseUrl">,
): Promise<void> {
  const { sealed, keyId, baseUrl } = row;
  await tx
    .insert(providerKeys)
    .values(row)
    .onConflictDoUpdate({
      target: [providerKeys.userId, providerKeys.provider],
      set: { sealed, keyId, baseUrl, revision: sql`${providerKeys.revision} + 1`, updatedAt: sql`clock_timestamp()` },
    });
}

export async function deleteProviderKey(
  tx: Queryable,
  userId: string,
  provider: ProviderKeyRow["provider"],
): Promise<void> {
  await tx.delete(providerKeys).where(and(eq(providerKeys.userId, userId), eq(providerKeys.provider, provider)));
}

/** The name of a user; null when there is none. */
export async function findUserName(tx: Queryable, userId: string): Promise<string | null> {
  const [row] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId));
  return row?.name ?? null;
}
