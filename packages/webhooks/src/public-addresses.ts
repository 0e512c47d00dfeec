import { BlockList, isIP } from 'node:net'

type Range = readonly [network: string, prefix: number]

/**
 * IPv4 ranges without public hosts (IANA special-purpose registry), and one cloud's metadata service at a
 * public address.
 */
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
 * Only global unicast IPv6 addresses are public. This excludes loopback, link-local, unique local and
 * multicast addresses, and mapped, compatible and NAT64 forms of IPv4.
 */
const global6: Range = ['2000::', 3]
/**
 * Excluded ranges: protocol assignments (including Teredo), documentation, and 6to4, which contains any IPv4
 * address.
 */
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

function createBlockList(family: 'ipv4' | 'ipv6', ...ranges: readonly Range[]): BlockList {
  const blockList = new BlockList()
  for (const [network, prefix] of ranges) blockList.addSubnet(network, prefix, family)
  return blockList
}

const lists = {
  closed4: createBlockList('ipv4', ...closed4),
  private4: createBlockList('ipv4', ...private4),
  global6: createBlockList('ipv6', global6),
  closed6: createBlockList('ipv6', ...closed6),
  private6: createBlockList('ipv6', ...private6),
}

/**
 * Whether a webhook may be sent to an IP address. Addresses that are not certainly public are refused.
 *
 * @param allowPrivate For development: loopback and private networks are allowed. Link-local addresses, where
 * clouds serve their metadata, stay refused.
 */
export function isReachableAddress(address: string, allowPrivate: boolean): boolean {
  switch (isIP(address)) {
    case 4:
      if (lists.private4.check(address, 'ipv4')) return allowPrivate
      return !lists.closed4.check(address, 'ipv4')
    case 6: {
      // Only addresses that are not global have a zone (fe80::1%eth0).
      if (address.includes('%')) return false
      if (lists.private6.check(address, 'ipv6')) return allowPrivate
      return lists.global6.check(address, 'ipv6') && !lists.closed6.check(address, 'ipv6')
    }
    default:
      return false
  }
}
