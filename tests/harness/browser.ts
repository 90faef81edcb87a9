import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = [
  process.env.DORMOUSE_CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Starts the Chromium of this host without a window. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = CANDIDATES.find((file) => file && existsSync(file));
  if (!executablePath) throw new Error("There is no Chromium on this host: install the Debian package chromium.");
  // Chromium's own sandbox refuses to run as root; the pages are ours.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args: [...args, "--disable-dev-shm-usage"] });
}
