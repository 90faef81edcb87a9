"use client";

import { useParams, useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { callApi } from "@/components/lib/api-client";
import { apiPaths, pagePaths } from "@/components/lib/api-paths";
import { RenameDialog } from "@/components/session/rename-dialog";
import { useSessionActions } from "@/components/session/use-session-actions";
import { useForgetSession, useRefreshSessions } from "@/components/session/use-sessions";
import { ConfirmDialog } from "@/components/ui/dialog";
import { ErrorNote } from "@/components/ui/error-note";
import { notify } from "@/components/ui/toast";
import type { SessionView } from "@/lib/session/contract";

/** What is asked before it is done. */
export type Question = "rename" | "archive" | "remove" | "hibernate";
type Subject = Pick<SessionView, "id" | "title" | "activity">;
type Ask = (question: Question, session: Subject) => void;

const AskContext = createContext<Ask>(() => {});

/** Opens a question about a session, from wherever it is asked: its page, the list, the palette. */
export function useAskSession(): Ask {
  return useContext(AskContext);
}

/** Where the questions appear, above every page; at most one of them is open. */
export function SessionQuestions({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ readonly question: Question; readonly session: Subject } | null>(null);
  const [open, setOpen] = useState(false);
  const remove = useRemoveSession();
  const ask = useCallback<Ask>((question, session) => {
    setAsked({ question, session });
    setOpen(true);
  }, []);
  return (
    <AskContext value={ask}>
      {children}
      {asked && (
        <OpenQuestion
          key={asked.session.id}
          {...asked}
          open={open}
          onClose={() => setOpen(false)}
          onRemove={() => remove(asked.session)}
        />
      )}
    </AskContext>
  );
}

function OpenQuestion({
  question,
  session,
  open,
  onClose,
  onRemove,
}: {
  question: Question;
  session: Subject;
  open: boolean;
  onClose: () => void;
  onRemove: () => void;
}) {
  const actions = useSessionActions(session.id);
  const close = () => {
    actions.dismiss();
    onClose();
  };
  const answer = (action: () => Promise<boolean>) => void action().then((done) => done && close());
  const failure = actions.failure && (
    <div className="mt-3">
      <ErrorNote message={actions.failure.message} reference={actions.failure.requestId} />
    </div>
  );
  const name = <bdi className="font-medium break-words text-ink">{session.title}</bdi>;
  const shared = { open, onClose: close, busy: actions.running === question };
  switch (question) {
    case "rename":
      return (
        <RenameDialog {...shared} title={session.title} onRename={(title) => answer(() => actions.rename(title))}>
          {failure}
        </RenameDialog>
      );
    case "remove":
      return (
        <ConfirmDialog
          {...shared}
          onConfirm={() => {
            close();
            onRemove();
          }}
          title="Delete this session?"
          confirmLabel="Delete"
          danger
        >
          The conversation of {name}, its sandbox and everything in it that was not pushed are deleted for good.
        </ConfirmDialog>
      );
    case "archive":
      return (
        <ConfirmDialog
          {...shared}
          onConfirm={() => answer(actions.archive)}
          title="Archive this session?"
          confirmLabel="Archive"
        >
          <p>
            {session.activity === "working" && "The agent is at work and will be stopped. "}
            The sandbox of {name} is freed. Unarchive brings the work back at any time.
          </p>
          <ul className="mt-3 list-disc pl-5">
            <li>Kept: the conversation, the diff, all commits and files that git does not know yet.</li>
            <li>Not kept: files that git ignores, such as installed packages, and running servers.</li>
          </ul>
          {failure}
        </ConfirmDialog>
      );
    case "hibernate":
      return (
        <ConfirmDialog
          {...shared}
          onConfirm={() => answer(() => actions.hibernate(true))}
          title="Stop the agent and pause?"
          confirmLabel="Stop and pause"
        >
          The agent is at work in {name}. What it has written so far is kept.
          {failure}
        </ConfirmDialog>
      );
  }
}

/**
 * Deletes a session. Its page is left first, and its row goes, so that nothing asks for what is not there any more; a
 * refusal is told wherever the person is by then.
 */
function useRemoveSession(): (session: Subject) => void {
  const { sessionId: current } = useParams<{ sessionId?: string }>();
  const [leaving, setLeaving] = useState<Subject | null>(null);
  const router = useRouter();
  const forget = useForgetSession();
  const refresh = useRefreshSessions();
  useEffect(() => {
    if (!leaving || leaving.id === current) return;
    setLeaving(null);
    forget(leaving.id);
    void callApi(apiPaths.session(leaving.id), { method: "DELETE" }).then((answer) => {
      refresh();
      if (answer.ok) return;
      notify({
        tone: "danger",
        title: "The session was not deleted",
        text: answer.error.message,
        action: { label: "Open it", run: () => router.push(pagePaths.session(leaving.id)) },
      });
    });
  }, [leaving, current, forget, refresh, router]);
  return useCallback(
    (session) => {
      setLeaving(session);
      if (session.id === current) router.push(pagePaths.home);
    },
    [current, router],
  );
}
