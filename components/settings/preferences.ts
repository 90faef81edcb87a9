/**
 * What this browser remembers about the look of the page. It lives in cookies, not in local storage, because the server
 * must know it to render the page right the first time, without an inline script.
 */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  readonly theme: Theme;
  readonly sidebar: "open" | "closed";
  /** Share of the session page that the chat takes, in percent. */
  readonly chatShare: number;
}

const COOKIES = { theme: "dormouse_theme", sidebar: "dormouse_sidebar", chatShare: "dormouse_chat_share" } as const;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
export const CHAT_SHARE = { min: 30, max: 75, usual: 58 } as const;

/** Reads the preferences from cookies; what is absent or unreadable is as usual. */
export function readPreferences(cookie: (name: string) => string | undefined): Preferences {
  const theme = cookie(COOKIES.theme);
  return {
    theme: THEMES.find((known) => known === theme) ?? "system",
    sidebar: cookie(COOKIES.sidebar) === "closed" ? "closed" : "open",
    chatShare: clampShare(Number(cookie(COOKIES.chatShare) ?? CHAT_SHARE.usual)),
  };
}

/** A share within its bounds, with one decimal; the usual one for what is no number. */
export function clampShare(share: number): number {
  if (!Number.isFinite(share)) return CHAT_SHARE.usual;
  return Math.round(Math.min(CHAT_SHARE.max, Math.max(CHAT_SHARE.min, share)) * 10) / 10;
}

/** Remembers one of them for a year. Browser only. */
export function savePreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where a machine is reached over plain http
  document.cookie = `${COOKIES[name]}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
