"use client";

import { useState } from "react";
import { Piece } from "@/components/gallery/piece";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog, Sheet } from "@/components/ui/dialog";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { Popover } from "@/components/ui/popover";
import { notify } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";

export function Overlays() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "sheet" | null>(null);
  const [choice, setChoice] = useState("one");
  const [checked, setChecked] = useState(true);
  const close = () => setOpen(null);
  return (
    <>
      <Piece name="Menu, Popover, Tooltip">
        <div className="flex gap-2">
          <Menu align="start" trigger={<Button>Menu</Button>}>
            <MenuItem icon="pencil" keys="mod+k" onSelect={() => {}}>
              An action
            </MenuItem>
            <MenuItem icon="archive" disabled onSelect={() => {}}>
              Not now
            </MenuItem>
            <MenuCheck checked={checked} onChange={setChecked}>
              On or off
            </MenuCheck>
            <MenuSeparator />
            <MenuChoice
              label="One of two"
              value={choice}
              onChange={setChoice}
              items={[
                { value: "one", label: "One" },
                { value: "two", label: "Two" },
              ]}
            />
            <MenuSeparator />
            <MenuItem icon="trash" danger onSelect={() => {}}>
              Delete
            </MenuItem>
          </Menu>
          <Popover title="Popover" trigger={<Button>Popover</Button>}>
            <p className="text-sm">Says more about the button.</p>
          </Popover>
          <Tooltip label="What it does" keys="mod+b">
            <Button>Tooltip</Button>
          </Tooltip>
        </div>
      </Piece>
      <Piece name="Dialog, ConfirmDialog, Sheet">
        <div className="flex gap-2">
          <Button onClick={() => setOpen("dialog")}>Dialog</Button>
          <Button onClick={() => setOpen("confirm")}>Confirm</Button>
          <Button onClick={() => setOpen("sheet")}>Sheet</Button>
        </div>
        <Dialog open={open === "dialog"} onClose={close} title="A dialog">
          <p className="mt-2">With some words.</p>
        </Dialog>
        <ConfirmDialog
          open={open === "confirm"}
          onClose={close}
          onConfirm={close}
          title="Really?"
          confirmLabel="Do it"
          danger
        >
          It cannot be taken back.
        </ConfirmDialog>
        <Sheet open={open === "sheet"} onClose={close} title="A sheet">
          <p className="p-4">At the side.</p>
        </Sheet>
      </Piece>
      <Piece name="Notices">
        <div className="flex gap-2">
          {(["ok", "info", "danger"] as const).map((tone) => (
            <Button
              key={tone}
              onClick={() =>
                notify({
                  tone,
                  title: `A notice (${tone})`,
                  text: "Of what happened elsewhere",
                  action: { label: "Open", run: () => {} },
                })
              }
            >
              {tone}
            </Button>
          ))}
        </div>
      </Piece>
    </>
  );
}
