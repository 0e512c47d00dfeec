import { OrderStatus } from '@mintmark/orders'
import type { OrderEvent } from '../state/order-state.ts'

/** What a final transaction is to an order: its payment, a failure, or, with a reason, neither. */
export type Outcome = 'paid' | 'reverted' | Misfit
export type Misfit =
  | 'not_enough'
  | 'not_a_plain_transfer'
  | 'mined_before_order'
  /** It pays this order and counts for an order of another project. */
  | 'paid_elsewhere'
  /** It counts for, or is in dispute with, another order of the project. */
  | 'payment_used'
  /** Another wallet than the buyer paid the seller. */
  | 'other_payer'
  /** It has nothing to do with the order. */
  | 'unrelated'
  /** An operator decided that it goes back. */
  | 'refunded'

/** What a chain shows of a reported transaction. */
export type Sighting =
  /** The node does not know it. */
  | { readonly kind: 'unseen' }
  /** It waits for a block. */
  | {
      readonly kind: 'pending'
      /** Whether it can become the order's payment. */
      readonly fits: boolean
    }
  | {
      readonly kind: 'mined'
      readonly block: number
      readonly blockHash: string
      /** Behind the chain's finality: it stays. */
      readonly final: boolean
      readonly outcome: Outcome
      /** What it moved from the buyer to the seller in the order's token, where that is known. */
      readonly paid?: bigint
    }

/** A reported transaction and what the chain shows of it. */
export interface Candidate {
  readonly hash: string
  readonly sighting: Sighting
  /** The order no longer waits for it. */
  readonly givenUp: boolean
}

export type Judgement =
  | { readonly event: OrderEvent; readonly hash: string; readonly reason: string }
  /** Nothing is decided yet. */
  | 'wait'
  /** Nothing more can come. */
  | 'done'

/** Outcomes that a person has to settle: the buyer has paid something, or has tried to. */
const MISMATCHES: ReadonlySet<Outcome> = new Set(['not_enough', 'not_a_plain_transfer', 'mined_before_order'])

/** Why an order has FAILED, the reason that says most first. */
const FAILURES: readonly Outcome[] = ['payment_used', 'other_payer', 'reverted', 'refunded', 'unrelated']

/** Whether a transaction concerns an order: its stock stays reserved until the transaction is final. */
export const concernsOrder = (outcome: Outcome): boolean =>
  outcome === 'paid' || outcome === 'paid_elsewhere' || MISMATCHES.has(outcome)

/** Whether a transaction can still become an order's payment. */
function isOpen({ sighting, givenUp }: Candidate): boolean {
  return !givenUp && !(sighting.kind === 'mined' && sighting.final)
}

export interface Patience {
  readonly inProgress: boolean
  /** Seconds for which a transaction that no node knows is waited for. */
  readonly unseenSeconds: number
  /** Whether the order's stock has been reserved for as long as it may be. */
  readonly reservationOver: boolean
}

/**
 * Whether an order stops waiting for a transaction.
 *
 * @param claim `unknownFor`: seconds since it was reported, or a node last knew it. `wasMined`: whether a block held it when the chain was read
 * before. A node that does not know it now may be behind, so one such answer does not end the reservation.
 */
export function isGivenUp(
  sighting: Sighting,
  claim: { unknownFor: number; wasMined: boolean },
  patience: Patience,
): boolean {
  const { inProgress, reservationOver } = patience
  if (sighting.kind === 'mined') return inProgress && reservationOver && !concernsOrder(sighting.outcome)
  if (inProgress && reservationOver) return !claim.wasMined
  const waits = sighting.kind === 'pending' && sighting.fits
  return !waits && claim.unknownFor > patience.unseenSeconds
}

/**
 * Evaluates what was reported for an order that is past PRE. A final payment decides at once; anything else waits until no other transaction
 * of the order can still become one.
 */
export function judgeCandidates(status: number, candidates: readonly Candidate[]): Judgement {
  const final = candidates.flatMap(({ hash, sighting }) =>
    sighting.kind === 'mined' && sighting.final ? [{ hash, outcome: sighting.outcome }] : [],
  )
  const paid = final.find(({ outcome }) => outcome === 'paid')
  const elsewhere = final.find(({ outcome }) => outcome === 'paid_elsewhere')
  const open = candidates.some(isOpen)
  if (status === OrderStatus.UNRESOLVED) return open ? 'wait' : 'done'
  if (paid) return { event: 'paid', hash: paid.hash, reason: '' }
  const usedElsewhere = elsewhere && {
    event: 'paid_elsewhere' as const,
    hash: elsewhere.hash,
    reason: 'payment_used',
  }
  if (status !== OrderStatus.IN_PROGRESS) return usedElsewhere ?? (open ? 'wait' : 'done')
  if (open) return 'wait'
  if (usedElsewhere) return usedElsewhere
  const misfit = final.find(({ outcome }) => MISMATCHES.has(outcome))
  if (misfit) return { event: 'misfit', hash: misfit.hash, reason: misfit.outcome }
  return judgeFailure(candidates, final)
}

/** Why an order fails that nothing paid. */
function judgeFailure(
  candidates: readonly Candidate[],
  final: readonly { hash: string; outcome: Outcome }[],
): Judgement {
  for (const outcome of FAILURES) {
    const found = final.find((each) => each.outcome === outcome)
    if (found === undefined) continue
    const event = outcome === 'reverted' ? 'reverted' : 'not_paid'
    return { event, hash: found.hash, reason: outcome }
  }
  const pending = candidates.some(({ sighting }) => sighting.kind === 'pending')
  return { event: 'unseen', hash: '', reason: pending ? 'not_mined' : 'not_seen' }
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
