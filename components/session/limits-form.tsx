"use client";

import { useId, useState } from "react";
import type { ApiFailure } from "@/components/lib/api-client";
import { changedLimits, LIMIT_FIELDS, limitTexts } from "@/components/session/usage-words";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass } from "@/components/ui/field";
import type { SessionUsageView } from "@/lib/usage/contract";

type Limits = SessionUsageView["limits"];

/** The limits of a session, to be raised, lowered or taken away. */
export function LimitsForm({
  limits,
  onSave,
}: {
  limits: Limits;
  /** Saves what differs; gives the failure. */
  onSave: (changed: Partial<Limits>) => Promise<ApiFailure | null>;
}) {
  const [texts, setTexts] = useState(() => limitTexts(limits));
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const id = useId();
  async function save() {
    setSaving(true);
    setFailure(await onSave(changedLimits(limits, texts)));
    setSaving(false);
  }
  return (
    <form
      className="flex flex-col gap-3 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="text-ink-soft">At a limit the agent pauses and asks. An empty field sets no limit of your own.</p>
      <div className="grid grid-cols-2 gap-3">
        {LIMIT_FIELDS.map(({ name, label, money }) => (
          <div key={name} className="flex min-w-0 flex-col gap-1">
            <label htmlFor={`${id}-${name}`} className="text-xs font-medium text-ink-soft">
              {label}
            </label>
            <input
              id={`${id}-${name}`}
              type="number"
              inputMode={money ? "decimal" : "numeric"}
              min={money ? 0 : 1}
              step={money ? "any" : 1}
              value={texts[name]}
              placeholder={name === "maxSteps" ? "as usual" : "none"}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              className={`${controlClass} h-10`}
            />
          </div>
        ))}
      </div>
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
      <Button type="submit" variant="primary" busy={saving} className="self-start">
        Save limits
      </Button>
    </form>
  );
}
