"use client";

import { useDeferredValue, useState } from "react";
import type { ListStatus } from "@/components/lib/api-paths";
import { SessionRow } from "@/components/session/session-row";
import { useSessions } from "@/components/session/use-sessions";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass } from "@/components/ui/field";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { SessionListView } from "@/lib/session/contract";

/** The sessions of the person, active and archived, with a search over their names. */
export function SessionList({ first, currentId }: { first: SessionListView; currentId: string | null }) {
  const [status, setStatus] = useState<ListStatus>("active");
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const { sessions, counts, hasMore, loadMore, isLoadingMore, failure } = useSessions(status, q, first);
  const shown = counts ?? first.counts;
  return (
    <section aria-label="Sessions" className="flex min-h-0 flex-1 flex-col">
      <div className="px-3 pb-2">
        <input
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder="Search sessions"
          aria-label="Search sessions"
          maxLength={200}
          className={`${controlClass} h-9`}
        />
      </div>
      <Tabs
        base="sessions"
        label="Sessions"
        className="px-3"
        value={status}
        onChange={setStatus}
        items={[
          { id: "active", label: "Active", count: shown.active },
          { id: "archived", label: "Archived", count: shown.archived },
        ]}
      />
      <TabPanel base="sessions" id={status} className="scroll-area min-h-48 flex-1 p-2">
        {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
        {!failure && !sessions && <SkeletonRows count={5} className="h-14" />}
        {sessions?.length === 0 && <NoSessions status={status} searching={q !== ""} />}
        {sessions && sessions.length > 0 && (
          <ul className="flex flex-col gap-0.5">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} current={session.id === currentId} />
            ))}
          </ul>
        )}
        {hasMore && (
          <Button variant="ghost" busy={isLoadingMore} onClick={loadMore} className="mt-1 w-full">
            Load more
          </Button>
        )}
      </TabPanel>
    </section>
  );
}

function NoSessions({ status, searching }: { status: ListStatus; searching: boolean }) {
  if (searching) return <EmptyState icon="folder" title="No session has this in its name" />;
  if (status === "archived") {
    return (
      <EmptyState icon="archive" title="Nothing archived">
        An archived session keeps its conversation, its diff and its branch.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="moon" title="No sessions yet">
      Describe a task to start the first one.
    </EmptyState>
  );
}
