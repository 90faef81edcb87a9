import type { ReactNode } from "react";
import { SignIn } from "@/components/auth/sign-in";
import { AppShell } from "@/components/shell/app-shell";
import { currentUser, initialSessions } from "@/lib/http/page";

/** The frame of the signed-in pages, or the sign-in at the same address. The pages check for themselves too. */
export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user) return <SignIn />;
  return (
    <AppShell userName={user.name} sessions={await initialSessions(user.id, "active")}>
      {children}
    </AppShell>
  );
}
