"use client";

import { useProviderForm } from "@/components/settings/use-provider-form";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass, Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import type { ProviderTestView, ProviderView } from "@/lib/model/contract";

/** Key and address of one provider. What is saved is tested at once, and the test says in words what is wrong. */
export function ProviderForm({ view, privateAddresses }: { view: ProviderView; privateAddresses: boolean }) {
  const form = useProviderForm(view);
  const { failure, busy } = form;
  const field = typeof failure?.details?.field === "string" ? failure.details.field : null;
  const compatible = view.provider === "compatible";
  return (
    <form
      className="mt-4 flex flex-col gap-2 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <Field
        label={compatible ? "API key, if the server asks for one" : "API key"}
        hint={
          view.source === "settings" && view.key === "set"
            ? "A key is stored. Leave this empty to keep it."
            : "It is stored sealed and never shown again."
        }
        error={field === "apiKey" ? failure?.message : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={form.apiKey}
            onChange={(event) => form.setApiKey(event.target.value)}
            className={`${controlClass} h-10 font-mono`}
          />
        )}
      </Field>
      <Field
        label={compatible ? "Address" : "Another address (optional)"}
        hint={privateAddresses ? "For example http://127.0.0.1:11434/v1" : "A public address that begins with https://"}
        error={field === "baseUrl" ? failure?.message : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={form.baseUrl}
            onChange={(event) => form.setBaseUrl(event.target.value)}
            className={`${controlClass} h-10 font-mono`}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy === "save"} disabled={busy !== null}>
          Save and test
        </Button>
        {view.source !== null && (
          <Button busy={busy === "test"} disabled={busy !== null} onClick={() => void form.test()}>
            Test
          </Button>
        )}
        {view.source === "settings" && (
          <Button variant="ghost" busy={busy === "remove"} disabled={busy !== null} onClick={() => void form.remove()}>
            Remove
          </Button>
        )}
      </div>
      <div aria-live="polite">{form.tested && <TestResult result={form.tested} />}</div>
      {failure && field === null && <ErrorNote message={failure.message} reference={failure.requestId} />}
    </form>
  );
}

function TestResult({ result }: { result: ProviderTestView }) {
  return (
    <p className={`mt-1 flex items-start gap-2 text-sm ${result.ok ? "text-ok" : "text-danger"}`}>
      <Icon name={result.ok ? "check" : "alert"} className="mt-0.5 size-4" />
      <span className="min-w-0 break-words">{result.message}</span>
    </p>
  );
}
