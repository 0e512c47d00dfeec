import { describe, expect, it } from 'vitest'
import { createCheckedLookup, isAllowedAddress } from './destination.ts'

const CLOSED = [
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0', '100.64.0.1', '169.254.169.254'],
  ...['168.63.129.16', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1'],
  ...['::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['2002:7f00:1::', '2001:db8::1', '4000::1', 'localhost', ''],
]

describe('isAllowedAddress', () => {
  it.each(CLOSED)('refuses %s', (address) => {
    expect(isAllowedAddress(address, false)).toBe(false)
  })

  it.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111'])('accepts %s', (address) => {
    expect(isAllowedAddress(address, false)).toBe(true)
  })

  it('accepts private addresses for development, and never those of metadata', () => {
    expect(['127.0.0.1', '10.0.0.1', '::1', 'fc00::1'].every((each) => isAllowedAddress(each, true))).toBe(
      true,
    )
    expect(['169.254.169.254', 'fe80::1', '168.63.129.16'].some((each) => isAllowedAddress(each, true))).toBe(
      false,
    )
  })
})

describe('createCheckedLookup', () => {
  it('refuses a name with one address that is not public', async () => {
    const rules = { hosts: [], allowPrivate: false, resolve: async () => ['1.1.1.1', '127.0.0.1'] }
    const failure = new Promise((resolve) => createCheckedLookup(rules)('shop.test', {}, resolve))
    expect(await failure).toEqual(new Error('shop.test has an address that is not public'))
  })
})
