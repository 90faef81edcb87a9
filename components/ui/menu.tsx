"use client";

import type { ReactElement, ReactNode } from "react";
import { useAnchored } from "@/components/ui/anchored";
import { onDemand, partOf } from "@/components/ui/on-demand";

/** Everything below comes in one piece, when a menu is first wanted. */
const menu = onDemand(() => import("@/components/ui/menu-parts"));
export const loadMenu = menu.load;
const Popup = partOf(menu, (parts) => parts.MenuPopup);

/** One action of a menu. */
export const MenuItem = partOf(menu, (parts) => parts.MenuItem);
/** Something that is on or off; the menu stays open. */
export const MenuCheck = partOf(menu, (parts) => parts.MenuCheck);
/** Items that belong together, under a name. */
export const MenuGroup = partOf(menu, (parts) => parts.MenuGroup);
export const MenuSeparator = partOf(menu, (parts) => parts.MenuSeparator);

/** A choice of exactly one, for example the theme. */
export const MenuChoice = partOf(menu, (parts) => parts.MenuChoice) as unknown as <Value extends string>(
  props: import("@/components/ui/menu-parts").ChoiceProps<Value>,
) => ReactNode;

/**
 * A button and the list of actions that it opens. `trigger` is the button itself, for example a `<Button>`; it needs
 * an accessible name.
 */
export function Menu({
  trigger,
  align = "end",
  open: controlled,
  onOpenChange,
  children,
}: {
  trigger: ReactElement;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  const { anchor, button, open, wanted, change } = useAnchored({
    trigger,
    kind: "menu",
    load: loadMenu,
    open: controlled,
    onOpenChange,
  });
  return (
    <>
      {button}
      {wanted && (
        <Popup anchor={anchor} align={align} open={open} onOpenChange={change}>
          {children}
        </Popup>
      )}
    </>
  );
}
