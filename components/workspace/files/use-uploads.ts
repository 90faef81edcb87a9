"use client";

import { useRef, useState } from "react";
import { useSWRConfig } from "swr";
import { callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { newUuid } from "@/components/lib/new-uuid";
import type { UploadView } from "@/lib/sandbox/contract";

/** How the upload of one file goes. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly state: "waiting" | "sending" | "done" | "failed";
  /** Where it lies, or why it does not. */
  readonly words: string;
}

/** What a person picked or dropped; a folder has no bytes to send. */
export interface Picked {
  readonly name: string;
  readonly file: File | null;
}

/** Uploads files one after the other, so that each has a result of its own and one that is too large stops no other. */
export function useUploads(sessionId: string) {
  const { mutate } = useSWRConfig();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const line = useRef<Promise<void>>(Promise.resolve());

  const patch = (id: string, change: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

  async function send(id: string, file: File, folder: string): Promise<void> {
    patch(id, { state: "sending", words: "on its way" });
    const form = new FormData();
    form.append("files", file, file.name);
    const answer = await callApi<UploadView>(apiPaths.upload(sessionId, folder), { method: "POST", form });
    const result = answer.ok ? answer.value.files[0] : undefined;
    if (!answer.ok) patch(id, { state: "failed", words: answer.error.message });
    else if (!result?.ok) patch(id, { state: "failed", words: result?.error?.message ?? "It was not stored." });
    else patch(id, { state: "done", words: result.queued ? "waits for the sandbox" : `is ${result.path}` });
    void mutate(apiPaths.files(sessionId, folder));
  }

  function upload(picked: readonly Picked[], folder: string): void {
    const added = picked.map(({ name, file }) => ({ id: newUuid(), name, file }));
    const folderWords = "A folder cannot be uploaded. Drop the files in it, or pack it first.";
    setUploads((before) => [
      ...before.filter(({ state }) => state === "waiting" || state === "sending"),
      ...added.map(
        ({ id, name, file }): Upload =>
          file ? { id, name, state: "waiting", words: "waits" } : { id, name, state: "failed", words: folderWords },
      ),
    ]);
    for (const { id, file } of added) {
      if (file) line.current = line.current.then(() => send(id, file, folder));
    }
  }
  return { uploads, upload, clear: () => setUploads([]) };
}
