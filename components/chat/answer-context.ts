"use client";

import { createContext, useContext } from "react";

/** Sends the answer to a question of the agent; false when it could not be sent. */
export type AnswerQuestion = (toolCallId: string, answer: string) => Promise<boolean>;

/** Only this one function goes through context: messages do not, so that rows stay comparable. */
export const AnswerContext = createContext<AnswerQuestion>(async () => false);

export function useAnswerQuestion(): AnswerQuestion {
  return useContext(AnswerContext);
}
