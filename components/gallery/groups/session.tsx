"use client";

import { aConfig, aSandbox, aSession, aUsage, idleActions } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { ArchivedBar } from "@/components/session/archived-bar";
import { LimitsForm } from "@/components/session/limits-form";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { SessionHeader } from "@/components/session/session-header";
import { UsageFacts } from "@/components/session/usage-facts";
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
      <Piece name="UsageFacts">
        <UsageFacts usage={aUsage} models={aConfig.models} />
      </Piece>
      <Piece name="UsageFacts: nothing used, nothing known">
        <UsageFacts
          usage={{ ...aUsage, total: { ...aUsage.total, costUsd: null }, lastStep: null }}
          models={aConfig.models}
        />
      </Piece>
      <Piece name="LimitsForm">
        <LimitsForm limits={aUsage.limits} onSave={async () => null} />
      </Piece>
      <Piece name="ArchivedBar">
        <ArchivedBar />
      </Piece>
    </>
  );
}
