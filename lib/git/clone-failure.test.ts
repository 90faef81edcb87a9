import { describe, expect, it } from "vitest";
import { classifyCloneFailure } from "./clone-failure";

describe("classifyCloneFailure", () => {
  it.each([
    [
      "Cloning into '.'...\nremote: [egress_denied] evil.test:443 is not on the list. DORMOUSE_EGRESS_ALLOW=evil.test:443        \nfatal: unable to access 'http://git.internal/repo/': The requested URL returned error: 403\n",
      "egress_denied",
      "evil.test:443 is not on the list. DORMOUSE_EGRESS_ALLOW=evil.test:443",
    ],
    [
      "remote: [not_found_or_private] o/r was not found at h.test, or it is private.\nfatal: repository 'http://git.internal/repo/' not found",
      "not_found_or_private",
      "o/r was not found",
    ],
    [
      "remote: [unreachable] h.test:443 could not be reached.\nfatal: unable to access",
      "unreachable",
      "h.test:443 could not",
    ],
    ["remote: [timeout] h.test:443 stopped answering.\nfatal: x", "timeout", "stopped answering"],
    [
      "warning: Could not find remote branch topic to clone.\nfatal: Remote branch topic not found in upstream origin\n",
      "branch_not_found",
      "The branch topic does not exist",
    ],
    ["fatal: couldn't find remote ref refs/heads/x\n", "branch_not_found", "refs/heads/x"],
    [
      "error: file write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n",
      "disk_full",
      "does not fit",
    ],
    [
      "fatal: unable to access 'https://evil.test/x/': CONNECT tunnel failed, response 403\n",
      "egress_denied",
      "DORMOUSE_EGRESS_ALLOW",
    ],
    [
      "fatal: unable to access 'https://evil.test/x/': Received HTTP code 403 from proxy after CONNECT\n",
      "egress_denied",
      "DORMOUSE_EGRESS_ALLOW",
    ],
    [
      "fatal: could not read Username for 'https://github.com': terminal prompts disabled\n",
      "not_found_or_private",
      "private",
    ],
    [
      "error: RPC failed; curl 18 transfer closed with outstanding read data remaining\nfatal: early EOF\n",
      "unreachable",
      "broke off",
    ],
    [
      "fatal: unable to access 'http://git.internal/repo/': The requested URL returned error: 502\n",
      "unreachable",
      "broke off",
    ],
    [
      "fatal: protocol error: bad pack header from http://git.internal/repo/\n",
      "unknown",
      "git failed: fatal: protocol error: bad pack header from the repository",
    ],
    ["", "unknown", "git failed."],
  ])("%#: %j", (stderr, name, words) => {
    const failure = classifyCloneFailure(stderr);
    expect(failure.class).toBe(name);
    expect(failure.message).toContain(words);
    expect(failure.message).not.toContain("git.internal");
  });
});
