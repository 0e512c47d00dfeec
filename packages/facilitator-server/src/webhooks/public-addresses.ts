import { BlockList, isIP } from 'node:net'

type Range = readonly [network: string, prefix: number]

/** IPv4 that is no public host's (IANA special-purpose registry), and one cloud's metadata service at a public address. */
const closed4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
]
const private4: readonly Range[] = [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
]

/**
 * Of IPv6 only global unicast is public: that leaves out loopback, link-local, unique local and multicast addresses, and
 * IPv4 in its mapped, compatible and NAT64 clothes.
 */
const global6: Range = ['2000::', 3]
/** Parts of it that are not: protocol assignments (Teredo among them), documentation, and 6to4, which carries any IPv4. */
const closed6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
const private6: readonly Range[] = [
  ['::1', 128],
  ['fc00::', 7],
]

function list(family: 'ipv4' | 'ipv6', ...ranges: readonly Range[]): BlockList {
  const made = new BlockList()
  for (const [network, prefix] of ranges) made.addSubnet(network, prefix, family)
  return made
}

const lists = {
  closed4: list('ipv4', ...closed4),
  private4: list('ipv4', ...private4),
  global6: list('ipv6', global6),
  closed6: list('ipv6', ...closed6),
  private6: list('ipv6', ...private6),
}

/**
 * Whether a webhook may be sent to an IP address. What is not certainly public is refused.
 *
 * @param allowPrivate For development: loopback and private networks are let through; nothing else changes, so that
 * link-local addresses, where clouds keep their metadata, stay closed.
 */
export function isReachableAddress(address: string, allowPrivate: boolean): boolean {
  switch (isIP(address)) {
    case 4:
      if (lists.private4.check(address, 'ipv4')) return allowPrivate
      return !lists.closed4.check(address, 'ipv4')
    case 6: {
      // A zone (fe80::1%eth0) belongs to addresses that are not global.
      if (address.includes('%')) return false
      if (lists.private6.check(address, 'ipv6')) return allowPrivate
      return lists.global6.check(address, 'ipv6') && !lists.closed6.check(address, 'ipv6')
    }
    default:
      return false
  }
}
