import type { ReactNode } from "react";

/** One state of a component with its name. */
export function Piece({ name, children }: { name: string; children: ReactNode }) {
  return (
    <figure className="min-w-0 rounded-lg border border-line">
      <figcaption className="border-b border-line px-3 py-1.5 text-xs text-ink-faint">{name}</figcaption>
      <div className="p-3">{children}</div>
    </figure>
  );
}
