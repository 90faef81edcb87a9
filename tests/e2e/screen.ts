import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { waitFor } from "@/tests/harness/wait-for";

export interface ScreenOptions {
  readonly width?: 1440 | 390;
  readonly scheme?: "light" | "dark";
}

export const isNarrow = (width: number) => width < 1024;

/** A browser of its own, with cookies and a cache. */
export async function newContext(
  browser: Browser,
  { width = 1440, scheme = "light" }: ScreenOptions,
): Promise<BrowserContext> {
  const narrow = isNarrow(width);
  const context = await browser.newContext({
    viewport: { width, height: narrow ? 844 : 900 },
    colorScheme: scheme,
    // Without a graphics card each frame of a spinner is drawn by the processor.
    reducedMotion: "reduce",
    ...(narrow ? { isMobile: true, hasTouch: true } : {}),
  });
  await context.addInitScript(watchShifts);
  return context;
}

/** Movement of what stands still that a person would notice (design: nothing jumps); the web's own "good" is 0.1. */
const MOST_SHIFT = 0.02;

/** A page under test and what is watched about it. */
export class Screen {
  /** What a story provokes on purpose, such as the failed requests of an offline browser. */
  readonly expected: RegExp[] = [];
  readonly #errors: string[] = [];

  constructor(
    readonly page: Page,
    readonly narrow: boolean,
  ) {
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.#errors.push(`${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.#errors.push(String(error)));
  }

  /** No error, no warning, no refused script or style, nothing that did not hydrate; and nothing sticks out. */
  async expectSound(): Promise<void> {
    expect(this.#errors.filter((text) => !this.expected.some((pattern) => pattern.test(text)))).toEqual([]);
    await this.expectNoOverflow();
  }

  async expectNoOverflow(): Promise<void> {
    const widths = await this.page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
    expect(widths[0], "the page is wider than the screen").toBeLessThanOrEqual(widths[1]);
  }

  /**
   * What moved without being touched, as browsers measure it (Cumulative Layout Shift): the worst span of at most five
   * seconds in which no second was without a shift.
   */
  async expectStill(): Promise<void> {
    const { score, moved } = await this.page.evaluate(() => window.layoutShifts);
    expect(score, `moved: ${moved.join(" | ")}`).toBeLessThan(MOST_SHIFT);
  }

  /** Forgets what moved so far: going to another page is no jump. */
  async forgetShifts(): Promise<void> {
    await this.page.evaluate(() => Object.assign(window.layoutShifts, { score: 0, moved: [], span: null }));
  }

  /** A button by its name. */
  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name });
  }
  text(text: string | RegExp): Locator {
    return this.page.getByText(text).first();
  }
  /** Where messages are written. */
  get composer(): Locator {
    return this.page.getByRole("textbox", { name: "Message", exact: true });
  }
  get conversation(): Locator {
    return this.page.getByRole("region", { name: "Conversation" });
  }
  /** The state of the sandbox in the head of the page. */
  get state(): Locator {
    return this.page.locator("header").getByRole("status");
  }

  /** Something of the menu of the session in view. */
  async choose(name: string): Promise<void> {
    await this.button("Session actions").click();
    await this.page.getByRole("menuitem", { name, exact: true }).click();
  }

  /** The list of sessions; on a phone it is slid in first. */
  async openList(): Promise<Locator> {
    const list = this.page.getByRole("region", { name: "Sessions", exact: true }).filter({ visible: true });
    if (this.narrow && (await list.count()) === 0) await this.button("Show sessions").filter({ visible: true }).click();
    await list.waitFor();
    return list;
  }

  /** No violation that axe finds in what is shown now. */
  async expectAccessible(what: string): Promise<void> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    expect(found, what).toEqual([]);
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /** Sends what makes the composer grow: a script fills it at once and without a key, which would count as a jump. */
  async sayLong(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.forgetShifts();
    await this.composer.press("Enter");
  }

  /** Opens a part of the session: on a phone all four are tabs, on a wide screen the chat stands beside the others. */
  async openPart(name: "Chat" | "Changes" | "Files" | "Sandbox"): Promise<void> {
    if (!this.narrow && name === "Chat") return;
    const tabs = this.page.getByRole("tablist", { name: this.narrow ? "Parts of the session" : "Workspace" });
    await tabs.getByRole("tab", { name }).click();
  }

  /** Comes back to the page, as a person does who looked elsewhere, until it shows something. */
  async lookAgain(until: Locator): Promise<void> {
    const look = async () => {
      await this.page.evaluate(() => window.dispatchEvent(new Event("focus")));
      return until.isVisible();
    };
    await expect.poll(look, { interval: 700, timeout: 60_000 }).toBe(true);
  }

  /** Waits for words in the head that say where the sandbox is. */
  async expectState(words: string): Promise<void> {
    await this.state.getByText(words, { exact: true }).waitFor();
  }

  /** Waits until `count` elements match. */
  async expectCount(locator: Locator, count: number): Promise<void> {
    await waitFor(async () => (await locator.count()) === count, { what: `${count} of ${locator}`, timeoutMs: 60_000 });
  }
}

/** The text of an element as a person reads it. */
export async function read(locator: Locator): Promise<string> {
  return (await locator.allInnerTexts()).join("\n");
}

declare global {
  interface Window {
    layoutShifts: {
      score: number;
      moved: string[];
      span: { score: number; from: number; to: number } | null;
    };
  }
}

/** Runs in the page, before anything else. */
function watchShifts(): void {
  const seen: Window["layoutShifts"] = { score: 0, moved: [], span: null };
  window.layoutShifts = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources?: { node?: Node }[];
      };
      if (shift.hadRecentInput) continue;
      const at = shift.startTime;
      const goesOn = seen.span && at - seen.span.to < 1_000 && at - seen.span.from < 5_000;
      seen.span = goesOn && seen.span ? { ...seen.span, to: at } : { score: 0, from: at, to: at };
      seen.span.score += shift.value;
      seen.score = Math.max(seen.score, seen.span.score);
      const names = shift.sources?.map(({ node }) => `${node?.nodeName} ${node?.textContent?.slice(0, 30)}`) ?? [];
      seen.moved.push(`${shift.value.toFixed(4)} ${names.join(", ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
