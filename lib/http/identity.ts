import { createHash } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { tokens, users } from "@/lib/db/schema/users";

/** Who calls, and how: a cookie needs our own origin for everything that changes something. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly by: "bearer" | "cookie";
}

/** Cookies are shared by all ports of a host, so the port is part of the name. */
export function cookieName(port: number): string {
  return `dormouse_${port}`;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The user of a token that is not revoked. Only hashes are compared, by the database's index. */
export async function findUserByToken(db: Queryable, token: string): Promise<{ id: string; name: string } | null> {
  if (token.length > 500) return null;
  const [row] = await db
    .select({ id: users.id, name: users.name })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(and(eq(tokens.hash, hashToken(token)), isNull(tokens.revokedAt)));
  return row ?? null;
}

export function readBearer(headers: Headers): string | null {
  const match = /^Bearer ([^\s,]{1,500})$/i.exec(headers.get("authorization") ?? "");
  return match?.[1] ?? null;
}

export function readCookie(headers: Headers, name: string): string | null {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/** Credentials of a request; a bearer token wins over the cookie. */
export async function identify(db: Queryable, headers: Headers, port: number): Promise<Identity | null> {
  const bearer = readBearer(headers);
  if (headers.has("authorization")) {
    const user = bearer ? await findUserByToken(db, bearer) : null;
    return user ? { ...user, by: "bearer" } : null;
  }
  const cookie = readCookie(headers, cookieName(port));
  const user = cookie ? await findUserByToken(db, cookie) : null;
  return user ? { ...user, by: "cookie" } : null;
}
