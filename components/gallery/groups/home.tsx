"use client";

import { aConfig } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { ExampleTasks } from "@/components/session/example-tasks";
import { NewSessionForm } from "@/components/session/new-session-form";

export function Home() {
  return (
    <>
      <Piece name="NewSessionForm">
        <NewSessionForm
          config={aConfig}
          newBranch="ow/0a1b2c3d"
          recent={[
            { url: "https://github.com/owner/name", branches: ["main", "release"] },
            { url: "/srv/repos/name", branches: [] },
          ]}
          firstVisit={false}
        />
      </Piece>
      <Piece name="ExampleTasks: demo model">
        <ExampleTasks demo onPick={() => {}} />
      </Piece>
      <Piece name="ExampleTasks: another model">
        <ExampleTasks demo={false} onPick={() => {}} />
      </Piece>
    </>
  );
}
