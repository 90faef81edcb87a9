"use client";

import { type DragEvent, useRef, useState } from "react";
import type { Picked } from "@/components/workspace/files/use-uploads";

/** Takes files that are dropped anywhere on an element. `over` is true while some are held above it. */
export function useDrop(onDrop: (picked: Picked[]) => void) {
  const [over, setOver] = useState(false);
  // Each child that the pointer enters and leaves says so too.
  const depth = useRef(0);
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  const ofFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return {
    over,
    target: {
      onDragEnter: (event: DragEvent) => ofFiles(event) && enter(1),
      onDragLeave: (event: DragEvent) => ofFiles(event) && enter(-1),
      onDragOver: (event: DragEvent) => {
        if (!ofFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      },
      onDrop: (event: DragEvent) => {
        if (!ofFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const picked = [...event.dataTransfer.items].flatMap((item): Picked[] => {
          const file = item.getAsFile();
          if (!file) return [];
          return [{ name: file.name, file: item.webkitGetAsEntry()?.isDirectory ? null : file }];
        });
        onDrop(picked);
      },
    },
  };
}
