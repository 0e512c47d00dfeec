import { OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import type { PaymentObservation } from '../../../chain/payment-observation.ts'
import {
  type Candidate,
  evaluateCandidates,
  evaluateSuccess,
  isAbandoned,
  type PaymentOutcome,
  secondsToNextCheck,
} from './payment-outcome.ts'

const { IN_PROGRESS, SUCCESS, FAILED, CANCELLED, EXPIRED, UNRESOLVED } = OrderStatus
const mined = (outcome: PaymentOutcome, final = true): PaymentObservation<PaymentOutcome> => ({
  kind: 'mined',
  block: 7,
  blockHash: '0xb7',
  final,
  outcome,
})
const unseen: PaymentObservation<PaymentOutcome> = { kind: 'unseen' }
const pending: PaymentObservation<PaymentOutcome> = { kind: 'pending', fits: true }
const one = (
  hash: string,
  observation: PaymentObservation<PaymentOutcome>,
  abandoned = false,
): Candidate => ({ hash, observation, abandoned })

describe('an order in progress', () => {
  const judge = (...candidates: Candidate[]) => evaluateCandidates(IN_PROGRESS, candidates)

  it.each<[string, Candidate[], object]>([
    ['nothing known of it', [one('a', unseen)], { kind: 'wait' }],
    ['waits for a block', [one('a', pending)], { kind: 'wait' }],
    ['is paid, and not final yet', [one('a', mined('paid', false))], { kind: 'wait' }],
    ['is paid', [one('a', mined('paid'))], { kind: 'event', event: 'paid', hash: 'a', reason: '' }],
    ['failed, and not final yet', [one('a', mined('reverted', false))], { kind: 'wait' }],
    [
      'failed',
      [one('a', mined('reverted'))],
      { kind: 'event', event: 'reverted', hash: 'a', reason: 'reverted' },
    ],
    [
      'is too little',
      [one('a', mined('not_enough'))],
      { kind: 'event', event: 'mismatched', hash: 'a', reason: 'not_enough' },
    ],
    [
      'was never known',
      [one('a', unseen, true)],
      { kind: 'event', event: 'unseen', hash: '', reason: 'not_seen' },
    ],
  ])('whose transaction %s', (_, candidates, expected) => {
    expect(judge(...candidates)).toEqual(expected)
  })

  it('is paid by whichever of its transactions pays it', () => {
    for (const other of [unseen, pending, mined('reverted'), mined('not_enough'), mined('paid', false)]) {
      const expected = { kind: 'event', event: 'paid', hash: 'b', reason: '' }
      expect(judge(one('a', other), one('b', mined('paid')))).toEqual(expected)
    }
  })

  it('waits for a transaction that can still pay it, whatever the others came to', () => {
    for (const other of [unseen, pending, mined('paid', false)]) {
      expect(judge(one('a', mined('not_enough')), one('b', other))).toEqual({ kind: 'wait' })
      expect(judge(one('a', mined('reverted')), one('b', other))).toEqual({ kind: 'wait' })
    }
  })

  it('has a person look at a payment that does not fit, before it has failed', () => {
    const candidates = [one('a', mined('reverted')), one('b', mined('not_enough')), one('c', unseen, true)]
    expect(judge(...candidates)).toEqual({
      kind: 'event',
      event: 'mismatched',
      hash: 'b',
      reason: 'not_enough',
    })
  })

  it('has a person look at a payment that counts for an order of another project', () => {
    const expected = { kind: 'event', event: 'paid_elsewhere', hash: 'b', reason: 'payment_used' }
    expect(judge(one('a', mined('not_enough')), one('b', mined('paid_elsewhere')))).toEqual(expected)
  })

  it.each<PaymentOutcome>(['payment_used', 'other_payer', 'unrelated', 'refunded'])(
    'fails when all that was reported is final and %s',
    (outcome) => {
      const expected = { kind: 'event', event: 'not_paid', hash: 'a', reason: outcome }
      expect(judge(one('a', mined(outcome)))).toEqual(expected)
      expect(judge(one('a', mined(outcome)), one('b', pending))).toEqual({ kind: 'wait' })
      expect(judge(one('a', mined(outcome)), one('b', pending, true))).toEqual(expected)
    },
  )

  it('fails as not mined when a transaction still waits for a block at the end of its reservation', () => {
    const expected = { kind: 'event', event: 'unseen', hash: '', reason: 'not_mined' }
    expect(judge(one('a', pending, true), one('b', unseen, true))).toEqual(expected)
  })

  it('fails for its reason when nobody knows the transaction that it was sped up from', () => {
    const expected = { kind: 'event', event: 'reverted', hash: 'a', reason: 'reverted' }
    expect(judge(one('a', mined('reverted')), one('b', unseen, true))).toEqual(expected)
  })
})

it.each([FAILED, CANCELLED, EXPIRED])(
  'an order in state %i is paid by a payment that shows up after all, and by nothing else',
  (status) => {
    const judge = (observation: PaymentObservation<PaymentOutcome>, abandoned = false) =>
      evaluateCandidates(status, [one('a', observation, abandoned)])
    expect(judge(mined('paid'))).toEqual({ kind: 'event', event: 'paid', hash: 'a', reason: '' })
    expect(judge(mined('paid', false))).toEqual({ kind: 'wait' })
    expect(judge(unseen)).toEqual({ kind: 'wait' })
    expect(judge(unseen, true)).toEqual({ kind: 'done' })
    expect(judge(mined('not_enough'))).toEqual({ kind: 'done' })
    expect(judge(mined('reverted'))).toEqual({ kind: 'done' })
  },
)

it.each([FAILED, CANCELLED, EXPIRED])(
  'an order in state %i needs a person when its payment counts for an order of another project',
  (status) => {
    const candidates = [one('a', mined('paid_elsewhere')), one('b', unseen)]
    const expected = { kind: 'event', event: 'paid_elsewhere', hash: 'a', reason: 'payment_used' }
    expect(evaluateCandidates(status, candidates)).toEqual(expected)
    expect(evaluateCandidates(status, [one('a', mined('payment_used'))])).toEqual({ kind: 'done' })
  },
)

describe('an order stops waiting for a transaction', () => {
  const patience = { inProgress: true, unseenSeconds: 600, reservationOver: false }
  const unknown = (unknownFor: number, wasMined = false) => ({ unknownFor, wasMined })
  const stranger: PaymentObservation<PaymentOutcome> = { kind: 'pending', fits: false }

  it('that no node knows, or that cannot pay it, after the time for unknown ones', () => {
    for (const observation of [unseen, stranger]) {
      expect(isAbandoned(observation, unknown(600), patience)).toBe(false)
      expect(isAbandoned(observation, unknown(601), patience)).toBe(true)
    }
    expect(isAbandoned(pending, unknown(601), patience)).toBe(false)
  })

  it('that is not mined when its reservation is over, whatever a node says of it', () => {
    const over = { ...patience, reservationOver: true }
    for (const observation of [unseen, stranger, pending])
      expect(isAbandoned(observation, unknown(0), over)).toBe(true)
  })

  it('that a block held before only when a node misses it again', () => {
    const over = { ...patience, reservationOver: true }
    expect(isAbandoned(unseen, unknown(0, true), over)).toBe(false)
    expect(isAbandoned(unseen, unknown(0, false), over)).toBe(true)
  })

  it('that is mined and not final only when it does not concern the order', () => {
    const over = { ...patience, reservationOver: true }
    for (const outcome of ['paid', 'not_enough', 'not_a_plain_transfer', 'mined_before_order'] as const)
      expect(isAbandoned(mined(outcome, false), unknown(0), over)).toBe(false)
    for (const outcome of ['reverted', 'unrelated', 'other_payer', 'payment_used'] as const)
      expect(isAbandoned(mined(outcome, false), unknown(0), over)).toBe(true)
    expect(isAbandoned(mined('unrelated', false), unknown(0), patience)).toBe(false)
  })

  it('after it has ended by the time for unknown ones alone', () => {
    const late = { inProgress: false, unseenSeconds: 86_400, reservationOver: true }
    expect(isAbandoned(unseen, unknown(3600), late)).toBe(false)
    expect(isAbandoned(pending, unknown(100_000), late)).toBe(false)
    expect(isAbandoned(unseen, unknown(86_401), late)).toBe(true)
  })
})

it('an unresolved order is nobody’s to decide but an operator’s', () => {
  expect(evaluateCandidates(UNRESOLVED, [one('a', mined('paid'))])).toEqual({ kind: 'done' })
  expect(evaluateCandidates(UNRESOLVED, [one('a', pending)])).toEqual({ kind: 'wait' })
})

describe('a success', () => {
  const payment = { hash: 'a', block: 7, blockHash: '0xb7' }
  const judge = (
    blockPresent: boolean,
    own: PaymentObservation<PaymentOutcome>,
    other?: PaymentObservation<PaymentOutcome>,
    refundDue = false,
  ) => evaluateSuccess(payment, [one('a', own), ...(other ? [one('b', other)] : [])], blockPresent, refundDue)
  const gone = { kind: 'event', event: 'reorganised', hash: 'a', reason: 'reorganised' }

  it('stays a success while the chain has the block of its payment', () => {
    expect(judge(true, mined('paid'))).toEqual({ kind: 'wait' })
    // A node that is behind knows the block and not yet the transaction.
    expect(judge(true, unseen)).toEqual({ kind: 'wait' })
  })

  it('stays a success when its payment is mined again, or is pending', () => {
    expect(judge(false, mined('paid', false))).toEqual({ kind: 'wait' })
    expect(judge(false, pending)).toEqual({ kind: 'wait' })
  })

  it('is undone by a reorganisation that its payment did not survive', () => {
    expect(judge(false, unseen)).toEqual(gone)
    expect(judge(false, mined('reverted'))).toEqual(gone)
  })

  it('reports a second payment once', () => {
    const second = { kind: 'event', event: 'paid_again', hash: 'b', reason: '' }
    expect(judge(true, mined('paid'), mined('paid'))).toEqual(second)
    expect(judge(true, mined('paid'), mined('paid', false))).toEqual({ kind: 'wait' })
    expect(judge(true, mined('paid'), mined('not_enough'))).toEqual({ kind: 'wait' })
    expect(judge(true, mined('paid'), mined('paid'), true)).toEqual({ kind: 'wait' })
  })
})

it('looks often at what is young, ever less often at what is not, and never seldom', () => {
  expect([0, 60, 600, 86_400].map((age) => secondsToNextCheck(IN_PROGRESS, age))).toEqual([1, 1, 10, 60])
  expect([0, 100, 86_400].map((age) => secondsToNextCheck(SUCCESS, age))).toEqual([2, 5, 60])
  expect([0, 200, 604_800].map((age) => secondsToNextCheck(FAILED, age))).toEqual([5, 10, 3600])
})
