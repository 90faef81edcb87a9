import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { ENGINE_HEADER, engineKey } from "@/lib/engine/engine-key";
import { cookieName, findUserByToken } from "@/lib/http/identity";
import { corsHeaders } from "@/lib/http/origin";
import { findRuntime } from "@/lib/runtime";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * In front of every request except hashed assets: closes the engine's internal routes, signs a browser in from the printed link,
 * answers CORS preflights of allowed origins, and gives every page its Content-Security-Policy.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname } = request.nextUrl;
  if (pathname.startsWith("/.well-known/workflow")) {
    return request.headers.get(ENGINE_HEADER) === engineKey()
      ? NextResponse.next()
      : new NextResponse(null, { status: 404 });
  }
  if (pathname.startsWith("/api/")) return forApi(request);
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const token = request.nextUrl.searchParams.get("token");
  const response = token === null ? forPage(request, nonce, policy) : await signIn(request, token);
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set("Cache-Control", "no-store");
  response.headers.set("X-Content-Type-Options", "nosniff");
  response.headers.set("Referrer-Policy", "no-referrer");
  response.headers.set("X-Frame-Options", "DENY");
  return response;
}

function forApi(request: NextRequest): Response {
  const allowed = findRuntime()?.env.allowedOrigins ?? [];
  const headers = corsHeaders(request.headers.get("origin"), allowed);
  const preflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  if (preflight && Object.keys(headers).length > 0) return new NextResponse(null, { status: 204, headers });
  return NextResponse.next();
}

function forPage(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("Content-Security-Policy", policy);
  return NextResponse.next({ request: { headers } });
}

/** Sets the cookie and drops the token from the address bar; only ever leads to the same path (properties.md, S13). */
async function signIn(request: NextRequest, token: string): Promise<NextResponse> {
  const runtime = findRuntime();
  const target = new URLSearchParams(request.nextUrl.searchParams);
  target.delete("token");
  const user = runtime ? await findUserByToken(runtime.db, token).catch(() => null) : null;
  if (!user) target.set("signin", "invalid");
  const query = target.toString();
  const path = `/${request.nextUrl.pathname.replace(/^[/\\]+/, "")}${query ? `?${query}` : ""}`;
  const secure = request.headers.get("x-forwarded-proto") === "https" || request.nextUrl.protocol === "https:";
  // Next wants an absolute address: that of the host that was asked.
  const location = new URL(
    path,
    `${secure ? "https" : "http"}://${request.headers.get("host") ?? request.nextUrl.host}`,
  );
  const response = NextResponse.redirect(location, 303);
  if (user && runtime) {
    response.cookies.set(cookieName(runtime.env.port), token, {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      maxAge: YEAR_SECONDS,
      secure,
    });
  }
  return response;
}

/** Scripts only by nonce, nothing from elsewhere, no frames; agent output can load no image and reach no host (S9, S10). */
function contentSecurityPolicy(nonce: string): string {
  const scripts =
    process.env.NODE_ENV === "development"
      ? `'nonce-${nonce}' 'strict-dynamic' 'unsafe-eval'`
      : `'nonce-${nonce}' 'strict-dynamic'`;
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = { matcher: ["/((?!_next/static/).*)"] };
