import { OrderStatus } from '@mintmark/orders'
import type { PaymentObservation, TransactionOutcome } from '../../../chain/payment-observation.ts'
import type { LastingOutcome } from '../payments/payments-store.ts'
import type { OrderEvent } from './order-state.ts'

/**
 * What a final transaction is to an order: as the chain shows it, or a lasting outcome that replaces that.
 */
export type PaymentOutcome = TransactionOutcome | LastingOutcome

/** A reported transaction and what the chain shows of it. */
export interface Candidate {
  readonly hash: string
  readonly observation: PaymentObservation<PaymentOutcome>
  /** Whether the order no longer waits for it. */
  readonly abandoned: boolean
  /** Whether a refund of it was recorded, due or done. */
  readonly refundRecorded: boolean
  /** Whether it counts as a part of the price, mined or not. */
  readonly isPart: boolean
}

export type Evaluation =
  | { readonly kind: 'event'; readonly event: OrderEvent; readonly hash: string; readonly reason: string }
  /** Nothing is decided yet. */
  | { readonly kind: 'wait' }
  /** Nothing can change any more. */
  | { readonly kind: 'done' }

const WAIT: Evaluation = { kind: 'wait' }
const DONE: Evaluation = { kind: 'done' }

const eventOf = (event: OrderEvent, hash: string, reason = ''): Evaluation => ({
  kind: 'event',
  event,
  hash,
  reason,
})

/** Outcomes that an operator has to resolve: the buyer has paid something, or has tried to. */
const MISMATCHES: ReadonlySet<PaymentOutcome> = new Set([
  'not_enough',
  'not_a_plain_transfer',
  'mined_before_order',
])

/** Why an order has FAILED, the most specific reason first. */
const FAILURES: readonly PaymentOutcome[] = [
  'payment_used',
  'other_payer',
  'reverted',
  'refunded',
  'unrelated',
]

/** Whether a transaction concerns an order: the inventory stays reserved until the transaction is final. */
export function concernsOrder(outcome: PaymentOutcome): boolean {
  return outcome === 'paid' || outcome === 'part' || MISMATCHES.has(outcome)
}

/** Whether a transaction can still become an order's payment. */
function isOpen({ observation, abandoned }: Candidate): boolean {
  return !abandoned && !(observation.kind === 'mined' && observation.final)
}

/** How long an order waits for its transactions. */
export interface WaitLimits {
  readonly inProgress: boolean
  /** Seconds to wait for a transaction that no node knows. */
  readonly unseenSeconds: number
  /** Whether the inventory has been reserved for as long as it may be. */
  readonly reservationOver: boolean
}

/**
 * Whether an order stops waiting for a transaction.
 *
 * @param claim `unknownFor`: seconds since it was reported, or a node last knew it. `wasMined`: whether a
 * block held it when the chain was last read. A node that does not know it now may lag behind, so one such
 * response does not end the reservation.
 */
export function isAbandoned(
  observation: PaymentObservation<PaymentOutcome>,
  claim: { readonly unknownFor: number; readonly wasMined: boolean },
  limits: WaitLimits,
): boolean {
  const { inProgress, reservationOver } = limits
  if (observation.kind === 'mined')
    return inProgress && reservationOver && !concernsOrder(observation.outcome)
  if (inProgress && reservationOver) return !claim.wasMined
  const waits = observation.kind === 'pending' && observation.fits
  return !waits && claim.unknownFor > limits.unseenSeconds
}

type Mined = Extract<PaymentObservation<PaymentOutcome>, { kind: 'mined' }>

/** A transaction in a final block. */
interface FinalTransaction extends Pick<Mined, 'block' | 'outcome'> {
  readonly hash: string
  /** What it moved from the buyer to the seller; 0 if that is not known. */
  readonly paid: bigint
}

function finalTransactions(candidates: readonly Candidate[]): FinalTransaction[] {
  return candidates.flatMap(({ hash, observation }) => {
    if (observation.kind !== 'mined' || !observation.final) return []
    const { block, outcome, paid = 0n } = observation
    return [{ hash, block, outcome, paid }]
  })
}

/**
 * Lists the final payments of less than the price that do not count yet, the earliest first; none if another
 * transaction pays the whole price.
 */
export function listPartialPayments(candidates: readonly Candidate[]): FinalTransaction[] {
  const final = finalTransactions(candidates)
  if (final.some(({ outcome }) => outcome === 'paid')) return []
  return final
    .filter(({ outcome, paid }) => outcome === 'not_enough' && paid > 0n)
    .toSorted((a, b) => a.block - b.block)
}

/** Sums the final payments that count as parts of the price. */
export function sumFinalParts(candidates: readonly Candidate[]): bigint {
  return sum(finalTransactions(candidates).filter(isCounted))
}

const isCounted = ({ outcome }: Pick<FinalTransaction, 'outcome'>) => outcome === 'part'

const sum = (payments: readonly { readonly paid?: bigint }[]) =>
  payments.reduce((total, { paid = 0n }) => total + paid, 0n)

/** What the payments of an order have to pay. */
export interface Price {
  /** At least one base unit. */
  readonly owed: bigint
  /** Whether further payments may still complete the price. */
  readonly mayBeCompleted: boolean
}

