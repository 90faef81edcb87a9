"use client";

import { aStart, idleActions } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { StartPhases } from "@/components/session/start-phases";

export function Start() {
  return (
    <>
      <Piece name="StartPhases: in line">
        <StartPhases start={{ ...aStart("WAITING_FOR_SANDBOX"), queuePosition: 2 }} actions={idleActions} />
      </Piece>
      <Piece name="StartPhases: setup script">
        <StartPhases start={aStart("RUNNING_SETUP_SCRIPT")} actions={idleActions} />
      </Piece>
      <Piece name="StartPhases: failed">
        <StartPhases start={aStart("RUNNING_SETUP_SCRIPT", "failed")} actions={idleActions} />
      </Piece>
      <Piece name="StartPhases: ready">
        <StartPhases start={aStart("READY")} actions={idleActions} />
      </Piece>
    </>
  );
}
