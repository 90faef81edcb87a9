"use client";

import { useState } from "react";
import { useAnswerQuestion } from "@/components/chat/answer-context";
import { useKept } from "@/components/chat/kept-state";
import { isUnsettled, type ToolPart } from "@/components/chat/message-types";
import { textField } from "@/components/chat/tool-fields";
import { Button } from "@/components/ui/button";
import { controlClass } from "@/components/ui/field";

/** A question of the agent. It is answered by one of its options, by words of one's own, or by the next message. */
export function QuestionPart({ part, live }: { part: ToolPart; live: boolean }) {
  const answerQuestion = useAnswerQuestion();
  const [chosen, setChosen] = useState<string | null>(null);
  const waiting = isUnsettled(part) && live;
  const answer = textField(part.output, "answer") ?? (typeof part.output === "string" ? part.output : chosen);
  const question = textField(part.input, "question") ?? "The agent asks a question.";
  const give = async (text: string) => {
    setChosen(text);
    if (!(await answerQuestion(part.toolCallId, text))) setChosen(null);
  };
  return (
    <section aria-label="Question" className="rounded-md border border-line-strong bg-accent-soft px-3 py-2.5">
      <p dir="auto" className="font-medium break-words whitespace-pre-wrap">
        {question}
      </p>
      {waiting && !chosen ? (
        <div className="mt-2 flex flex-col gap-2">
          <Options options={optionsOf(part.input)} onChoose={give} />
          <OwnAnswer id={part.toolCallId} onAnswer={give} />
        </div>
      ) : (
        <p className="mt-1 text-sm break-words whitespace-pre-wrap text-ink-soft">
          {answer ? `Answered: ${answer}` : "Not answered."}
        </p>
      )}
    </section>
  );
}

function Options({ options, onChoose }: { options: readonly string[]; onChoose: (option: string) => Promise<void> }) {
  if (options.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {options.map((option) => (
        <Button key={option} className="max-w-full text-left whitespace-normal!" onClick={() => void onChoose(option)}>
          {option}
        </Button>
      ))}
    </div>
  );
}

function OwnAnswer({ id, onAnswer }: { id: string; onAnswer: (text: string) => Promise<void> }) {
  const [text, setText] = useKept(`answer ${id}`, "");
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void onAnswer(text.trim());
      }}
    >
      <input
        aria-label="Your answer"
        placeholder="Your answer"
        value={text}
        maxLength={200_000}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        className={`${controlClass} h-9 pointer-coarse:h-11`}
      />
      <Button type="submit" variant="primary" disabled={text.trim() === ""} className="h-9 pointer-coarse:h-11">
        Answer
      </Button>
    </form>
  );
}

/** The options of a question, however the agent spelt them: words, or things with a label. */
function optionsOf(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  const { options } = input as { options?: unknown };
  if (!Array.isArray(options)) return [];
  const labels = options.map((option) => (typeof option === "string" ? option : textField(option, "label")));
  return [...new Set(labels.filter((label) => label !== null && label !== ""))] as string[];
}
