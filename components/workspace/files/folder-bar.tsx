"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { DownloadLink } from "@/components/workspace/files/download-link";
import type { Picked } from "@/components/workspace/files/use-uploads";
import { visibleText } from "@/components/workspace/visible-text";

/** What can be done with the folder that the focus is in. */
export function FolderBar({
  folder,
  takes,
  downloadHref,
  onPick,
}: {
  folder: string;
  /** Whether files can be put into it now. */
  takes: boolean;
  /** Null while it cannot be read. */
  downloadHref: string | null;
  onPick: (picked: Picked[]) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const name = folder === "" ? "workspace" : visibleText(folder);
  return (
    <div className="flex min-h-14 items-center gap-2 border-t border-line bg-surface px-3">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          const files = Array.from(event.target.files ?? []);
          event.target.value = "";
          if (files.length > 0) onPick(files.map((file) => ({ name: file.name, file })));
        }}
      />
      <Button icon="upload" disabled={!takes} onClick={() => picker.current?.click()}>
        Upload files
      </Button>
      <p className="min-w-0 flex-1 truncate text-xs text-ink-faint" title={name}>
        {takes ? (
          <>
            to <bdi>{name}</bdi>
            <span className="pointer-coarse:hidden">, or drop them here</span>
          </>
        ) : (
          "Resume the sandbox to upload"
        )}
      </p>
      {downloadHref && (
        <DownloadLink href={downloadHref} label={`Download ${name} as .tar.gz, without .git and node_modules`} />
      )}
    </div>
  );
}
