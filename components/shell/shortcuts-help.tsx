"use client";

import { SHORTCUTS, type ShortcutName, useAnsweredShortcuts } from "@/components/shell/shortcuts";
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
      <p className="mt-4 text-xs text-ink-faint">Keys without a modifier do nothing while you write.</p>
    </Dialog>
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
