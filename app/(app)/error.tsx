"use client";

import { actionClass, MessagePage } from "@/components/shell/message-page";

/** A page that could not be made. The digest is the name of the log line; the message itself stays on the server. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage title="This page could not be shown">
      <p>Your sessions are not affected: their work goes on without this page.</p>
      {error.digest && <p className="mt-1 font-mono text-xs">{error.digest}</p>}
      <button type="button" onClick={reset} className={`${actionClass} mt-4`}>
        Try again
      </button>
    </MessagePage>
  );
}
