"use client";

import { useState } from "react";
import { type ApiFailure, callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useRefreshProviders } from "@/components/settings/use-providers";
import type { ProviderTestView, ProviderView } from "@/lib/model/contract";

type Busy = "save" | "test" | "remove" | null;

/** What one provider's form does: saves and tests at once, tests again, removes. The key leaves the form when it is saved. */
export function useProviderForm(view: ProviderView) {
  const [apiKey, setApiKey] = useState("");
  const [baseUrl, setBaseUrl] = useState(view.source === "settings" ? (view.baseUrl ?? "") : "");
  const [busy, setBusy] = useState<Busy>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [tested, setTested] = useState<ProviderTestView | null>(null);
  const refresh = useRefreshProviders();

  async function run(what: Exclude<Busy, null>, work: () => Promise<ApiFailure | null>): Promise<void> {
    setBusy(what);
    setFailure(null);
    setTested(null);
    setFailure(await work());
    setBusy(null);
  }

  async function askForTest(): Promise<ApiFailure | null> {
    const answer = await callApi<ProviderTestView>(apiPaths.providerTest(view.provider), { method: "POST" });
    if (answer.ok) setTested(answer.value);
    return answer.ok ? null : answer.error;
  }

  return {
    apiKey,
    setApiKey,
    baseUrl,
    setBaseUrl,
    busy,
    failure,
    tested,
    save: () =>
      run("save", async () => {
        const body = {
          ...(apiKey.trim() === "" ? {} : { apiKey }),
          ...(baseUrl.trim() === "" ? {} : { baseUrl }),
        };
        const saved = await callApi(apiPaths.provider(view.provider), { method: "POST", body });
        if (!saved.ok) return saved.error;
        setApiKey("");
        await refresh();
        return askForTest();
      }),
    test: () => run("test", askForTest),
    remove: () =>
      run("remove", async () => {
        const removed = await callApi(apiPaths.provider(view.provider), { method: "DELETE" });
        if (!removed.ok) return removed.error;
        setApiKey("");
        setBaseUrl("");
        await refresh();
        return null;
      }),
  };
}
