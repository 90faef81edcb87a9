"use client";

import { Brand } from "@/components/shell/brand";
import { SessionsButton } from "@/components/shell/sessions-button";

/** On a phone: the head of a page that has none of its own. */
export function StartBar() {
  return (
    <div className="flex items-center gap-2 border-b border-line bg-surface px-2 py-2 lg:hidden">
      <SessionsButton />
      <Brand />
    </div>
  );
}
