import Link from "next/link";
import type { ReactNode } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { BrandMark } from "@/components/shell/brand";

/** The look of what one can do on such a page. Not `Button`: an error page should need as little as can be. */
export const actionClass =
  "inline-flex min-h-10 items-center rounded-md border border-line-strong bg-surface px-4 font-medium hover:bg-hover";

/** A page that says one thing and shows the way home. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-h-96 flex-1 place-items-center p-6">
      <div className="flex max-w-md flex-col items-center gap-3 text-center">
        <BrandMark className="size-10" />
        <h1 className="text-xl font-semibold">{title}</h1>
        <div className="text-ink-soft">{children}</div>
        <Link href={pagePaths.home} className={`${actionClass} mt-2`}>
          To the start page
        </Link>
      </div>
    </div>
  );
}
