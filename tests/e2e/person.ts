import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { Client } from "@/tests/api/client";
import { addUser } from "@/tests/api/users";
import { launchBrowser } from "@/tests/harness/browser";
import { isNarrow, newContext, Screen, type ScreenOptions } from "./screen";

interface OpenOptions extends ScreenOptions {
  /** A browser that nobody has used: for stories of signing in, and for those that change the clock or the cookies. */
  readonly fresh?: boolean;
  /** False only makes sense in a fresh browser. */
  readonly signedIn?: boolean;
}

/** Somebody who uses Dormouse: with a browser, and beside it with the API, to bring about what a story begins with. */
export interface Person {
  readonly api: Client;
  readonly token: string;
  /** Opens a page, signed in unless told otherwise; all pages of a size share one browser, as a person's tabs do. */
  open(path: string, options?: OpenOptions): Promise<Screen>;
}

/**
 * One new user for the tests of a file, whose pages are checked and closed after each test: no error in the console,
 * nothing wider than the screen.
 */
export function enterPerson(): Person {
  let browser: Browser;
  let api: Client;
  let screens: Screen[] = [];
  let freshContexts: BrowserContext[] = [];
  const contexts = new Map<string, Promise<BrowserContext>>();
  const { url } = inject("server");

  beforeAll(async () => {
    const [token, launched] = await Promise.all([
      addUser(inject("server"), `person-${randomUUID().slice(0, 8)}`),
      launchBrowser(),
    ]);
    api = new Client(url, token);
    browser = launched;
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const opened = screens;
    const fresh = freshContexts;
    screens = [];
    freshContexts = [];
    try {
      for (const screen of opened) await screen.expectSound();
    } finally {
      for (const screen of opened) await screen.page.close();
      for (const context of fresh) await context.close();
    }
  });

  async function contextFor(options: OpenOptions): Promise<BrowserContext> {
    if (options.fresh) {
      const context = await newContext(browser, options);
      freshContexts.push(context);
      return context;
    }
    const key = `${options.width} ${options.scheme}`;
    const shared = contexts.get(key) ?? newContext(browser, options);
    contexts.set(key, shared);
    return shared;
  }
  return {
    get api() {
      return api;
    },
    get token() {
      return api.token;
    },
    async open(path, options = {}) {
      const context = await contextFor(options);
      const screen = new Screen(await context.newPage(), isNarrow(options.width ?? 1440));
      screens.push(screen);
      const signedIn = options.signedIn === false || (await context.cookies()).length > 0;
      const target = signedIn ? path : `${path}${path.includes("?") ? "&" : "?"}token=${api.token}`;
      await screen.page.goto(`${url}${target}`);
      return screen;
    },
  };
}
