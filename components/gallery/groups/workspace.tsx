"use client";

import { Piece } from "@/components/gallery/piece";
import { WORKSPACE_FIXTURES } from "@/components/workspace/workspace-fixtures";

export function Workspace() {
  return WORKSPACE_FIXTURES.map(({ name, fill, render }) => (
    <Piece key={name} name={name}>
      <div className={fill ? "flex h-80 min-w-0 flex-col" : "flex min-w-0 flex-col"}>{render()}</div>
    </Piece>
  ));
}
