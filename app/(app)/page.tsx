import { NewSessionForm } from "@/components/session/new-session-form";
import { currentUser, initialConfig } from "@/lib/http/page";

export const dynamic = "force-dynamic";

/** The start page: a new session; the list stands in the frame. */
export default async function HomePage() {
  const user = await currentUser();
  if (!user) return null;
  return (
    <div className="scroll-area flex-1 px-4 py-6 lg:py-12">
      <div className="mx-auto w-full max-w-2xl">
        <h1 className="mb-5 text-xl font-semibold">What should be done?</h1>
        <NewSessionForm config={await initialConfig()} />
      </div>
    </div>
  );
}
