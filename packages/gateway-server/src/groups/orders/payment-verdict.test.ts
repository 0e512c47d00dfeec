import { OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import {
  type Candidate,
  judgeCandidates,
  judgeSuccess,
  nextLook,
  type Outcome,
  type Sighting,
} from './payment-verdict.ts'

const { IN_PROGRESS, SUCCESS, FAILED, CANCELLED, EXPIRED, UNRESOLVED } = OrderStatus
const mined = (outcome: Outcome, final = true): Sighting => ({
  kind: 'mined',
  block: 7,
  blockHash: '0xb7',
  final,
  outcome,
})
const unseen: Sighting = { kind: 'unseen' }
const pending: Sighting = { kind: 'pending' }
const one = (hash: string, sighting: Sighting, givenUp = false): Candidate => ({ hash, sighting, givenUp })

describe('an order in progress', () => {
  const judge = (...candidates: Candidate[]) => judgeCandidates(IN_PROGRESS, candidates)

  it.each<[string, Candidate[], object | string]>([
    ['nothing known of it', [one('a', unseen)], 'wait'],
    ['waits for a block', [one('a', pending)], 'wait'],
    ['is paid, and not final yet', [one('a', mined('paid', false))], 'wait'],
    ['is paid', [one('a', mined('paid'))], { event: 'paid', hash: 'a', reason: '' }],
    ['failed, and not final yet', [one('a', mined('reverted', false))], 'wait'],
    ['failed', [one('a', mined('reverted'))], { event: 'reverted', hash: 'a', reason: 'reverted' }],
    ['is too little', [one('a', mined('not_enough'))], { event: 'misfit', hash: 'a', reason: 'not_enough' }],
    ['was never known', [one('a', unseen, true)], { event: 'unseen', hash: '', reason: 'not_seen' }],
  ])('whose transaction %s', (_, candidates, expected) => {
    expect(judge(...candidates)).toEqual(expected)
  })

  it('is paid by whichever of its transactions pays it', () => {
    for (const other of [unseen, pending, mined('reverted'), mined('not_enough'), mined('paid', false)]) {
      const expected = { event: 'paid', hash: 'b', reason: '' }
      expect(judge(one('a', other), one('b', mined('paid')))).toEqual(expected)
    }
  })

  it('waits for a transaction that can still pay it, whatever the others came to', () => {
    for (const other of [unseen, pending, mined('paid', false)]) {
      expect(judge(one('a', mined('not_enough')), one('b', other))).toBe('wait')
      expect(judge(one('a', mined('reverted')), one('b', other))).toBe('wait')
    }
  })

  it('has a person look at a payment that does not fit, before it has failed', () => {
    const candidates = [one('a', mined('reverted')), one('b', mined('payment_used')), one('c', unseen, true)]
    expect(judge(...candidates)).toEqual({ event: 'misfit', hash: 'b', reason: 'payment_used' })
  })

  it('fails for its reason when nobody knows the transaction that it was sped up from', () => {
    const expected = { event: 'reverted', hash: 'a', reason: 'reverted' }
    expect(judge(one('a', mined('reverted')), one('b', unseen, true))).toEqual(expected)
  })
})

it.each([FAILED, CANCELLED, EXPIRED])(
  'an order in state %i is paid by a payment that shows up after all, and by nothing else',
  (status) => {
    const judge = (sighting: Sighting, givenUp = false) =>
      judgeCandidates(status, [one('a', sighting, givenUp)])
    expect(judge(mined('paid'))).toEqual({ event: 'paid', hash: 'a', reason: '' })
    expect(judge(mined('paid', false))).toBe('wait')
    expect(judge(unseen)).toBe('wait')
    expect(judge(unseen, true)).toBe('done')
    expect(judge(mined('not_enough'))).toBe('done')
    expect(judge(mined('reverted'))).toBe('done')
  },
)

it('an unresolved order is nobody’s to decide but an operator’s', () => {
  expect(judgeCandidates(UNRESOLVED, [one('a', mined('paid'))])).toBe('done')
  expect(judgeCandidates(UNRESOLVED, [one('a', pending)])).toBe('wait')
})

describe('a success', () => {
  const payment = { hash: 'a', block: 7, blockHash: '0xb7' }
  const judge = (stands: boolean, own: Sighting, other?: Sighting, refundDue = false) =>
    judgeSuccess(payment, [one('a', own), ...(other ? [one('b', other)] : [])], stands, refundDue)
  const gone = { event: 'reorganised', hash: 'a', reason: 'reorganised' }

  it('stands while the block of its payment does', () => {
    expect(judge(true, mined('paid'))).toBe('wait')
    // A node that is behind knows the block and not yet the transaction.
    expect(judge(true, unseen)).toBe('wait')
  })

  it('stands when its payment is mined anew, or will be', () => {
    expect(judge(false, mined('paid', false))).toBe('wait')
    expect(judge(false, pending)).toBe('wait')
  })

  it('is undone by a reorganisation that its payment did not survive', () => {
    expect(judge(false, unseen)).toEqual(gone)
    expect(judge(false, mined('reverted'))).toEqual(gone)
  })

  it('is told of a second payment once', () => {
    const second = { event: 'paid_again', hash: 'b', reason: '' }
    expect(judge(true, mined('paid'), mined('paid'))).toEqual(second)
    expect(judge(true, mined('paid'), mined('paid', false))).toBe('wait')
    expect(judge(true, mined('paid'), mined('not_enough'))).toBe('wait')
    expect(judge(true, mined('paid'), mined('paid'), true)).toBe('wait')
  })
})

it('looks often at what is young, ever less often at what is not, and never seldom', () => {
  expect([0, 60, 600, 86_400].map((age) => nextLook(IN_PROGRESS, age))).toEqual([1, 1, 10, 60])
  expect([0, 100, 86_400].map((age) => nextLook(SUCCESS, age))).toEqual([2, 5, 60])
  expect([0, 200, 604_800].map((age) => nextLook(FAILED, age))).toEqual([5, 10, 3600])
})
