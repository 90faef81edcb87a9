"use client";

import { lazy, type ReactElement, type ReactNode, Suspense } from "react";
import { useAnchored } from "@/components/ui/anchored";

/** Everything below comes in one piece, when a menu is first wanted. */
export const loadMenu = () => import("@/components/ui/menu-parts");
const Popup = lazy(() => loadMenu().then(({ MenuPopup }) => ({ default: MenuPopup })));

/** One action of a menu. */
export const MenuItem = lazy(() => loadMenu().then((parts) => ({ default: parts.MenuItem })));
/** Something that is on or off; the menu stays open. */
export const MenuCheck = lazy(() => loadMenu().then((parts) => ({ default: parts.MenuCheck })));
/** Items that belong together, under a name. */
export const MenuGroup = lazy(() => loadMenu().then((parts) => ({ default: parts.MenuGroup })));
export const MenuSeparator = lazy(() => loadMenu().then((parts) => ({ default: parts.MenuSeparator })));

/** A choice of exactly one, for example the theme. */
export const MenuChoice = lazy(() => loadMenu().then((parts) => ({ default: parts.MenuChoice }))) as unknown as <
  Value extends string,
>(
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
        <Suspense fallback={null}>
          <Popup anchor={anchor} align={align} open={open} onOpenChange={change}>
            {children}
          </Popup>
        </Suspense>
      )}
    </>
  );
}
