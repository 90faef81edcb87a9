"use client";

import { useState } from "react";
import { aConfig } from "@/components/gallery/fixtures";
import { Piece } from "@/components/gallery/piece";
import { ModelPicker } from "@/components/settings/model-picker";
import { ThemeChoice } from "@/components/settings/theme-choice";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { controlClass, Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { SuggestInput } from "@/components/ui/suggest-input";
import { TabPanel, Tabs } from "@/components/ui/tabs";

const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;
const TONES = ["calm", "ok", "busy", "warn", "danger", "accent"] as const;

export function Controls() {
  const [tab, setTab] = useState<"one" | "two">("one");
  const [repo, setRepo] = useState("");
  const [model, setModel] = useState("demo/demo");
  return (
    <>
      {(["plain", "busy", "disabled"] as const).map((state) => (
        <Piece key={state} name={`Button: ${state}`}>
          <div className="flex flex-wrap gap-2">
            {VARIANTS.map((variant) => (
              <Button key={variant} variant={variant} busy={state === "busy"} disabled={state === "disabled"}>
                {variant}
              </Button>
            ))}
            <Button icon="archive" busy={state === "busy"} disabled={state === "disabled"}>
              With an icon
            </Button>
            <Button icon="more" iconOnly busy={state === "busy"} disabled={state === "disabled"}>
              Only an icon
            </Button>
          </div>
        </Piece>
      ))}
      <Piece name="Chip">
        <div className="flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Chip key={tone} tone={tone} dot pulsing={tone === "busy"}>
              {tone}
            </Chip>
          ))}
        </div>
      </Piece>
      <Piece name="Kbd">
        <Kbd keys="mod+k" /> <Kbd keys="mod+shift+enter" /> <Kbd keys="?" />
      </Piece>
      <Piece name="Field: hint, error, disabled">
        <Field label="With a hint" hint="What it is for.">
          {(control) => <input {...control} className={controlClass} defaultValue="text" />}
        </Field>
        <Field label="With an error" error="This cannot be meant.">
          {(control) => <input {...control} className={controlClass} defaultValue="text" />}
        </Field>
        <Field label="Disabled">{(control) => <input {...control} disabled className={controlClass} />}</Field>
      </Piece>
      <Piece name="SuggestInput">
        <Field label="Repository of the gallery">
          {(control) => (
            <SuggestInput
              {...control}
              value={repo}
              onChange={setRepo}
              suggestions={[
                { value: "https://github.com/owner/name", label: "owner/name", icon: "globe" },
                { value: "/srv/repos/name", label: "repos/name", icon: "folder" },
              ]}
            />
          )}
        </Field>
      </Piece>
      <Piece name="ModelPicker">
        <ModelPicker models={aConfig.models} value={model} onChange={setModel} />
      </Piece>
      <Piece name="ThemeChoice">
        <ThemeChoice />
      </Piece>
      <Piece name="Tabs">
        <Tabs
          base="gallery"
          label="Tabs of the gallery"
          value={tab}
          onChange={setTab}
          items={[
            { id: "one", label: "One", count: 3 },
            { id: "two", label: "Two" },
          ]}
        />
        <TabPanel base="gallery" id={tab} className="p-2 text-sm">
          Panel {tab}
        </TabPanel>
      </Piece>
    </>
  );
}
