import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./address";

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "93.184.216.34",
    "172.15.255.255",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "2a00:1450::1",
  ])("takes %s for public", (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ["this host", "0.0.0.0"],
    ["loopback", "127.0.0.1"],
    ["all of loopback", "127.255.255.254"],
    ["RFC 1918 10/8", "10.1.2.3"],
    ["RFC 1918 172.16/12", "172.31.255.255"],
    ["RFC 1918 192.168/16", "192.168.1.1"],
    ["link-local", "169.254.1.1"],
    ["cloud metadata", "169.254.169.254"],
    ["Azure's host service", "168.63.129.16"],
    ["Alibaba's metadata", "100.100.100.200"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["benchmarking", "198.19.0.1"],
    ["multicast", "224.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["v6 unspecified", "::"],
    ["v6 loopback", "::1"],
    ["v6 link-local", "fe80::1"],
    ["v6 link-local with a zone", "fe80::1%eth0"],
    ["v6 unique local", "fd00:ec2::254"],
    ["v6 multicast", "ff02::1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped public", "::ffff:1.1.1.1"],
    ["compatible loopback", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:53aa:64c::1"],
    ["documentation", "2001:db8::1"],
    ["no address at all", "localhost"],
    ["nothing", ""],
  ])("refuses %s (%s)", (_what, address) => expect(isPublicAddress(address)).toBe(false));
});
