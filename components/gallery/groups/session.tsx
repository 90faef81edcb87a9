"use client";

import { aSandbox, aSession, idleActions } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { ArchivedBar } from "@/components/session/archived-bar";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { SessionHeader } from "@/components/session/session-header";
import type { SandboxState } from "@/lib/sandbox/contract";

export function Session() {
  const states = Object.keys(SANDBOX_WORDS) as SandboxState[];
  return (
    <>
      {states.map((state) => (
        <Piece key={state} name={`SessionHeader: ${state}`}>
          <SessionHeader
            session={aSession({ status: state === "archived" ? "archived" : "running", sandboxState: state })}
            sandbox={aSandbox(state)}
            startFailed={false}
            actions={idleActions}
          />
        </Piece>
      ))}
      <Piece name="SessionHeader: at work, right to left, no repository">
        <SessionHeader
          session={aSession({ title: "תיקון הבדיקה (date) שנכשלת", repo: null, activity: "working" })}
          sandbox={aSandbox("active", { busy: true })}
          startFailed={false}
          actions={{ ...idleActions, running: "hibernate" }}
        />
      </Piece>
      <Piece name="ArchivedBar">
        <ArchivedBar />
      </Piece>
    </>
  );
}
