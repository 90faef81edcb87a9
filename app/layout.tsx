import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { NowProvider } from "@/components/lib/now";
import "./globals.css";

/** Every page is made for the request: nothing of it is known when the app is built. */
export const dynamic = "force-dynamic";

export const metadata: Metadata = {
  title: { default: "Dormouse", template: "%s · Dormouse" },
  description: "Runs coding agents and never loses their work.",
  icons: { icon: "/icon.svg" },
  referrer: "no-referrer",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f7f5f2" },
    { media: "(prefers-color-scheme: dark)", color: "#151311" },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <NowProvider renderedAt={Date.now()}>{children}</NowProvider>
      </body>
    </html>
  );
}
