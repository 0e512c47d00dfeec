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
  refundRecorded = false,
): Candidate => ({ hash, observation, abandoned, refundRecorded, isPart: false })
const price = { owed: 100n, mayBeCompleted: false }

describe('an order in progress', () => {
  const evaluate = (...candidates: Candidate[]) => evaluateCandidates(IN_PROGRESS, candidates, price)

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
  ])('an order in progress whose transaction %s', (_, candidates, expected) => {
    expect(evaluate(...candidates)).toEqual(expected)
  })

  it('an order in progress is paid by any of its transactions', () => {
    for (const other of [unseen, pending, mined('reverted'), mined('not_enough'), mined('paid', false)]) {
      const expected = { kind: 'event', event: 'paid', hash: 'b', reason: '' }
      expect(evaluate(one('a', other), one('b', mined('paid')))).toEqual(expected)
    }
  })

  it('an order in progress waits for a transaction that can still pay it, whatever the outcomes of the others', () => {
    for (const other of [unseen, pending, mined('paid', false)]) {
      expect(evaluate(one('a', mined('not_enough')), one('b', other))).toEqual({ kind: 'wait' })
      expect(evaluate(one('a', mined('reverted')), one('b', other))).toEqual({ kind: 'wait' })
    }
  })

  it('an order in progress becomes UNRESOLVED by a mismatched payment rather than failing', () => {
    const candidates = [one('a', mined('reverted')), one('b', mined('not_enough')), one('c', unseen, true)]
    expect(evaluate(...candidates)).toEqual({
      kind: 'event',
      event: 'mismatched',
      hash: 'b',
      reason: 'not_enough',
    })
  })

  it.each<PaymentOutcome>(['payment_used', 'other_payer', 'unrelated', 'refunded'])(
    'an order in progress fails when all that was reported is final and %s',
    (outcome) => {
      const expected = { kind: 'event', event: 'not_paid', hash: 'a', reason: outcome }
      expect(evaluate(one('a', mined(outcome)))).toEqual(expected)
      expect(evaluate(one('a', mined(outcome)), one('b', pending))).toEqual({ kind: 'wait' })
      expect(evaluate(one('a', mined(outcome)), one('b', pending, true))).toEqual(expected)
    },
  )

  it('an order in progress fails as not mined when a transaction still waits for a block at the end of its reservation', () => {
    const expected = { kind: 'event', event: 'unseen', hash: '', reason: 'not_mined' }
    expect(evaluate(one('a', pending, true), one('b', unseen, true))).toEqual(expected)
  })

  it('an order in progress fails with the reason of the sped-up transaction when no node knows the original one', () => {
    const expected = { kind: 'event', event: 'reverted', hash: 'a', reason: 'reverted' }
    expect(evaluate(one('a', mined('reverted')), one('b', unseen, true))).toEqual(expected)
  })
})

it.each([FAILED, CANCELLED, EXPIRED])(
  'an order in state %i is paid by a payment that shows up after all, and by nothing else',
  (status) => {
    const evaluate = (observation: PaymentObservation<PaymentOutcome>, abandoned = false) =>
      evaluateCandidates(status, [one('a', observation, abandoned)], price)
    expect(evaluate(mined('paid'))).toEqual({ kind: 'event', event: 'paid', hash: 'a', reason: '' })
    expect(evaluate(mined('paid', false))).toEqual({ kind: 'wait' })
    expect(evaluate(unseen)).toEqual({ kind: 'wait' })
    expect(evaluate(unseen, true)).toEqual({ kind: 'done' })
    expect(evaluate(mined('not_enough'))).toEqual({ kind: 'done' })
    expect(evaluate(mined('reverted'))).toEqual({ kind: 'done' })
  },
)

it.each([FAILED, CANCELLED, EXPIRED])(
  'an order in state %i is left alone by a payment that counts for another order',
  (status) => {
    expect(evaluateCandidates(status, [one('a', mined('payment_used'))], price)).toEqual({ kind: 'done' })
  },
)

describe('an order stops waiting for a transaction', () => {
  const patience = { inProgress: true, unseenSeconds: 600, reservationOver: false }
  const unknown = (unknownFor: number, wasMined = false) => ({ unknownFor, wasMined })
  const stranger: PaymentObservation<PaymentOutcome> = { kind: 'pending', fits: false }

  it('an order stops waiting for a transaction that no node knows, or that cannot pay it, after the time limit for unknown ones', () => {
    for (const observation of [unseen, stranger]) {
      expect(isAbandoned(observation, unknown(600), patience)).toBe(false)
      expect(isAbandoned(observation, unknown(601), patience)).toBe(true)
    }
    expect(isAbandoned(pending, unknown(601), patience)).toBe(false)
  })

  it('an order stops waiting for a transaction that is not mined when its reservation is over, whatever a node returns', () => {
    const over = { ...patience, reservationOver: true }
    for (const observation of [unseen, stranger, pending])
      expect(isAbandoned(observation, unknown(0), over)).toBe(true)
  })

  it('an order stops waiting for a transaction that a block held before only when a node misses it again', () => {
    const over = { ...patience, reservationOver: true }
    expect(isAbandoned(unseen, unknown(0, true), over)).toBe(false)
    expect(isAbandoned(unseen, unknown(0, false), over)).toBe(true)
  })

  it('an order stops waiting for a transaction that is mined and not final only when it does not concern the order', () => {
    const over = { ...patience, reservationOver: true }
    for (const outcome of ['paid', 'not_enough', 'not_a_plain_transfer', 'mined_before_order'] as const)
      expect(isAbandoned(mined(outcome, false), unknown(0), over)).toBe(false)
    for (const outcome of ['reverted', 'unrelated', 'other_payer', 'payment_used'] as const)
      expect(isAbandoned(mined(outcome, false), unknown(0), over)).toBe(true)
    expect(isAbandoned(mined('unrelated', false), unknown(0), patience)).toBe(false)
  })

  it('an order stops waiting for a transaction only after the time limit for unknown ones once the order has ended', () => {
    const late = { inProgress: false, unseenSeconds: 86_400, reservationOver: true }
    expect(isAbandoned(unseen, unknown(3600), late)).toBe(false)
    expect(isAbandoned(pending, unknown(100_000), late)).toBe(false)
    expect(isAbandoned(unseen, unknown(86_401), late)).toBe(true)
  })
})

