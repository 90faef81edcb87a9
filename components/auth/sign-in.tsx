"use client";

import { useSearchParams } from "next/navigation";
import { BrandMark } from "@/components/shell/brand";
import { Button } from "@/components/ui/button";
import { controlClass, Field } from "@/components/ui/field";

/**
 * What somebody sees who is not signed in. The form is a plain GET of `/?token=…`: the server sets the cookie and
 * drops the token from the address.
 */
export function SignIn() {
  const invalid = useSearchParams().get("signin") === "invalid";
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-md rounded-lg border border-line bg-surface p-6">
        <BrandMark className="size-10" />
        <h1 className="mt-4 text-xl font-semibold">Sign in to Dormouse</h1>
        <p className="mt-2 text-ink-soft">
          Open the link that <code className="rounded-sm bg-sunken px-1 font-mono text-sm">npm start</code> printed in
          the terminal. It signs this browser in. Or paste the token from the end of that link:
        </p>
        <form method="get" action="/" className="mt-5 flex flex-col gap-1">
          <Field label="Token" error={invalid ? "This token is not valid. Check that you took all of it." : undefined}>
            {(control) => (
              <input
                {...control}
                name="token"
                type="password"
                required
                autoComplete="current-password"
                spellCheck={false}
                className={controlClass}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="md">
            Sign in
          </Button>
        </form>
      </div>
    </main>
  );
}
