import { BlockList, isIP } from "node:net";

/**
 * Address ranges that are not the public Internet, from the IANA special-purpose registries (RFC 6890 and its updates),
 * and the metadata services of clouds that lie outside of them. IPv6 is handled the other way round: only 2000::/3 is public.
 */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT, and Alibaba's metadata service
  ["127.0.0.0", 8],
  ["168.63.129.16", 32], // Azure's host service, a public address that every machine there can reach
  ["169.254.0.0", 16], // link-local, and the metadata service of most clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24], // protocol assignments, and Oracle's metadata service
  ["192.0.2.0", 24],
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

/** Parts of 2000::/3 that are tunnels to IPv4 or never routed. Mapped and NAT64 addresses lie outside of 2000::/3. */
const NOT_PUBLIC_V6: readonly (readonly [string, number])[] = [
  ["2001::", 23], // protocol assignments, Teredo among them
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4
  ["3fff::", 20],
];

const privateV4 = new BlockList();
for (const [net, bits] of PRIVATE_V4) privateV4.addSubnet(net, bits, "ipv4");
const globalV6 = new BlockList();
globalV6.addSubnet("2000::", 3, "ipv6");
const notPublicV6 = new BlockList();
for (const [net, bits] of NOT_PUBLIC_V6) notPublicV6.addSubnet(net, bits, "ipv6");

/** True when `address` is an IP address of the public Internet. Anything that is no IP address counts as not public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateV4.check(address, "ipv4");
    case 6:
      return globalV6.check(address, "ipv6") && !notPublicV6.check(address, "ipv6");
    default:
      return false;
  }
}
