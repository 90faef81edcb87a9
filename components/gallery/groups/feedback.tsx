"use client";

import { Piece } from "@/components/gallery/piece";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { SkeletonRows } from "@/components/ui/skeleton";

export function Feedback() {
  return (
    <>
      <Piece name="ErrorNote">
        <ErrorNote message="The session could not be read." reference="ref-1">
          <Button icon="refresh">Try again</Button>
        </ErrorNote>
      </Piece>
      <Piece name="EmptyState">
        <EmptyState icon="archive" title="Nothing archived">
          An archived session keeps its conversation.
        </EmptyState>
      </Piece>
      <Piece name="Skeleton">
        <SkeletonRows count={3} />
      </Piece>
    </>
  );
}
