import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { NowProvider } from "@/components/lib/now";
import { PlatformProvider } from "@/components/lib/platform";
import { readPreferences } from "@/components/settings/preferences";
import { ThemeProvider } from "@/components/settings/theme";
import "./globals.css";

/** Every page is made for the request: nothing of it is known when the app is built. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = {
  title: { default: "Dormouse", template: "%s · Dormouse" },
  description: "Runs coding agents and never loses their work.",
  icons: { icon: "/icon.svg" },
  referrer: "no-referrer",
};

const GROUND = { light: "#f7f5f2", dark: "#151311" } as const;

export async function generateViewport(): Promise<Viewport> {
  const { theme } = await rememberedLook();
  return {
    width: "device-width",
    initialScale: 1,
    interactiveWidget: "resizes-content",
    themeColor:
      theme === "system"
        ? (["light", "dark"] as const).map((scheme) => ({
            media: `(prefers-color-scheme: ${scheme})`,
            color: GROUND[scheme],
          }))
        : GROUND[theme],
  };
}

async function rememberedLook() {
  const jar = await cookies();
  return readPreferences((name) => jar.get(name)?.value);
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [{ theme }, asked] = await Promise.all([rememberedLook(), headers()]);
  const mac = /\b(Mac|iPhone|iPad)/.test(asked.get("user-agent") ?? "");
  return (
    <html lang="en" data-theme={theme}>
      <body>
        <NowProvider renderedAt={Date.now()}>
          <PlatformProvider mac={mac}>
            <ThemeProvider initial={theme}>{children}</ThemeProvider>
          </PlatformProvider>
        </NowProvider>
      </body>
    </html>
  );
}
