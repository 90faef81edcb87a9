"use client";

import { THEME_CHOICES, useTheme } from "@/components/settings/theme";
import { Icon } from "@/components/ui/icon";

/** The themes side by side; a press shows one at once, and this browser remembers it. */
export function ThemeChoice() {
  const { theme, setTheme } = useTheme();
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Theme</legend>
      {THEME_CHOICES.map((choice) => (
        <label
          key={choice.value}
          className="relative inline-flex min-h-10 cursor-pointer items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm font-medium hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-focus pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name="theme"
            value={choice.value}
            checked={theme === choice.value}
            onChange={() => setTheme(choice.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon name={choice.icon} />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
