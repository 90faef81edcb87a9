import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";

/** A failure in the words of whoever reported it, the id to quote, and what can be done about it. */
export function ErrorNote({
  message,
  reference,
  children,
}: {
  message: string;
  reference?: string | undefined;
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-md bg-danger-soft px-3 py-2.5 text-sm text-danger">
      <Icon name="alert" className="mt-0.5 size-4" />
      <div className="min-w-0 flex-1">
        <p className="break-words whitespace-pre-wrap">{message}</p>
        {reference && <p className="mt-0.5 font-mono text-xs break-all">{reference}</p>}
        {children && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
      </div>
    </div>
  );
}
