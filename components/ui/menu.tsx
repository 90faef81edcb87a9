"use client";

import { Menu as Primitive } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { Icon, type IconName } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { popupClass } from "@/components/ui/popup";

/**
 * A button and the list of actions that it opens. `trigger` is the button itself, for example a `<Button>`; it needs
 * an accessible name.
 */
export function Menu({
  trigger,
  align = "end",
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactElement;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Primitive.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      onOpenChange={(next) => onOpenChange?.(next)}
    >
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner className="z-50 outline-none" sideOffset={4} align={align} collisionPadding={8}>
          <Primitive.Popup
            className={classes(popupClass, "scroll-area max-h-(--available-height) min-w-48 max-w-80 p-1")}
          >
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const itemClass = classes(
  "flex min-h-8 w-full cursor-default items-center gap-2.5 rounded-md px-2 py-1 text-sm outline-none select-none pointer-coarse:min-h-10",
  "data-highlighted:bg-hover data-disabled:text-ink-faint",
);

/** One action of a menu. */
export function MenuItem({
  icon,
  keys,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  icon?: IconName;
  /** The keys that do the same, as `Kbd` takes them. */
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Primitive.Item
      disabled={disabled}
      onClick={onSelect}
      className={classes(itemClass, danger && "text-danger data-highlighted:bg-danger-soft")}
    >
      {icon && <Icon name={icon} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Kbd keys={keys} />}
    </Primitive.Item>
  );
}

/** A choice of exactly one, for example the theme. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onChange,
  items,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  items: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly icon?: IconName }>;
}) {
  return (
    <Primitive.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      <MenuLabel>{label}</MenuLabel>
      {items.map((item) => (
        <Primitive.RadioItem key={item.value} value={item.value} className={itemClass}>
          {item.icon && <Icon name={item.icon} />}
          <span className="min-w-0 flex-1 truncate">{item.label}</span>
          <Primitive.RadioItemIndicator>
            <Icon name="check" />
          </Primitive.RadioItemIndicator>
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  );
}

/** Something that is on or off; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Primitive.CheckboxItem checked={checked} onCheckedChange={(next) => onChange(next)} className={itemClass}>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <Primitive.CheckboxItemIndicator>
        <Icon name="check" />
      </Primitive.CheckboxItemIndicator>
    </Primitive.CheckboxItem>
  );
}

/** Items that belong together, under a name. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Primitive.Group>
      <MenuLabel>{label}</MenuLabel>
      {children}
    </Primitive.Group>
  );
}

function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-ink-faint">{children}</Primitive.GroupLabel>;
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />;
}
