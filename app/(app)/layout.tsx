import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { SignIn } from "@/components/auth/sign-in";
import { readPreferences } from "@/components/settings/preferences";
import { AppShell } from "@/components/shell/app-shell";
import { currentUser, initialSessions } from "@/lib/http/page";

/** The frame of the signed-in pages, or the sign-in at the same address. The pages check for themselves too. */
export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user) return <SignIn />;
  const [jar, sessions] = await Promise.all([cookies(), initialSessions(user.id, "active")]);
  const look = readPreferences((name) => jar.get(name)?.value);
  return (
    <AppShell userName={user.name} look={look} sessions={sessions}>
      {children}
    </AppShell>
  );
}
