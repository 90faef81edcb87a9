"use client";

import { Button } from "@/components/ui/button";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import type { DiffLook } from "@/components/workspace/changes/use-diff-look";

/** How the changes are shown. */
export function ViewMenu({ look, onOpenAll }: { look: DiffLook; onOpenAll: (open: boolean) => void }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" icon="eye" iconOnly>
          How changes are shown
        </Button>
      }
    >
      <MenuChoice
        label="Lines"
        value={look.layout}
        onChange={look.setLayout}
        items={[
          { value: "unified", label: "Below each other", icon: "unified" },
          { value: "split", label: "Side by side", icon: "split" },
        ]}
      />
      <MenuSeparator />
      <MenuCheck checked={look.options.ignoreWhitespace} onChange={look.setIgnoreWhitespace}>
        Hide changes of whitespace
      </MenuCheck>
      <MenuSeparator />
      <MenuItem onSelect={() => onOpenAll(true)}>Open all files</MenuItem>
      <MenuItem onSelect={() => onOpenAll(false)}>Fold all files</MenuItem>
    </Menu>
  );
}
