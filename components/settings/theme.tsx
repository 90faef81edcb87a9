"use client";

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { savePreference, type Theme } from "@/components/settings/preferences";
import type { IconName } from "@/components/ui/icon";

/** The themes as a person chooses among them. */
export const THEME_CHOICES: ReadonlyArray<{ readonly value: Theme; readonly label: string; readonly icon: IconName }> =
  [
    { value: "system", label: "As the system", icon: "monitor" },
    { value: "light", label: "Light", icon: "sun" },
    { value: "dark", label: "Dark", icon: "moon" },
  ];

const ThemeContext = createContext<{ theme: Theme; setTheme: (theme: Theme) => void }>({
  theme: "system",
  setTheme: () => {},
});

/** Carries the theme that the server rendered with; a change shows at once and is remembered in a cookie. */
export function ThemeProvider({ initial, children }: { initial: Theme; children: ReactNode }) {
  const [theme, set] = useState(initial);
  const setTheme = useCallback((next: Theme) => {
    set(next);
    savePreference("theme", next);
    document.documentElement.dataset.theme = next;
  }, []);
  const value = useMemo(() => ({ theme, setTheme }), [theme, setTheme]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}

export function useTheme() {
  return useContext(ThemeContext);
}
