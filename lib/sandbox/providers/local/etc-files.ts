import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { GATEWAY_URL } from "@/lib/git/gateway";
import type { NetworkPolicy } from "@/lib/sandbox/provider";
import { writeDurably } from "./durable-file";
import type { SandboxPaths } from "./layout";
import { PROXY_URL } from "./view";

/** Who commits when a tool inside commits without saying who. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

const ETC: Readonly<Record<string, string>> = {
  passwd:
    "root:x:0:0:root:/root:/bin/bash\nuser:x:1000:1000:user:/home/user:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n",
  group: "root:x:0:\nuser:x:1000:\nnogroup:x:65534:\n",
  hosts: "127.0.0.1 localhost sandbox\n::1 localhost\n",
  "resolv.conf": "",
};

export const ETC_NAMES: readonly string[] = Object.keys(ETC);

/** Writes the few files of /etc that are not the host's. */
export async function writeEtc(paths: SandboxPaths): Promise<void> {
  await mkdir(paths.etc, { recursive: true });
  for (const [name, text] of Object.entries(ETC)) await writeFile(path.join(paths.etc, name), text, { mode: 0o644 });
}

/** Replaces the git configuration; a running sandbox sees the new one at once, because the folder is what is bound. */
export async function writeGitConfig(
  paths: SandboxPaths,
  network: NetworkPolicy,
  identity: GitIdentity,
): Promise<void> {
  await writeDurably(path.join(paths.inside, "gitconfig"), gitConfig(network.gitRemote, identity), 0o644);
}

/** The read-only system configuration of git inside (design.md, section 7, "Git gateway"). */
export function gitConfig(gitRemote: string | null, identity: GitIdentity): string {
  const lines = [
    "[safe]",
    `\tdirectory = ${quote("*")}`,
    "[user]",
    `\tname = ${quote(identity.name)}`,
    `\temail = ${quote(identity.email)}`,
    "[http]",
    `\tproxy = ${quote(PROXY_URL)}`,
  ];
  if (gitRemote !== null) lines.push(`[url ${quote(GATEWAY_URL)}]`, `\tinsteadOf = ${quote(gitRemote)}`);
  return `${lines.join("\n")}\n`;
}

/** A value that git reads back unchanged. NUL cannot be written and ends the value. */
function quote(value: string): string {
  const escaped = (value.split("\0")[0] ?? "")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `"${escaped.replaceAll("\r", "")}"`;
}
