"use client";

import { useCallback, useEffect, useState } from "react";

const keyOf = (chatId: string) => `dormouse:draft:${chatId}`;

/** The text that is being written in a chat. It survives a reload; a browser that refuses storage only loses that. */
export function useDraft(chatId: string): [string, (text: string) => void] {
  const [text, setText] = useState("");
  useEffect(() => {
    const stored = attempt(() => localStorage.getItem(keyOf(chatId)));
    if (stored) setText((typed) => typed || stored);
  }, [chatId]);
  const write = useCallback(
    (next: string) => {
      setText(next);
      attempt(() => (next ? localStorage.setItem(keyOf(chatId), next) : localStorage.removeItem(keyOf(chatId))));
    },
    [chatId],
  );
  return [text, write];
}

function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
