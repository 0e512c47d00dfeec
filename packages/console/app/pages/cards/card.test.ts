import { expect, it } from 'vitest'
import { findCardLink, formatUses, getCardStatus } from './card.ts'
import type { AnyCard } from './programs.ts'

const ORIGIN = 'https://gateway.example'
const CODE = 'Zk3-_9x0aBcDeFgHiJkLmNoPqRs'
const NOW = Date.parse('2026-06-01T00:00:00Z')

const card = (changes: object): AnyCard =>
  ({
    id: 1,
    projectId: 7,
    name: 'A free coffee',
    totalIssued: 10,
    usedCount: 3,
    isRedeemed: false,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2026-12-31T00:00:00Z',
    validityPeriod: '2026-12-31T00:00:00Z',
    qrCodeUrl: `${ORIGIN}/qr/7/${CODE}.svg`,
    ...changes,
  }) as AnyCard

const event = (isCheckedIn: boolean): AnyCard => {
  const {
    usedCount: _,
    isRedeemed: __,
    validityPeriod: ___,
    ...rest
  } = card({}) as unknown as Record<string, unknown>
  return { ...rest, isCheckedIn } as unknown as AnyCard
}

it.each([
  ['ACTIVE', card({})],
  ['NOT_YET_VALID', card({ startTime: '2026-07-01T00:00:00Z' })],
  ['EXPIRED', card({ validityPeriod: '2026-05-01T00:00:00Z' })],
  ['ACTIVE', card({ endTime: '2026-05-01T00:00:00Z', validityPeriod: '2026-07-01T00:00:00Z' })],
  ['EXHAUSTED', card({ isRedeemed: true, usedCount: 10 })],
  ['EXPIRED', card({ isRedeemed: true, validityPeriod: '2026-05-01T00:00:00Z' })],
  ['EXHAUSTED', event(true)],
  ['ACTIVE', event(false)],
])('the status of a card is %s', (status, each) => {
  expect(getCardStatus(each, NOW)).toBe(status)
})

it('the link of a card leads to the page of the card on this server', () => {
  expect(findCardLink(card({}), ORIGIN)).toEqual({ code: CODE, address: `${ORIGIN}/c/7/${CODE}` })
})

it.each([
  'https://evil.example/qr/7/abc.svg',
  `${ORIGIN}/qr/8/${CODE}.svg`,
  'javascript:alert(1)//qr/7/abc.svg',
  'https://shop.example/own.png',
  '',
])('the link of a card is not taken from an address that the creator wrote: %s', (qrCodeUrl) => {
  expect(findCardLink(card({ qrCodeUrl }), ORIGIN)).toBeUndefined()
})

it.each([
  [card({}), '3 of 10 used'],
  [event(true), 'Checked in'],
  [event(false), 'Not checked in'],
])('formats the uses of a card', (each, text) => {
  expect(formatUses(each)).toBe(text)
})
