import type { Metadata } from "next";
import Link from "next/link";
import { pagePaths } from "@/components/lib/api-paths";
import { ProviderList } from "@/components/settings/provider-list";
import { ThemeChoice } from "@/components/settings/theme-choice";
import { UsagePanel } from "@/components/settings/usage-panel";
import { StartBar } from "@/components/shell/start-bar";
import { Icon } from "@/components/ui/icon";
import { currentUser, initialSettings } from "@/lib/http/page";

export const dynamic = "force-dynamic";
export const metadata: Metadata = { title: "Settings" };

const USAGE_DAYS = 30;

/** Model providers with their keys, what models have used, and the look of the page. */
export default async function SettingsPage() {
  const user = await currentUser();
  if (!user) return null;
  const { providers, usage } = await initialSettings(user.id, USAGE_DAYS);
  return (
    <>
      <StartBar />
      <div className="scroll-area min-h-0 flex-1 px-4 py-6 lg:py-10">
        <div className="mx-auto flex w-full max-w-3xl flex-col gap-10">
          <div>
            <Link
              href={pagePaths.home}
              className="mb-3 inline-flex min-h-8 items-center gap-1 rounded-md text-sm text-ink-soft hover:text-ink"
            >
              <Icon name="back" /> Home
            </Link>
            <h1 className="text-xl font-semibold">Settings</h1>
          </div>
          <section aria-labelledby="settings-providers">
            <h2 id="settings-providers" className="text-lg font-semibold">
              Providers
            </h2>
            <p className="mt-1 mb-4 text-sm text-ink-faint">
              Where models come from. Keys are stored sealed, are used only for calls to their provider, and never enter
              a sandbox.
            </p>
            <ProviderList first={providers} />
          </section>
          <section aria-labelledby="settings-usage">
            <h2 id="settings-usage" className="text-lg font-semibold">
              Usage
            </h2>
            <p className="mt-1 mb-4 text-sm text-ink-faint">The last {USAGE_DAYS} days, deleted sessions included.</p>
            <UsagePanel days={USAGE_DAYS} first={usage} />
          </section>
          <section aria-labelledby="settings-theme">
            <h2 id="settings-theme" className="mb-3 text-lg font-semibold">
              Theme
            </h2>
            <ThemeChoice />
          </section>
        </div>
      </div>
    </>
  );
}
