import { Icon } from "@/components/ui/icon";

/** Looks like an icon button and is a link, because it leads to a file. */
export function DownloadLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      download
      title={label}
      className="inline-flex aspect-square min-h-8 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-10"
    >
      <Icon name="download" />
      <span className="sr-only">{label}</span>
    </a>
  );
}
