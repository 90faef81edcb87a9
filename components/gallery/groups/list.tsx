"use client";

import { aSession } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { SessionRow } from "@/components/session/session-row";
import type { SandboxState } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

const ROWS: ReadonlyArray<Partial<SessionView>> = [
  { title: "Unread", unread: true },
  { title: "At work", activity: "working" },
  { title: "Waits for you", activity: "waiting" },
  { title: "A very long name that does not fit into the width of the list of sessions at all", unread: true },
  { title: "שם מימין לשמאל (x)", repo: null },
];

export function List() {
  const states = Object.keys(SANDBOX_WORDS) as SandboxState[];
  const rows = [...ROWS, ...states.map((sandboxState) => ({ title: sandboxState, sandboxState }))];
  return (
    <Piece name="SessionRow">
      <ul className="w-68 max-w-full">
        {rows.map((change, index) => (
          <SessionRow key={change.title} session={aSession({ ...change, id: `row-${index}` })} current={index === 1} />
        ))}
      </ul>
    </Piece>
  );
}
