import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon";

/** Says why there is nothing here and what one can do. */
export function EmptyState({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-4 py-10 text-center">
      <Icon name={icon} className="size-6 text-ink-faint" />
      <p className="font-medium text-ink-soft">{title}</p>
      {children && <div className="max-w-sm text-sm text-ink-faint">{children}</div>}
    </div>
  );
}
