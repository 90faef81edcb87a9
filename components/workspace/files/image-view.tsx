"use client";

import { useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";

/** An image from its own bytes: as a picture even an SVG runs no script and fetches nothing. */
export function ImageView({ name, type, base64 }: { name: string; type: string; base64: string }) {
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <EmptyState icon="image" title="This image cannot be drawn">
        Its bytes are not what its name says. Download it to look at it elsewhere.
      </EmptyState>
    );
  return (
    <div className="scroll-area grid min-h-0 flex-1 place-items-center bg-sunken p-4">
      {/* biome-ignore lint/performance/noImgElement: bytes that are here already need no loader */}
      <img
        src={`data:${type};base64,${base64}`}
        alt={name}
        onError={() => setBroken(true)}
        className="max-h-full max-w-full object-contain"
      />
    </div>
  );
}
