import type { NextConfig } from "next";
import { withWorkflow } from "workflow/next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // They look for optional parts of their own while they run, which a bundle cannot hold.
  serverExternalPackages: ["pg", "rate-limiter-flexible"],
  // A start loads what it needs; a page is loaded when somebody first asks for it.
  experimental: { preloadEntriesOnStart: false },
  typescript: { ignoreBuildErrors: true },
};

export default withWorkflow(config);
