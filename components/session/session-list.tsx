"use client";

import { type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import type { ListStatus } from "@/components/lib/api-paths";
import { groupByRepository } from "@/components/session/session-groups";
import { SessionRow } from "@/components/session/session-row";
import { useSessions } from "@/components/session/use-sessions";
import { useShortcut } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { Icon } from "@/components/ui/icon";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { SessionListView } from "@/lib/session/contract";

/** The sessions of the person, active and archived, by repository, with a search over names, repositories and branches. */
export function SessionList({ first, currentId }: { first: SessionListView; currentId: string | null }) {
  const base = useId();
  const [status, setStatus] = useState<ListStatus>("active");
  const [typed, setTyped] = useState("");
  const q = useDeferredValue(typed.trim());
  const search = useRef<HTMLInputElement>(null);
  const counts = useSessions("active", "", first).counts ?? first.counts;
  useShortcut("search", () => (search.current?.checkVisibility() ? search.current.focus() : false));
  return (
    <section aria-label="Sessions" className="flex min-h-0 flex-1 flex-col">
      <div className="relative px-3 pb-1">
        <Icon name="search" className="pointer-events-none absolute top-2.5 left-5.5 size-4 text-ink-faint" />
        <input
          ref={search}
          type="search"
          dir="auto"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder="Search sessions"
          aria-label="Search sessions"
          aria-keyshortcuts="/"
          maxLength={200}
          className="h-9 w-full min-w-0 rounded-md border border-line bg-canvas pr-2 pl-8.5 text-sm"
        />
      </div>
      <Tabs
        base={base}
        label="Sessions"
        className="px-3"
        value={status}
        onChange={setStatus}
        items={[
          { id: "active", label: "Active", count: counts.active },
          { id: "archived", label: "Archived", count: counts.archived },
        ]}
      />
      <TabPanel base={base} id={status} className="scroll-area min-h-48 flex-1 p-2">
        <Listed
          // Else the rows of one tab would stand under the other until its own are there.
          key={status}
          status={status}
          q={q}
          first={first}
          currentId={currentId}
          onClear={() => setTyped("")}
        />
      </TabPanel>
    </section>
  );
}

function Listed({
  status,
  q,
  first,
  currentId,
  onClear,
}: {
  status: ListStatus;
  q: string;
  first: SessionListView;
  currentId: string | null;
  onClear: () => void;
}) {
  const { sessions, failure, retry, hasMore, isLoadingMore, loadMore } = useSessions(status, q, first);
  if (!sessions) {
    return failure ? (
      <ErrorNote message={failure.message} reference={failure.requestId}>
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      </ErrorNote>
    ) : (
      <SkeletonRows count={6} className="h-12" />
    );
  }
  if (sessions.length === 0) return <NoSessions status={status} search={q} onClear={onClear} />;
  return (
    <>
      {groupByRepository(sessions).map((group) => (
        <Group key={group.url} label={group.label}>
          {group.sessions.map((session) => (
            <SessionRow key={session.id} session={session} current={session.id === currentId} />
          ))}
        </Group>
      ))}
      {hasMore && <LoadMore loaded={sessions.length} busy={isLoadingMore} onLoad={loadMore} />}
    </>
  );
}

/** The sessions of one repository below its name, which folds them. */
function Group({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(true);
  return (
    <div className="mb-2">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          title={label}
          className="flex min-h-7 w-full items-center gap-1 rounded-md px-1 text-left text-xs font-medium text-ink-faint hover:text-ink focus-visible:-outline-offset-2"
        >
          <Icon name="chevron" className={open ? "size-3.5 rotate-90" : "size-3.5"} />
          <bdi className="truncate">{label}</bdi>
        </button>
      </h2>
      {open && <ul className="flex flex-col gap-px">{children}</ul>}
    </div>
  );
}

/** Fetches the next page when the end of the list comes near; the button is for those who get there first. */
function LoadMore({ loaded, busy, onLoad }: { loaded: number; busy: boolean; onLoad: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const load = useRef(onLoad);
  useEffect(() => {
    load.current = onLoad;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again after each page, whose end may be in view already
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load.current(), {
      rootMargin: "400px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [loaded]);
  return (
    <div ref={end}>
      <Button variant="ghost" busy={busy} onClick={onLoad} className="mt-1 w-full">
        {busy ? "Loading more…" : "Load more"}
      </Button>
    </div>
  );
}

function NoSessions({ status, search, onClear }: { status: ListStatus; search: string; onClear: () => void }) {
  if (search) {
    return (
      <EmptyState icon="search" title="No session has this in its name">
        <p>Names, repositories and branches of {status} sessions were searched.</p>
        <Button className="mt-3" onClick={onClear}>
          Clear the search
        </Button>
      </EmptyState>
    );
  }
  if (status === "archived") {
    return (
      <EmptyState icon="archive" title="Nothing archived">
        An archived session keeps its conversation, its diff and its branch. Archive one from its menu.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="moon" title="No sessions yet">
      Describe a task to start the first one.
    </EmptyState>
  );
}
