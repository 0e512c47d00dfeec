import { expect, it } from 'vitest'
import { createCheckedLookup, isAllowedAddress, parseDestination } from './destination.ts'

const CLOSED = [
  ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '0.0.0.0', '100.64.0.1', '169.254.169.254'],
  ...['168.63.129.16', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1'],
  ...['::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['2002:7f00:1::', '2001:db8::1', '4000::1', 'localhost', ''],
]

it.each(CLOSED)('isAllowedAddress refuses %s', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false)
})

it.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111'])('isAllowedAddress accepts %s', (address) => {
  expect(isAllowedAddress(address, false)).toBe(true)
})

it('isAllowedAddress accepts private addresses for development, and never those of metadata', () => {
  expect(['127.0.0.1', '10.0.0.1', '::1', 'fc00::1'].every((each) => isAllowedAddress(each, true))).toBe(true)
  expect(['169.254.169.254', 'fe80::1', '168.63.129.16'].some((each) => isAllowedAddress(each, true))).toBe(
    false,
  )
})

const accepts = (host: string, url: string) => {
  try {
    return parseDestination(url, { hosts: [host], allowPrivate: true }) !== undefined
  } catch {
    return false
  }
}

it('parseDestination accepts a host on any port, and a host with a port on this port only', () => {
  expect(accepts('shop.test', 'https://shop.test:8443/')).toBe(true)
  expect(accepts('127.0.0.1:3222', 'http://127.0.0.1:3222/paid')).toBe(true)
  expect(accepts('127.0.0.1:3222', 'http://127.0.0.1:3223/paid')).toBe(false)
  expect(accepts('shop.test:443', 'https://shop.test/')).toBe(true)
  expect(accepts('shop.test:443', 'http://shop.test/')).toBe(false)
  expect(accepts('*.shop.test:8443', 'https://api.shop.test:8443/')).toBe(true)
  expect(accepts('[::1]:80', 'http://[::1]/')).toBe(true)
})

it('parseDestination names the port of a refused address, so that its advice does not allow all ports', () => {
  const rules = { hosts: ['127.0.0.1:3222'], allowPrivate: true }
  expect(() => parseDestination('http://127.0.0.1:3333/paid', rules)).toThrow(
    expect.objectContaining({
      message: '127.0.0.1:3333 is not an allowed host',
      report: expect.objectContaining({ whatToDo: expect.stringContaining('--pay-host 127.0.0.1:3333 ') }),
    }),
  )
})

it('createCheckedLookup refuses a name with one address that is not public', async () => {
  const rules = { hosts: [], allowPrivate: false, resolve: async () => ['1.1.1.1', '127.0.0.1'] }
  const failure = new Promise((resolve) => createCheckedLookup(rules)('shop.test', {}, resolve))
  expect(await failure).toEqual(new Error('shop.test has an address that is not public'))
})
