"use client";

import { type ReactNode, useState } from "react";
import { Changes } from "@/components/workspace/changes/changes";
import { CommitForm } from "@/components/workspace/changes/commit-form";
import { useOpenPaths } from "@/components/workspace/changes/use-open-paths";
import { CodeView } from "@/components/workspace/files/code-view";
import { FileBody } from "@/components/workspace/files/file-body";
import { fileKind } from "@/components/workspace/files/file-kind";
import { UploadResults } from "@/components/workspace/files/upload-results";
import type { Upload } from "@/components/workspace/files/use-uploads";
import { StatusLine } from "@/components/workspace/status-line";
import type { DiffView, FileContentView, GitView, SandboxState } from "@/lib/sandbox/contract";

/** Every part of the workspace in every state, for the gallery; nothing here asks the API until it is pressed. */
export interface WorkspaceFixture {
  readonly name: string;
  /** Scrolls inside, so it needs a height. */
  readonly fill?: boolean;
  readonly render: () => ReactNode;
}

const AT = "2026-01-01T12:00:00.000Z";
const SESSION = "00000000-0000-4000-8000-000000000000";

const patch = (...lines: string[]) =>
  `diff --git a/x b/x\n@@ -1,4 +1,4 @@ export function greet\n${lines.join("\n")}\n`;

const DIFF: DiffView = {
  base: "1".repeat(40),
  takenAt: AT,
  kept: false,
  files: [
    {
      path: "src/ui/greeting.ts",
      status: "modified",
      additions: 2,
      deletions: 2,
      patch: patch(
        " export function greet(name: string) {",
        '-  const words = "Hello " + name;',
        "-  return words;",
        '+  const words = "Good morning, " + name;',
        "+  return   words;",
        " }",
      ),
    },
    { path: "src/ui/old.ts", status: "deleted", additions: 0, deletions: 1, patch: patch("-export {};") },
    { path: "docs/new.md", oldPath: "docs/old.md", status: "renamed", additions: 0, deletions: 0, patch: "" },
    { path: "logo.png", status: "added", additions: 0, deletions: 0, patch: "", binary: true, untracked: true },
    { path: "package-lock.json", status: "modified", additions: 812, deletions: 77, patch: patch("-a", "+b") },
    {
      path: "שלום/\u202eevil.ts",
      status: "added",
      additions: 1,
      deletions: 0,
      patch: patch("+const a = 1; // \u202e"),
    },
    { path: "data.csv", status: "added", additions: 90_000, deletions: 0, patch: "", truncated: true },
  ],
};

const GIT: GitView = {
  branch: "ada/greeting",
  head: "2".repeat(40),
  unpushed: 0,
  remote: "github.com",
  pushed: null,
  uncommitted: 7,
  proposedMessage: "Change 7 files\n\n- change src/ui/greeting.ts\n- remove src/ui/old.ts",
  takenAt: AT,
  kept: false,
};

function ChangesFixture({
  diff,
  state = "active",
  split = false,
}: {
  diff: DiffView;
  state?: SandboxState;
  split?: boolean;
}) {
  const open = useOpenPaths(diff.files);
  const options = { split, ignoreWhitespace: false };
  return <Changes diff={diff} failure={null} scope="all" state={state} options={options} open={open} />;
}

const UPLOADS: readonly Upload[] = [
  { id: "1", name: "notes.txt", state: "done", words: "is src/notes (2).txt" },
  { id: "2", name: "film.mp4", state: "failed", words: "The limit is 50 MB a file." },
  { id: "3", name: "photo.jpg", state: "sending", words: "on its way" },
  { id: "4", name: "later.jpg", state: "waiting", words: "waits" },
];

function Results() {
  const [uploads, setUploads] = useState(UPLOADS);
  return <UploadResults uploads={uploads} onClear={() => setUploads([])} />;
}

function content(path: string, text: string, more: Partial<FileContentView> = {}): ReactNode {
  const view: FileContentView = {
    path,
    encoding: "utf-8",
    content: text,
    sizeBytes: text.length,
    truncated: false,
    ...more,
  };
  return <FileBody path={path} kind={fileKind(path)} content={view} failure={null} source={false} state="active" />;
}

const STATES: readonly SandboxState[] = [
  "provisioning",
  "restoring",
  "hibernating",
  "hibernated",
  "failed",
  "archiving",
  "archived",
];

export const WORKSPACE_FIXTURES: readonly WorkspaceFixture[] = [
  { name: "Changes, below each other", fill: true, render: () => <ChangesFixture diff={DIFF} /> },
  { name: "Changes, side by side", fill: true, render: () => <ChangesFixture diff={DIFF} split /> },
  { name: "Changes, none", fill: true, render: () => <ChangesFixture diff={{ ...DIFF, files: [] }} /> },
  {
    name: "Changes, before the start",
    fill: true,
    render: () => <ChangesFixture diff={{ ...DIFF, files: [] }} state="provisioning" />,
  },
  { name: "Commit, proposed", render: () => <CommitForm sessionId={SESSION} git={GIT} blocked={null} /> },
  {
    name: "Commit, to push",
    render: () => (
      <CommitForm
        sessionId={SESSION}
        git={{ ...GIT, uncommitted: 0, proposedMessage: "", unpushed: 2 }}
        blocked={null}
      />
    ),
  },
  {
    name: "Commit, pushed",
    render: () => (
      <CommitForm
        sessionId={SESSION}
        git={{
          ...GIT,
          uncommitted: 0,
          proposedMessage: "",
          pushed: { sha: "3".repeat(40), branch: "ada/greeting", at: AT },
        }}
        blocked={null}
      />
    ),
  },
  {
    name: "Commit, asleep",
    render: () => <CommitForm sessionId={SESSION} git={GIT} blocked="Resume the sandbox to commit." />,
  },
  { name: "Commit, not known yet", render: () => <CommitForm sessionId={SESSION} git={undefined} blocked={null} /> },
  {
    name: "File, code",
    fill: true,
    render: () => (
      <CodeView
        text={"export const a = 1; // note\n\nfunction f() {\n  return a;\n}\n"}
        language="typescript"
        label="Code"
      />
    ),
  },
  {
    name: "File, markdown",
    fill: true,
    render: () => content("a.md", "# Title\n\n![beacon](https://example.com/x.png) and `code`.\n\n- one\n- two\n"),
  },
  {
    name: "File, image",
    fill: true,
    render: () =>
      content(
        "a.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="90"><circle cx="4" cy="4" r="4" fill="teal"/></svg>',
      ),
  },
  { name: "File, binary", fill: true, render: () => content("a.bin", "AAE=", { encoding: "base64" }) },
  { name: "File, empty", fill: true, render: () => content("a.txt", "") },
  {
    name: "File, asleep",
    fill: true,
    render: () => (
      <FileBody
        path="a.ts"
        kind={fileKind("a.ts")}
        content={undefined}
        failure={{ code: "asleep", message: "", retryable: true }}
        source={false}
        state="hibernated"
      />
    ),
  },
  { name: "Uploads", render: () => <Results /> },
  ...STATES.map((state) => ({
    name: `Status line, ${state}`,
    render: () => (
      <StatusLine sessionId={SESSION} state={state} panel="changes" takenAt={AT}>
        {null}
      </StatusLine>
    ),
  })),
];
