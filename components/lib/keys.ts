/** What of a key press decides which shortcut it is. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const CAPS: Readonly<Record<string, { readonly mac: string; readonly other: string }>> = {
  mod: { mac: "⌘", other: "Ctrl" },
  shift: { mac: "⇧", other: "Shift" },
  alt: { mac: "⌥", other: "Alt" },
  enter: { mac: "↩", other: "Enter" },
  esc: { mac: "Esc", other: "Esc" },
};

/** The keys of a shortcut as they are printed on the keyboard: `mod+shift+k` is ⌘ ⇧ K or Ctrl Shift K. */
export function keyCaps(keys: string, mac: boolean): string[] {
  return keys.split("+").map((part) => {
    const cap = CAPS[part];
    return cap ? (mac ? cap.mac : cap.other) : part.toUpperCase();
  });
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(keys: string, mac: boolean): string {
  const names: Record<string, string> = { mod: mac ? "Meta" : "Control", shift: "Shift", alt: "Alt", enter: "Enter" };
  return keys
    .split("+")
    .map((part) => names[part] ?? part)
    .join("+");
}

/** Whether a shortcut can be pressed while somebody writes: it has a key that writes nothing. */
export function hasModifier(keys: string): boolean {
  return /(^|\+)(mod|alt)\+/.test(keys);
}

/**
 * Whether a key press is the shortcut. Letters go by the key where the layout is Latin and by its place where it is
 * not; signs such as `?` go by what is written, with whatever Shift or AltGr the layout needs for them.
 */
export function matchesKeys(press: KeyPress, keys: string, mac: boolean): boolean {
  const parts = keys.split("+");
  const wanted = parts.at(-1) ?? "";
  const mod = mac ? press.metaKey : press.ctrlKey;
  const otherMod = mac ? press.ctrlKey : press.metaKey;
  const key = press.key.toLowerCase();
  if (!parts.includes("mod") && !parts.includes("alt") && /^[^a-z0-9]$/.test(wanted)) {
    // AltGr arrives as Control with Alt.
    return key === wanted && press.ctrlKey === press.altKey && !press.metaKey;
  }
  if (mod !== parts.includes("mod") || otherMod || press.altKey !== parts.includes("alt")) return false;
  if (/^[a-z]$/.test(wanted)) {
    if (press.shiftKey !== parts.includes("shift")) return false;
    return /^[a-z]$/.test(key) ? key === wanted : press.code === `Key${wanted.toUpperCase()}`;
  }
  return key === wanted && press.shiftKey === parts.includes("shift");
}
