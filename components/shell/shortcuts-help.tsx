"use client";

import { useState } from "react";
import {
  readSingleKeys,
  SHORTCUTS,
  type ShortcutName,
  saveSingleKeys,
  useAnsweredShortcuts,
} from "@/components/shell/shortcuts";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

/** The keys that do something on this page. */
export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  const answered = useAnsweredShortcuts();
  const groups = [...new Set(answered.map((name) => SHORTCUTS[name].group))];
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h3 className="mt-4 mb-1 text-xs font-medium text-ink-faint">{group}</h3>
          <dl>
            {answered
              .filter((name) => SHORTCUTS[name].group === group)
              .map((name) => (
                <Row key={name} name={name} />
              ))}
          </dl>
        </section>
      ))}
      <SingleKeys />
    </Dialog>
  );
}

/** Keys without a modifier never act while one writes; here they can be turned off for good. */
function SingleKeys() {
  const [on, setOn] = useState(readSingleKeys);
  return (
    <label className="mt-4 flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => {
          setOn(event.target.checked);
          saveSingleKeys(event.target.checked);
        }}
        className="size-4 accent-accent"
      />
      Single keys work while nothing is being written
    </label>
  );
}

function Row({ name }: { name: ShortcutName }) {
  const { keys, label } = SHORTCUTS[name];
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 text-sm">
      <dt>{label}</dt>
      <dd>
        <Kbd keys={keys} />
        <span className="sr-only">{keys}</span>
      </dd>
    </div>
  );
}
