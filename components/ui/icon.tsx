/** Line icons on a 16 px grid. They are decoration: the words beside them, or the label of the button, carry the meaning. */
const PATHS = {
  back: "M9.5 3.5 5 8l4.5 4.5",
  chevron: "M6 4l4 4-4 4",
  check: "M3.5 8.5 6.5 11.5 12.5 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  dash: "M4 8h8",
  dot: "M8 7.5v1M7.5 8h1",
  plus: "M8 3v10M3 8h10",
  send: "M8 13V3M3.5 7.5 8 3l4.5 4.5",
  stop: "M4 4h8v8H4z",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
  archive: "M2.5 4h11v2.5h-11zM3.5 6.5v6h9v-6M6.5 9h3",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9",
  folder: "M2 4.5v8h12v-7H7.5L6 3.5H2z",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  refresh: "M13 4v3h-3M13 7a5.2 5.2 0 1 0 .2 3",
  branch:
    "M5 4.5v7M5 4.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM5 13.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM11 6.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM11 6.5c0 2.5-6 1.5-6 4",
  terminal: "M3 4.5 6.5 8 3 11.5M8 12h5",
  upload: "M8 10.5v-8M4.5 6 8 2.5 11.5 6M3 13.5h10",
  pencil: "M3 13l.5-2.5 7-7 2 2-7 7z",
  alert: "M8 2.5 14 13H2zM8 6.5v3M8 11v.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "size-4" }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${className}`}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
