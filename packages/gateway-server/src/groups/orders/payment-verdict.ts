import { OrderStatus } from '@mintmark/orders'
import type { OrderEvent } from './order-state.ts'

/** What a final transaction is to an order: its payment, a failure, or, with a reason, neither. */
export type Outcome = 'paid' | 'reverted' | Misfit
export type Misfit =
  | 'not_enough'
  | 'not_a_plain_transfer'
  | 'mined_before_order'
  | 'payment_used'
  /** An operator decided that it goes back. */
  | 'refunded'

/** What a chain shows of a reported transaction. */
export type Sighting =
  /** No node knows it. */
  | { readonly kind: 'unseen' }
  /** It waits for a block. */
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'mined'
      readonly block: number
      readonly blockHash: string
      /** Behind the chain's finality: it stays. */
      readonly final: boolean
      readonly outcome: Outcome
    }

/** A reported transaction and what the chain shows of it. */
export interface Candidate {
  readonly hash: string
  readonly sighting: Sighting
  /** No node has known it for so long that none will. */
  readonly givenUp: boolean
}

export type Judgement =
  | { readonly event: OrderEvent; readonly hash: string; readonly reason: string }
  /** Nothing is decided yet. */
  | 'wait'
  /** Nothing more can come. */
  | 'done'

/**
 * Judges what was reported for an order that is past PRE. A final payment decides at once; anything else waits until no other transaction
 * of the order can still become one.
 */
export function judgeCandidates(status: number, candidates: readonly Candidate[]): Judgement {
  const final = candidates.flatMap(({ hash, sighting }) =>
    sighting.kind === 'mined' && sighting.final ? [{ hash, outcome: sighting.outcome }] : [],
  )
  const paid = final.find(({ outcome }) => outcome === 'paid')
  const open = candidates.some(
    ({ sighting, givenUp }) =>
      sighting.kind === 'pending' ||
      (sighting.kind === 'mined' && !sighting.final) ||
      (sighting.kind === 'unseen' && !givenUp),
  )
  if (status === OrderStatus.UNRESOLVED) return open ? 'wait' : 'done'
  if (paid) return { event: 'paid', hash: paid.hash, reason: '' }
  if (status !== OrderStatus.IN_PROGRESS) return open ? 'wait' : 'done'
  if (open) return 'wait'
  const misfit = final.find(({ outcome }) => outcome !== 'reverted')
  if (misfit) return { event: 'misfit', hash: misfit.hash, reason: misfit.outcome }
  const reverted = final[0]
  if (reverted) return { event: 'reverted', hash: reverted.hash, reason: 'reverted' }
  return { event: 'unseen', hash: '', reason: 'not_seen' }
}

/** The payment of a SUCCESS as the order remembers it. */
export interface RememberedPayment {
  readonly hash: string
  readonly block: number
  readonly blockHash: string
}

/**
 * Judges a SUCCESS: whether its payment still stands, and whether another of its transactions paid it again.
 *
 * @param stands Whether the chain still has the block that held the payment. A payment that moved to another block stands as well; one that
 * a node does not know while the block is the same is a node that is behind.
 * @param refundDue Whether a second payment was told of before.
 */
export function judgeSuccess(
  payment: RememberedPayment,
  candidates: readonly Candidate[],
  stands: boolean,
  refundDue: boolean,
): Judgement {
  const own = candidates.find(({ hash }) => hash === payment.hash)?.sighting
  const stillPaid = own?.kind === 'mined' && own.outcome === 'paid'
  if (!stands && !stillPaid && own?.kind !== 'pending') {
    return { event: 'reorganised', hash: payment.hash, reason: 'reorganised' }
  }
  const second =
    !refundDue &&
    candidates.find(
      ({ hash, sighting }) =>
        hash !== payment.hash && sighting.kind === 'mined' && sighting.final && sighting.outcome === 'paid',
    )
  if (second) return { event: 'paid_again', hash: second.hash, reason: '' }
  return 'wait'
}

/**
 * Seconds until an order is looked at again: often while its payment is young, then ever less often.
 *
 * @param age Seconds since its newest transaction was reported.
 */
export function nextLook(status: number, age: number): number {
  if (status === OrderStatus.IN_PROGRESS) return Math.min(60, Math.max(1, age / 60))
  if (status === OrderStatus.SUCCESS) return Math.min(60, Math.max(2, age / 20))
  return Math.min(3600, Math.max(5, age / 20))
}
