"use client";

import { useEffect, useState } from "react";

/** A choice about the look of a panel that this browser remembers; the first render is always the usual one. */
export function useStoredChoice<const Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const [chosen, setChosen] = useState<Choice>(choices[0]);
  const key = `dormouse:${name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choices of one name never change
  useEffect(() => {
    const stored = localStorage.getItem(key);
    const known = choices.find((choice) => choice === stored);
    if (known) setChosen(known);
  }, [key]);
  const choose = (choice: Choice) => {
    setChosen(choice);
    localStorage.setItem(key, choice);
  };
  return [chosen, choose];
}
