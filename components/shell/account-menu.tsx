"use client";

import { useRouter } from "next/navigation";
import { callApi } from "@/components/lib/api-client";
import { apiPaths, pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { THEME_CHOICES, useTheme } from "@/components/settings/theme";
import { useShell } from "@/components/shell/shell-context";
import { SHORTCUTS } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/ui/menu";

/** Who is signed in, and what belongs to them and not to a session. */
export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { userName, openPalette, openHelp } = useShell();
  const { theme, setTheme } = useTheme();
  const router = useRouter();
  return (
    <div className={classes(!compact && "border-t border-line p-2")}>
      <Menu
        align="start"
        trigger={
          compact ? (
            <Button variant="ghost" icon="more" iconOnly>
              Menu of {userName}
            </Button>
          ) : (
            <Button variant="ghost" className="w-full justify-start px-2">
              <span
                aria-hidden="true"
                className="grid size-6 place-items-center rounded-full bg-accent-soft text-xs text-accent uppercase"
              >
                {userName.slice(0, 1)}
              </span>
              <span className="sr-only">Menu of</span> <bdi className="min-w-0 truncate">{userName}</bdi>
            </Button>
          )
        }
      >
        <MenuChoice label="Theme" value={theme} onChange={setTheme} items={THEME_CHOICES} />
        <MenuSeparator />
        <MenuItem icon="sliders" onSelect={() => router.push(pagePaths.settings)}>
          Settings
        </MenuItem>
        <MenuItem icon="search" keys={SHORTCUTS.palette.keys} onSelect={openPalette}>
          Commands
        </MenuItem>
        <MenuItem icon="keyboard" keys={SHORTCUTS.help.keys} onSelect={openHelp}>
          Keyboard shortcuts
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="back" onSelect={() => void signOut()}>
          Sign out
        </MenuItem>
      </Menu>
    </div>
  );
}

async function signOut(): Promise<void> {
  await callApi(apiPaths.signOut, { method: "POST", body: {} });
  location.assign(pagePaths.home);
}
