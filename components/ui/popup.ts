import { classes } from "@/components/lib/classes";

/** The ground of everything that floats above the page. */
export const floatingClass = "rounded-lg border border-line bg-surface text-ink shadow-raised outline-none";

/** How a floating part comes and goes; globals.css takes the motion away for those who do not want it. */
export const fadeClass =
  "transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:scale-98 data-ending-style:opacity-0";

/** Menus, popovers and tooltips grow out of what they belong to. */
export const popupClass = classes(floatingClass, fadeClass, "origin-(--transform-origin)");
