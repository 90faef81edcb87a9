"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { emptyDraft, recallDraft, type SessionDraft, storeDraft, typedDraft } from "@/components/session/session-draft";
import type { ConfigView } from "@/lib/session/contract";

const KEY = "dormouse:new-session";

/**
 * The draft of a new session, which this browser remembers until a session is made of it; a browser that refuses
 * storage only loses that. What was typed before the page came to life wins over what was remembered.
 */
export function useSessionDraft(config: ConfigView, newBranch: string, form: RefObject<HTMLFormElement | null>) {
  const [draft, setDraft] = useState<SessionDraft>(() => emptyDraft(config.defaultModel, newBranch));
  const recalled = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes to life
  useEffect(() => {
    const models = config.models.map((model) => model.ref);
    const stored = recallDraft(
      attempt(() => localStorage.getItem(KEY)),
      models,
    );
    const typed = form.current ? typedDraft(new FormData(form.current)) : {};
    // No model was chosen yet: the field shows the usual one.
    setDraft((current) => ({ ...current, ...typed, ...pick(stored, typed, current) }));
    recalled.current = true;
  }, []);
  useEffect(() => {
    if (recalled.current) attempt(() => localStorage.setItem(KEY, storeDraft(draft)));
  }, [draft]);
  const set = useCallback((change: Partial<SessionDraft>) => setDraft((current) => ({ ...current, ...change })), []);
  const forget = useCallback(() => {
    recalled.current = false;
    attempt(() => localStorage.removeItem(KEY));
  }, []);
  return { draft, set, forget };
}

/** What was remembered where nobody has written anything else. */
function pick(stored: Partial<SessionDraft>, typed: Partial<SessionDraft>, usual: SessionDraft): Partial<SessionDraft> {
  const entries = Object.entries(stored).filter(([name]) => {
    const value = typed[name as keyof SessionDraft];
    return value === undefined || value === usual[name as keyof SessionDraft];
  });
  return Object.fromEntries(entries);
}

function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
