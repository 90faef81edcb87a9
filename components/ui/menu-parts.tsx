"use client";

import { Menu as Primitive } from "@base-ui/react/menu";
import type { ReactNode, RefObject } from "react";
import { classes } from "@/components/lib/classes";
import type { ChangeDetails } from "@/components/ui/anchored";
import { Icon, type IconName } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { popupClass } from "@/components/ui/popup";

/** Parts of the page by which people find their way; what stands outside of all of them is easily lost. */
const LANDMARKS = "[role=dialog], header, aside, nav, main";

/** The list itself, beside its button, which keeps its own part of the work. */
export function MenuPopup({
  anchor,
  align,
  open,
  onOpenChange,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  align: "start" | "center" | "end";
  open: boolean;
  onOpenChange: (open: boolean, details: ChangeDetails) => void;
  children: ReactNode;
}) {
  const place = anchor.current?.closest<HTMLElement>(LANDMARKS);
  return (
    <Primitive.Root open={open} onOpenChange={(next, details) => onOpenChange(next, details)}>
      <Primitive.Portal {...(place ? { container: place } : {})}>
        <Primitive.Positioner
          anchor={anchor}
          className="z-50 outline-none"
          sideOffset={4}
          align={align}
          collisionPadding={8}
        >
          <Primitive.Popup
            finalFocus={anchor}
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

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly items: ReadonlyArray<{ readonly value: Value; readonly label: string; readonly icon?: IconName }>;
}

export function MenuChoice({ label, value, onChange, items }: ChoiceProps<string>) {
  return (
    <Primitive.RadioGroup value={value} onValueChange={(next) => onChange(String(next))}>
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
