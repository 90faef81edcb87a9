import type { ButtonHTMLAttributes, Ref } from "react";
import { classes } from "@/components/lib/classes";
import { Icon, type IconName } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";

const VARIANTS = {
  primary: "bg-accent text-on-accent not-disabled:hover:bg-accent-hover border-transparent",
  secondary: "bg-surface text-ink border-line-strong not-disabled:hover:bg-hover",
  ghost: "bg-transparent text-ink-soft border-transparent not-disabled:hover:bg-hover not-disabled:hover:text-ink",
  danger: "bg-danger text-on-danger border-transparent not-disabled:hover:bg-danger-hover",
} as const;

const SIZES = {
  sm: "min-h-8 px-2.5 text-sm pointer-coarse:min-h-10",
  md: "min-h-10 px-4 text-base pointer-coarse:min-h-11",
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: keyof typeof VARIANTS;
  readonly size?: keyof typeof SIZES;
  readonly icon?: IconName;
  /** Shows a spinner in place of the icon, or a line below the label, and refuses presses; the words and the width stay. */
  readonly busy?: boolean;
  /** Hides the label visually: the button is its icon, and the label its accessible name. */
  readonly iconOnly?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = "secondary",
  size = "sm",
  icon,
  busy = false,
  iconOnly = false,
  disabled,
  className,
  children,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      disabled={disabled === true || busy}
      className={classes(
        "relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors",
        "disabled:cursor-default",
        !busy && "disabled:opacity-55",
        VARIANTS[variant],
        SIZES[size],
        iconOnly && "aspect-square px-0",
        className,
      )}
      {...rest}
    >
      {icon && (busy ? <Spinner /> : <Icon name={icon} />)}
      {iconOnly ? <span className="sr-only">{children}</span> : children}
      {busy && !icon && (
        <span className="absolute inset-x-2 bottom-1 h-0.5 animate-pulse-soft rounded-full bg-current" />
      )}
    </button>
  );
}
