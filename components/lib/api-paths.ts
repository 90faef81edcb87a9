/**
 * Every address of the API that the page uses. They are the cache keys too, so a page can hand its server-rendered
 * answers to the hooks under the same names.
 */
const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
const chat = (id: string) => `/api/chats/${encodeURIComponent(id)}`;

export type ListStatus = "active" | "archived";

export const apiPaths = {
  config: "/api/config",
  signOut: "/api/sign-out",
  sessions: "/api/sessions",
  sessionList: (status: ListStatus, q: string, cursor?: string | null) => {
    const query = new URLSearchParams({ status, limit: "50" });
    if (q) query.set("q", q);
    if (cursor) query.set("cursor", cursor);
    return `/api/sessions?${query}`;
  },
  session,
  start: (id: string) => `${session(id)}/start`,
  startRetry: (id: string) => `${session(id)}/start/retry`,
  startCancel: (id: string) => `${session(id)}/start/cancel`,
  sandbox: (id: string) => `${session(id)}/sandbox`,
  sandboxResume: (id: string) => `${session(id)}/sandbox/resume`,
  sandboxHibernate: (id: string) => `${session(id)}/sandbox/hibernate`,
  transitions: (id: string) => `${session(id)}/sandbox/transitions`,
  chats: (id: string) => `${session(id)}/chats`,
  files: (id: string, path: string) => `${session(id)}/files?${new URLSearchParams({ path })}`,
  fileContent: (id: string, path: string) => `${session(id)}/files/content?${new URLSearchParams({ path })}`,
  upload: (id: string, path: string) => `${session(id)}/files?${new URLSearchParams({ path })}`,
  download: (id: string, path: string) => `${session(id)}/files/download?${new URLSearchParams({ path })}`,
  git: (id: string) => `${session(id)}/git`,
  diff: (id: string, scope: "all" | "uncommitted") => `${session(id)}/diff?scope=${scope}`,
  commit: (id: string) => `${session(id)}/git/commit`,
  chat,
  messages: (id: string, before?: string) =>
    `${chat(id)}/messages${before === undefined ? "" : `?${new URLSearchParams({ before })}`}`,
  message: (id: string, messageId: string) => `${chat(id)}/messages/${encodeURIComponent(messageId)}`,
  events: (id: string, after: number) => `${chat(id)}/events?after=${after}`,
  stop: (id: string) => `${chat(id)}/stop`,
  answers: (id: string) => `${chat(id)}/answers`,
  read: (id: string) => `${chat(id)}/read`,
};

export const pagePaths = {
  home: "/",
  session: (id: string) => `/sessions/${encodeURIComponent(id)}`,
  chat: (sessionId: string, chatId: string) =>
    `/sessions/${encodeURIComponent(sessionId)}/chats/${encodeURIComponent(chatId)}`,
};
