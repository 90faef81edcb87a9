"use client";

import { actionClass, MessagePage } from "@/components/shell/message-page";
import "./globals.css";

/** Stands in for the whole document when the frame itself failed. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <MessagePage title="Dormouse could not be shown">
          <p>Your sessions are not affected: their work goes on without this page.</p>
          {error.digest && <p className="mt-1 font-mono text-xs">{error.digest}</p>}
          <button type="button" onClick={reset} className={`${actionClass} mt-4`}>
            Try again
          </button>
        </MessagePage>
      </body>
    </html>
  );
}
