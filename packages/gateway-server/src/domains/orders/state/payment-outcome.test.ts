import { OrderStatus } from '@mintmark/orders'
import { describe, expect, it } from 'vitest'
import type { PaymentObservation } from '../../../chain/payment-observation.ts'
import {
  type Candidate,
  evaluateCandidates,
  type PaymentOutcome,
  secondsToNextCheck,
} from './payment-outcome.ts'

const { IN_PROGRESS, SUCCESS, FAILED } = OrderStatus
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
