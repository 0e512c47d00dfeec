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

it.each([
  ['promoCodeCards', { usedCount: 1 }, {}, 'Redeemed', ['2 of 3 uses left']],
  ['promoCodeCards', { usedCount: 3 }, {}, 'Redeemed', ['That was the last of 3 uses']],
  ['promoCodeCards', { usedCount: 1 }, { totalIssued: 1 }, 'Redeemed', ['That was its only use']],
  ['eventCards', {}, {}, 'Checked in', []],
  ['membershipCards', {}, { level: 'Gold' }, 'Checked in', ['Level: Gold']],
  ['membershipCards', { membershipAction: 'REDEEM' }, {}, 'Redeemed', []],
] as const)(
  'an accepted scan of %s with %j %j says %s and what is left',
  (program, changes, card, title, details) => {
    expect(describeScan(scan(program, changes, card), { hasProblem: false, scans: [] })).toEqual({
      title,
      look: 'accepted',
      name: 'A free coffee',
      details,
    })
  },
)

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
] as const)('a refused scan of %s as %s says %s', (program, reason, why, advice) => {
  const { title, details } = describeScan(scan(program, { state: 'refused', reason }), {
    hasProblem: false,
    scans: [],
  })
  expect([title, details[0]]).toEqual(['Refused', why])
  expect(details[1]).toMatch(advice)
})

it('a refused scan names the stores of the card and that of the scanner', () => {
  const card = { stores: ['Berlin', 'Köln'] }
  const wrong = { state: 'refused', reason: 'wrong_store' } as const
  const { details } = describeScan(scan('promoCodeCards', { ...wrong, store: 'Bonn' }, card), {
    hasProblem: false,
    scans: [],
  })
  expect(details[1]).toBe('The card is accepted in: Berlin, Köln. This scanner is in: Bonn.')
  const { details: advice } = describeScan(scan('promoCodeCards', wrong, card), {
    hasProblem: false,
    scans: [],
  })
  expect(advice[1]).toContain('Set the store of this scanner')
})

it('a refused scan of an unknown code names no card', () => {
  const { card: _, ...unknown } = scan('promoCodeCards', { state: 'refused', reason: 'unknown' })
  expect(describeScan(unknown, { hasProblem: false, scans: [] }).name).toBe('Unknown card')
})

it('a waiting scan does not say that anything was redeemed, and says that it is stored if the server is away', () => {
  const waiting = scan('promoCodeCards', { state: 'waiting' })
  expect(describeScan(waiting, { hasProblem: false, scans: [] }).title).toBe('Checking…')
  const { title, details } = describeScan(waiting, { hasProblem: true, scans: [] })
  expect(title).toBe('Not confirmed yet')
  expect(details.join()).toContain('stored')
})

describe('a scan without a connection of a card that was scanned on this device before', () => {
  const at = (time: string) => new Date(`2026-03-05T${time}`).getTime()
  const earlier = (program: CardProgram, changes: Partial<Scan> = {}) =>
    scan(program, { nonce: 'e', scannedAt: at('10:41:07'), answeredAt: at('10:41:08'), ...changes })
  /** Describes a later scan, whose card is not found without a connection. */
  const describeLater = (scans: readonly Scan[], changes: Partial<Scan> = {}) => {
    const { card: _, ...later } = scan('eventCards', {
      state: 'waiting',
      sequence: 9,
      scannedAt: at('10:42:00'),
    })
    return describeScan({ ...later, ...changes }, { hasProblem: true, scans })
  }

  it.each([
    ['promoCodeCards', { usedCount: 3 }, 'Already redeemed', /Redeemed with this device at .*10:41/],
    ['eventCards', {}, 'Already checked in', /Checked in with this device at .*10:41/],
    ['membershipCards', {}, 'Already checked in', /Checked in with this device at .*10:41/],
    ['membershipCards', { membershipAction: 'REDEEM' }, 'Already redeemed', /Redeemed with this device/],
    ['promoCodeCards', { state: 'refused', reason: 'exhausted' }, 'Already redeemed', /refused it .*10:41/],
    ['eventCards', { state: 'refused', reason: 'already_checked_in' }, 'Already checked in', /refused it/],
  ] as const)('says for %s with %j: %s', (program, changes, title, detail) => {
    const described = describeLater([earlier(program, changes)])
    expect(described).toMatchObject({ title, look: 'refused', name: 'A free coffee' })
    expect(described.details[0]).toMatch(detail)
  })

  it('a scan without a connection of a card that was scanned on this device before does not call a card used that has uses left, and says what is known', () => {
    const { title, look, details } = describeLater([earlier('promoCodeCards', { usedCount: 1 })])
    expect([title, look]).toEqual(['Not confirmed yet', 'waiting'])
    expect(details.slice(1)).toEqual([expect.stringMatching(/10:41/), '2 of 3 uses left'])
  })

  it.each([
    ['of another card', { code: 'other' }],
    ['that is refused for another reason', { state: 'refused', reason: 'wrong_store' }],
    ['that waits too', { state: 'waiting' }],
    ['that came later', { sequence: 10 }],
    ['that was undone', { isUndone: true }],
  ] as const)('knows nothing from a scan %s', (_, changes) => {
    const { title, look } = describeLater([earlier('eventCards', changes)])
    expect([title, look]).toEqual(['Not confirmed yet', 'waiting'])
  })

  it.each([
    ['on another day', { scannedAt: new Date('2026-03-06T09:00:00').getTime() }],
    ['in another store', { store: 'Köln' }],
  ])('leaves a membership card unknown %s', (_, changes) => {
    expect(describeLater([earlier('membershipCards')], changes).look).toBe('waiting')
  })

  it('believes the newest answer', () => {
    const first = earlier('promoCodeCards', { usedCount: 3 })
    const second = earlier('promoCodeCards', { usedCount: 4, sequence: 2 })
    const raised = { ...second, card: { ...first.card, totalIssued: 9 } } as Scan
    expect(describeLater([raised, first]).look).toBe('waiting')
    expect(describeLater([first]).look).toBe('refused')
    const undone = { ...first, isUndone: true, answeredAt: at('10:41:30') }
    const last = earlier('promoCodeCards', { usedCount: 3, sequence: 2 })
    expect(describeLater([last, undone]).look).toBe('waiting')
  })

  it('lets the server decide while it can be reached', () => {
    const later = scan('eventCards', { state: 'waiting', sequence: 9 })
    const described = describeScan(later, { hasProblem: false, scans: [earlier('eventCards')] })
    expect(described).toMatchObject({ title: 'Checking…', look: 'waiting' })
  })
})
