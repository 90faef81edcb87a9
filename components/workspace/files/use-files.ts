"use client";

import useSWR from "swr";
import { fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useAgainWhen } from "@/components/lib/use-again-when";
import type { FileContentView, FilesView } from "@/lib/sandbox/contract";

/**
 * One folder of the workspace, asked for again when the sandbox becomes another (`sandboxVersion`); asleep it is the
 * last known listing. The root is the empty path.
 */
export function useFiles(sessionId: string, path: string, sandboxVersion: number) {
  const { data, error, mutate } = useSWR<FilesView>(apiPaths.files(sessionId, path), fetchJson);
  useAgainWhen(sandboxVersion, mutate);
  return { files: data, failure: error ? toFailure(error) : null };
}

/** The content of one file. */
export function useFileContent(sessionId: string, path: string, sandboxVersion: number) {
  const { data, error, mutate } = useSWR<FileContentView>(apiPaths.fileContent(sessionId, path), fetchJson);
  useAgainWhen(sandboxVersion, mutate);
  return { content: data, failure: error ? toFailure(error) : null };
}
