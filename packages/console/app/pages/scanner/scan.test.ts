import { expect, it } from 'vitest'
import { addScans, getRemainingUses, listShownScans, readScannedCode, type Scan } from './scan.ts'

const CODE = 'Zk3-_9x0aBcDeFgHiJkLmNoPqRs'

it.each([
  [`https://gateway.example/c/7/${CODE}`, CODE],
  [`http://localhost:4000/behind/a/path/c/12/${CODE}/`, CODE],
  [`https://gateway.example/c/7/${CODE}?from=print#top`, CODE],
  [`HTTPS://GATEWAY.EXAMPLE/C/7/${CODE}/`, CODE],
  [`  ${CODE}\n`, CODE],
  ['https://shop.example/menu', 'https://shop.example/menu'],
  [`ftp://gateway.example/c/7/${CODE}`, `ftp://gateway.example/c/7/${CODE}`],
])('reads in %j the code %s', (text, code) => {
  expect(readScannedCode(text)).toBe(code)
})

it.each(['', '   ', 'x'.repeat(4297)])('reads no code in a text that cannot be one', (text) => {
  expect(readScannedCode(text)).toBeUndefined()
})

it('counts the remaining uses of promo code cards only, and never below none', () => {
  const scan = { card: { program: 'promoCodeCards', totalIssued: 3 }, usedCount: 1 } as Scan
  expect(getRemainingUses(scan)).toBe(2)
  expect(getRemainingUses({ ...scan, usedCount: 5 })).toBe(0)
  expect(getRemainingUses({ ...scan, card: { program: 'eventCards', totalIssued: 3 } } as Scan)).toBe(
    undefined,
  )
})

it('lists the newest scans first, and each one that waits however old it is', () => {
  const scan = (sequence: number, state = 'accepted') => ({ nonce: `n${sequence}`, sequence, state }) as Scan
  const old = [scan(1, 'waiting'), scan(2)]
  const many = Array.from({ length: 40 }, (_, index) => scan(index + 3))
  const listed = listShownScans(addScans(old, many)).map(({ sequence }) => sequence)
  expect(listed).toEqual([...Array.from({ length: 30 }, (_, index) => 42 - index), 1])
  expect(addScans(addScans([], old), [scan(1)]).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
})
