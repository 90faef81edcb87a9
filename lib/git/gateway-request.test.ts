import { describe, expect, it } from "vitest";
import { readGatewayRequest } from "./gateway-request";

const fetchRefs = "info/refs?service=git-upload-pack";
const pushRefs = "info/refs?service=git-receive-pack";

describe("readGatewayRequest", () => {
  it.each([
    ["GET", `/repo/${fetchRefs}`, { kind: "info-refs", service: "git-upload-pack", suffix: "", neighbour: false }],
    [
      "GET",
      `http://git.internal/repo.git/${pushRefs}`,
      { service: "git-receive-pack", suffix: ".git", neighbour: false },
    ],
    ["POST", "/repo/git-upload-pack", { kind: "rpc", service: "git-upload-pack", neighbour: false }],
    ["POST", "/repo/git-receive-pack", { kind: "rpc", service: "git-receive-pack", neighbour: false }],
    ["GET", `/repo-docs.git/${fetchRefs}`, { suffix: "-docs.git", neighbour: true }],
    ["GET", `/repo/sub/${fetchRefs}`, { suffix: "/sub", neighbour: true }],
  ])("reads %s %s", (method, target, expected) => expect(readGatewayRequest(method, target)).toMatchObject(expected));

  it.each([
    ["a push to a neighbour", "GET", `/repo-docs/${pushRefs}`],
    ["a push to a neighbour", "POST", "/repo-docs/git-receive-pack"],
    ["a way up", "GET", `/repo/../other/${fetchRefs}`],
    ["a way up, without a slash first", "GET", `/repo../${fetchRefs}`],
    ["an encoded way up", "GET", `/repo/%2e%2e/other/${fetchRefs}`],
    ["another host's path", "GET", `/other/${fetchRefs}`],
    ["a user in the host", "GET", `/repo@evil.test/${fetchRefs}`],
    ["the dumb protocol", "GET", "/repo/info/refs"],
    ["a file", "GET", "/repo/HEAD"],
    ["another service", "GET", "/repo/info/refs?service=git-upload-archive"],
    ["a POST of refs", "POST", `/repo/${fetchRefs}`],
    ["a GET of a pack", "GET", "/repo/git-upload-pack"],
    ["a query", "POST", "/repo/git-upload-pack?x"],
    ["nothing", "GET", ""],
  ])("refuses %s (%s %s)", (_what, method, target) => expect(readGatewayRequest(method, target)).toBeNull());
});
