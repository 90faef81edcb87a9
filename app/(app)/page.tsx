import { randomBytes } from "node:crypto";
import { NewSessionForm } from "@/components/session/new-session-form";
import { recentRepos } from "@/components/session/recent-repos";
import { suggestBranch } from "@/components/session/suggest-branch";
import { StartBar } from "@/components/shell/start-bar";
import { currentUser, initialConfig, initialSessions } from "@/lib/http/page";

export const dynamic = "force-dynamic";

/** The start page: a new session. */
export default async function HomePage() {
  const user = await currentUser();
  if (!user) return null;
  const [config, active, archived] = await Promise.all([
    initialConfig(),
    initialSessions(user.id, "active"),
    initialSessions(user.id, "archived"),
  ]);
  return (
    <>
      <StartBar />
      <div className="scroll-area flex-1 px-4 py-6 lg:py-16">
        <div className="mx-auto w-full max-w-2xl">
          <h1 className="mb-5 text-xl font-semibold">What should be done?</h1>
          <NewSessionForm
            config={config}
            newBranch={suggestBranch(user.name, randomBytes(4).toString("hex"))}
            recent={recentRepos([...active.sessions, ...archived.sessions])}
            firstVisit={active.counts.active + active.counts.archived === 0}
          />
        </div>
      </div>
    </>
  );
}
