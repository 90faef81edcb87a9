import Link from "next/link";
import { pagePaths } from "@/components/lib/api-paths";

/** The mark of Dormouse: a curled sleeper. The same drawing as `public/icon.svg`. */
export function BrandMark({ className = "size-6" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" fill="none" className={`shrink-0 ${className}`}>
      <circle cx="16" cy="17" r="11" className="fill-accent" />
      <circle cx="8.5" cy="8.5" r="4.5" className="fill-accent" />
      <circle cx="8.5" cy="8.5" r="2" className="fill-on-accent" opacity="0.5" />
      <path d="M10 16.5c1.2 1.2 2.8 1.2 4 0" className="stroke-on-accent" strokeWidth="1.8" strokeLinecap="round" />
      <path
        d="M24 22c-3 4.5-10 4-12.5.5"
        className="stroke-on-accent"
        strokeWidth="1.8"
        strokeLinecap="round"
        opacity="0.8"
      />
    </svg>
  );
}

/** The name with the mark; leads to the start page. */
export function Brand() {
  return (
    <Link href={pagePaths.home} className="inline-flex items-center gap-2 rounded-md font-semibold">
      <BrandMark />
      Dormouse
    </Link>
  );
}
