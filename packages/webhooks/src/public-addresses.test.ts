import { describe, expect, test } from 'vitest'
import { isReachableAddress } from './public-addresses.ts'

const publicOnes = [
  '1.1.1.1',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.0.1',
  '100.128.0.0',
  '223.255.255.255',
]
const public6 = ['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888']

const loopbackAndPrivate = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '::1',
  'fc00::1',
  'fd00:ec2::254',
]

const neverSent: Record<string, readonly string[]> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'link-local, with the clouds’ metadata': [
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
  ],
  'metadata elsewhere': ['100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255'],
  'documentation and benchmarks': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
  ],
  'IPv4 mapped into IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::ffff:1.1.1.1',
    '::ffff:0:10.0.0.1',
  ],
  'IPv4-compatible IPv6': ['::127.0.0.1', '::a00:1'],
  NAT64: ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1'],
  '6to4 around a private address': ['2002:a00:1::1', '2002:7f00:1::', '192.88.99.1'],
  Teredo: ['2001:0:a00:1::1', '2001::1'],
  'site-local and other unassigned blocks': ['fec0::1', '4000::1', '100::1', '5f00::1'],
  'no address at all': ['', 'localhost', '1.2.3', '0x7f.0.0.1', '999.1.1.1'],
}

describe('an address', () => {
  test.each([...publicOnes, ...public6])('the address %s is public and accepted', (address) => {
    expect(isReachableAddress(address, false)).toBe(true)
    expect(isReachableAddress(address, true)).toBe(true)
  })

  test.each(loopbackAndPrivate)('the address %s is accepted in development alone', (address) => {
    expect(isReachableAddress(address, false)).toBe(false)
    expect(isReachableAddress(address, true)).toBe(true)
  })

  for (const [kind, addresses] of Object.entries(neverSent)) {
    test.each(addresses)(`the address %j is never accepted: ${kind}`, (address) => {
      expect(isReachableAddress(address, false)).toBe(false)
      expect(isReachableAddress(address, true)).toBe(false)
    })
  }
})
