"use client";

import dynamic from "next/dynamic";
import { type ComponentType, useEffect, useState } from "react";
import { StartBar } from "@/components/shell/start-bar";

/** A chapter of the gallery: one file below `groups/`, with a component that lays its pieces out by `Piece`. */
interface Group {
  readonly name: string;
  readonly Content: ComponentType;
}

/** Add a group here, one line each; loaded only when the gallery is looked at. */
export const GROUPS: readonly Group[] = [
  { name: "Controls", Content: dynamic(() => import("./groups/controls").then((file) => file.Controls)) },
  { name: "Overlays", Content: dynamic(() => import("./groups/overlays").then((file) => file.Overlays)) },
  { name: "Feedback", Content: dynamic(() => import("./groups/feedback").then((file) => file.Feedback)) },
  { name: "Session", Content: dynamic(() => import("./groups/session").then((file) => file.Session)) },
  { name: "Start", Content: dynamic(() => import("./groups/start").then((file) => file.Start)) },
  { name: "List", Content: dynamic(() => import("./groups/list").then((file) => file.List)) },
  { name: "Workspace", Content: dynamic(() => import("./groups/workspace").then((file) => file.Workspace)) },
  { name: "Chat", Content: dynamic(() => import("./groups/chat").then((file) => file.Chat)) },
  { name: "Home", Content: dynamic(() => import("./groups/home").then((file) => file.Home)) },
];

/** Every component in every state. */
export function Gallery() {
  // The fixtures are made of the time of day, on which the server and the browser do not agree.
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return (
    <>
      <StartBar />
      <div className="scroll-area flex-1 p-4 lg:p-8">
        <h1 className="text-xl font-semibold">Gallery</h1>
        <nav aria-label="Groups" className="mt-3 flex flex-wrap gap-3 text-sm">
          {GROUPS.map((group) => (
            <a key={group.name} href={`#${group.name}`} className="text-accent underline">
              {group.name}
            </a>
          ))}
        </nav>
        {GROUPS.map(({ name, Content }) => (
          <section key={name} id={name} aria-label={name} className="mt-8">
            <h2 className="mb-3 text-lg font-semibold">{name}</h2>
            <div className="grid gap-4 xl:grid-cols-2">{alive && <Content />}</div>
          </section>
        ))}
      </div>
    </>
  );
}