it('an unresolved order is left to an operator', () => {
  expect(evaluateCandidates(UNRESOLVED, [one('a', mined('paid'))], price)).toEqual({ kind: 'done' })
  expect(evaluateCandidates(UNRESOLVED, [one('a', pending)], price)).toEqual({ kind: 'wait' })
})

describe('a success', () => {
  const payment = { hash: 'a', block: 7, blockHash: '0xb7', owed: 100n }
  const evaluate = (blockPresent: boolean, own: PaymentObservation<PaymentOutcome>, ...others: Candidate[]) =>
    evaluateSuccess(payment, [one('a', own), ...others], blockPresent)
  const gone = { kind: 'event', event: 'reorganized', hash: 'a', reason: 'reorganized' }

  it('a success stays a success while the chain has the block of its payment', () => {
    expect(evaluate(true, mined('paid'))).toEqual({ kind: 'wait' })
    // A node that is behind knows the block and not yet the transaction.
    expect(evaluate(true, unseen)).toEqual({ kind: 'wait' })
  })

  it('a success stays a success when its payment is mined again, or is pending', () => {
    expect(evaluate(false, mined('paid', false))).toEqual({ kind: 'wait' })
    expect(evaluate(false, pending)).toEqual({ kind: 'wait' })
  })

  it('a success is undone by a reorganization that its payment did not survive', () => {
    expect(evaluate(false, unseen)).toEqual(gone)
    expect(evaluate(false, mined('reverted'))).toEqual(gone)
  })

  it('a success reports each further payment once', () => {
    const recorded = one('b', mined('paid'), false, true)
    const again = (hash: string) => ({ kind: 'event', event: 'paid_again', hash, reason: '' })
    expect(evaluate(true, mined('paid'), one('b', mined('paid')))).toEqual(again('b'))
    expect(evaluate(true, mined('paid'), one('b', mined('paid', false)))).toEqual({ kind: 'wait' })
    expect(evaluate(true, mined('paid'), one('b', mined('not_enough')))).toEqual({ kind: 'wait' })
    expect(evaluate(true, mined('paid'), recorded)).toEqual({ kind: 'wait' })
    expect(evaluate(true, mined('paid'), recorded, one('c', mined('paid')))).toEqual(again('c'))
  })

  it('a success reports a part of the price beside the whole one, and not the parts of a price that an operator accepts', () => {
    const part = (paid: bigint, final = true) => ({ ...mined('not_enough', final), paid }) as const
    const again = { kind: 'event', event: 'paid_again', hash: 'b', reason: '' }
    expect(evaluate(true, mined('paid'), one('b', part(40n)))).toEqual(again)
    expect(evaluate(true, mined('paid'), one('b', part(40n, false)))).toEqual({ kind: 'wait' })
    expect(evaluate(true, mined('paid'), one('b', part(40n), false, true))).toEqual({ kind: 'wait' })
    expect(evaluate(true, mined('paid'), one('b', part(0n)))).toEqual({ kind: 'wait' })
    expect(evaluate(true, part(60n), one('b', part(40n)))).toEqual({ kind: 'wait' })
  })

  it('a success reports a payment of more than is owed once it is final', () => {
    const paid = (amount: bigint, final = true) => ({ ...mined('paid', final), paid: amount }) as const
    const overpaid = { kind: 'event', event: 'overpaid', hash: 'a', reason: '' }
    expect(evaluate(true, paid(101n))).toEqual(overpaid)
    expect(evaluate(true, paid(101n, false))).toEqual({ kind: 'wait' })
    expect(evaluate(true, paid(100n))).toEqual({ kind: 'wait' })
    expect(evaluateSuccess(payment, [one('a', paid(101n), false, true)], true)).toEqual({ kind: 'wait' })
  })
})

it('looks often at what is young, ever less often at what is not, and never seldom', () => {
  expect([0, 60, 600, 86_400].map((age) => secondsToNextCheck(IN_PROGRESS, age, 0))).toEqual([1, 1, 10, 60])
  expect([0, 100, 86_400].map((age) => secondsToNextCheck(SUCCESS, age, 0))).toEqual([2, 5, 60])
  expect([0, 200, 604_800].map((age) => secondsToNextCheck(FAILED, age, 0))).toEqual([5, 10, 3600])
})

it('checks an order less often the more of its transactions no node knows, up to the longest pause', () => {
  expect([0, 1, 2, 20].map((unseen) => secondsToNextCheck(IN_PROGRESS, 60, unseen))).toEqual([1, 1, 2, 20])
  expect(secondsToNextCheck(IN_PROGRESS, 600, 20)).toBe(60)
  expect([1, 20].map((unseen) => secondsToNextCheck(FAILED, 0, unseen))).toEqual([5, 100])
  expect(secondsToNextCheck(FAILED, 86_400, 20)).toBe(3600)
})
