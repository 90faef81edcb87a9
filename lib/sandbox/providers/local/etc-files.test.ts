import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { gitConfig } from "./etc-files";

function readBack(text: string, ...args: string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "dormouse-gitconfig-"));
  const file = path.join(folder, "config");
  try {
    writeFileSync(file, text);
    return execFileSync("git", ["config", "--file", file, "-z", ...args], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(['https://host/a b"c\\d.git', "/srv/repos/ä#;=.git", "https://host/x\ny"])(
  "git reads the remote %j back unchanged",
  (remote) => {
    const config = gitConfig(remote, { name: 'O"Neil', email: "a@b" });
    expect(readBack(config, "--get", "url.http://git.internal/repo.insteadOf")).toBe(`${remote}\0`);
    expect(readBack(config, "--get", "user.name")).toBe('O"Neil\0');
  },
);

it("a value cannot begin a section of its own", () => {
  const config = gitConfig("https://host/x", { name: 'x"\n[core]\n\tfsmonitor = /bin/evil', email: "a@b" });
  expect(readBack(config, "--name-only", "--list")).not.toContain("fsmonitor");
});

it("without a remote nothing is rewritten", () => {
  expect(gitConfig(null, { name: "a", email: "b" })).not.toContain("insteadOf");
});