/**
 * Evaluates the reported transactions of an order that is past PRE. A final payment decides immediately.
 * Everything else waits until no other transaction of the order can still become its payment.
 */
export function evaluateCandidates(
  status: number,
  candidates: readonly Candidate[],
  { owed, mayBeCompleted }: Price,
): Evaluation {
  const final = finalTransactions(candidates)
  const open = candidates.some(isOpen)
  if (status === OrderStatus.UNRESOLVED) return open ? WAIT : DONE
  const paid = final.find(({ outcome }) => outcome === 'paid')
  if (paid) return eventOf('paid', paid.hash)
  const inProgress = status === OrderStatus.IN_PROGRESS
  // A reorganization that removes any part removes the block of the last one.
  const lastPart = inProgress ? final.filter(isCounted).toSorted((a, b) => b.block - a.block)[0] : undefined
  if (lastPart !== undefined && sumFinalParts(candidates) >= owed) return eventOf('paid', lastPart.hash)
  if (open) return WAIT
  if (!inProgress) return DONE
  if (lastPart !== undefined)
    return mayBeCompleted ? WAIT : eventOf('mismatched', lastPart.hash, 'not_enough')
  const mismatch = final.find(({ outcome }) => MISMATCHES.has(outcome))
  if (mismatch) return eventOf('mismatched', mismatch.hash, mismatch.outcome)
  return evaluateFailure(candidates, final)
}

/** Determines why an order fails that no transaction paid. */
function evaluateFailure(candidates: readonly Candidate[], final: readonly FinalTransaction[]): Evaluation {
  for (const outcome of FAILURES) {
    const match = final.find((each) => each.outcome === outcome)
    if (match) return eventOf(outcome === 'reverted' ? 'reverted' : 'not_paid', match.hash, outcome)
  }
  const pending = candidates.some(({ observation }) => observation.kind === 'pending')
  return eventOf('unseen', '', pending ? 'not_mined' : 'not_seen')
}

/** The payment of a SUCCESS as the order stores it. */
export interface StoredPayment {
  readonly hash: string
  readonly block: number
  readonly blockHash: string
  /** What the buyer owes: what the order costs, at least one base unit. */
  readonly owed: bigint
}

/**
 * Evaluates a SUCCESS: whether a reorganization removed its payment, whether that payment was too much, and
 * whether another of its transactions paid it again, or a part of it. Each excess is reported once.
 *
 * @param blockPresent Whether the chain still has the block that held the payment. A payment that moved to
 * another block counts as well. If a node does not know the payment but has the block, the node lags behind.
 */
export function evaluateSuccess(
  payment: StoredPayment,
  candidates: readonly Candidate[],
  blockPresent: boolean,
): Evaluation {
  const counted = candidates.find(({ hash }) => hash === payment.hash)
  const own = counted?.observation
  const parts = counted?.isPart === true ? candidates.filter(({ isPart }) => isPart) : []
  const paid = parts.length > 0 ? sumMined(parts) : sumMined(counted === undefined ? [] : [counted])
  const isWhole =
    own?.kind === 'mined' && (own.outcome === 'paid' || (parts.length > 0 && paid >= payment.owed))
  const waits = [own, ...parts.map(({ observation }) => observation)].some((each) => each?.kind === 'pending')
  if (!blockPresent && !isWhole && !waits) return eventOf('reorganized', payment.hash, 'reorganized')
  const unrecorded = candidates.filter(({ refundRecorded }) => !refundRecorded)
  const further = unrecorded.find(
    (each) => each !== counted && !parts.includes(each) && isFurther(each.observation, isWhole),
  )
  if (further) return eventOf('paid_again', further.hash)
  const isFinal = isWhole && own.final && unrecorded.some(({ hash }) => hash === payment.hash)
  return isFinal && paid > payment.owed ? eventOf('overpaid', payment.hash) : WAIT
}

/** Sums what the mined ones have paid, whether or not their blocks are final. */
export const sumMined = (candidates: readonly Candidate[]) =>
  sum(candidates.map(({ observation }) => (observation.kind === 'mined' ? observation : {})))

/**
 * Whether a transaction paid the order once more: the price, or, if what counts is the whole price, a part of
 * it. Otherwise an operator has accepted the parts together.
 */
function isFurther(observation: PaymentObservation<PaymentOutcome>, isWhole: boolean): boolean {
  if (observation.kind !== 'mined' || !observation.final) return false
  const { outcome, paid = 0n } = observation
  return outcome === 'paid' || (isWhole && (outcome === 'not_enough' || outcome === 'part') && paid > 0n)
}

/**
 * Seconds until an order is checked again: often while its payment is young, then ever less often. Each
 * transaction that no node knows makes the pause longer, so that many of them do not cost the nodes more
 * requests than one.
 *
 * @param age Seconds since its newest transaction was reported.
 * @param unseen How many of its transactions no node knows.
 */
export function secondsToNextCheck(status: number, age: number, unseen: number): number {
  const factor = Math.max(1, unseen)
  if (status === OrderStatus.IN_PROGRESS) return Math.min(60, factor * Math.max(1, age / 60))
  if (status === OrderStatus.SUCCESS) return Math.min(60, factor * Math.max(2, age / 20))
  return Math.min(3600, factor * Math.max(5, age / 20))
}
