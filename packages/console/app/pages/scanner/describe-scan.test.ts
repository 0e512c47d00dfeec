import { describe, expect, it } from 'vitest'
import { describeScan } from './describe-scan.ts'
import type { CardProgram, Scan } from './scan.ts'

const scan = (program: CardProgram, changes: Partial<Scan>, card: object = {}): Scan => ({
  nonce: 'n',
  sequence: 1,
  projectId: 7,
  code: 'the-code',
  device: 'd',
  store: '',
  verifier: 'v',
  membershipAction: 'CHECK_IN',
  scannedAt: 0,
  state: 'accepted',
  reason: '',
  usedCount: 0,
  answeredAt: 0,
  ...changes,
  card: {
    program,
    id: 1,
    name: 'A free coffee',
    totalIssued: 3,
    stores: [],
    level: '',
    startTime: '2027-01-05T12:00:00.000Z',
    endTime: '2026-03-05T12:00:00.000Z',
    ...card,
  },
})

describe('an accepted scan', () => {
  it.each([
    ['promoCodeCards', { usedCount: 1 }, {}, 'Redeemed', ['2 of 3 uses left']],
    ['promoCodeCards', { usedCount: 3 }, {}, 'Redeemed', ['That was the last of 3 uses']],
    ['promoCodeCards', { usedCount: 1 }, { totalIssued: 1 }, 'Redeemed', ['That was its only use']],
    ['eventCards', {}, {}, 'Checked in', []],
    ['membershipCards', {}, { level: 'Gold' }, 'Checked in', ['Level: Gold']],
    ['membershipCards', { membershipAction: 'REDEEM' }, {}, 'Redeemed', []],
  ] as const)('of %s with %j %j says %s and what is left', (program, changes, card, title, details) => {
    expect(describeScan(scan(program, changes, card), false)).toEqual({
      title,
      name: 'A free coffee',
      details,
    })
  })
})

describe('a refused scan', () => {
  it.each([
    ['promoCodeCards', 'not_yet_valid', 'Not valid yet', /valid from Jan 5, 2027/],
    ['promoCodeCards', 'expired', 'Expired', /valid until Mar 5, 2026/],
    ['promoCodeCards', 'exhausted', 'Used up', /All 3 uses/],
    ['promoCodeCards', 'already_redeemed', 'Already redeemed', /no use left/],
    ['membershipCards', 'already_redeemed', 'Already redeemed today', /once a day/],
    ['eventCards', 'already_checked_in', 'Already checked in', /before/],
    ['membershipCards', 'already_checked_in', 'Already checked in today', /once a day/],
    ['promoCodeCards', 'removed', 'Removed', /removed/],
    ['commemorativeCards', 'not_redeemable', 'Nothing to redeem', /genuine/],
    ['promoCodeCards', 'too_shiny', 'Refused', /too shiny/],
  ] as const)('of %s as %s says %s', (program, reason, why, advice) => {
    const { title, details } = describeScan(scan(program, { state: 'refused', reason }), false)
    expect([title, details[0]]).toEqual(['Refused', why])
    expect(details[1]).toMatch(advice)
  })

  it('names the stores of the card and that of the scanner', () => {
    const card = { stores: ['Berlin', 'Köln'] }
    const wrong = { state: 'refused', reason: 'wrong_store' } as const
    const { details } = describeScan(scan('promoCodeCards', { ...wrong, store: 'Bonn' }, card), false)
    expect(details[1]).toBe('The card is accepted in: Berlin, Köln. This scanner is in: Bonn.')
    const { details: advice } = describeScan(scan('promoCodeCards', wrong, card), false)
    expect(advice[1]).toContain('Set the store of this scanner')
  })

  it('of an unknown code names no card', () => {
    const { card: _, ...unknown } = scan('promoCodeCards', { state: 'refused', reason: 'unknown' })
    expect(describeScan(unknown, false).name).toBe('Unknown card')
  })
})

describe('a waiting scan', () => {
  it('does not say that anything was redeemed, and says that it is stored if the server is away', () => {
    const waiting = scan('promoCodeCards', { state: 'waiting' })
    expect(describeScan(waiting, false).title).toBe('Checking…')
    const { title, details } = describeScan(waiting, true)
    expect(title).toBe('Not confirmed yet')
    expect(details.join()).toContain('stored')
  })
})
