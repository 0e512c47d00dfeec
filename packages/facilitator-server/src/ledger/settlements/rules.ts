import type { ChainVerdict, UpstreamAnswer } from '../../payments/payment.ts'
import type { ChargeCause } from '../../tables.ts'
import { comesBeforeBroadcast, lastsForever } from '../../payments/remote/refusals.ts'
import type { Settlement } from './settlement.ts'

/**
 * What is charged: every settle that the upstream answered with a 2xx, as the specification says, or only what settled.
 */
export type ChargeOn = 'upstream-2xx' | 'settled'

/** What becomes of the price: a hold is captured or released, a captured price refunded, or all stays as it is. */
export type Move = 'capture' | 'release' | 'refund'

/** A change of a settlement's state, with all that goes with it in the same commit. */
export interface Transition {
  readonly to: 'settled' | 'failed' | 'unknown' | 'not_sent'
  readonly move?: Move
  readonly cause?: ChargeCause
  readonly transaction?: string
  readonly reason?: string
  readonly message?: string
  readonly upstreamStatus?: number
  /** The upstream's answer was a well-formed 2xx. */
  readonly upstreamResponded?: boolean
  readonly block?: Block
  readonly reconciled?: boolean
}

export interface Block {
  readonly number: bigint
  readonly hash: string
  readonly final: boolean
}

/** The status of a settlement that was not sent for a cause that can pass, where a refusal has a 4xx. */
export const NOT_SENT_STATUS = 503

/** What follows for a `sent` settlement from the upstream's answer. */
export function judgeAnswer(answer: UpstreamAnswer, chargeOn: ChargeOn): Transition {
  if (answer.kind === 'lost') {
    return {
      to: 'unknown',
      reason: `upstream_${answer.why}`,
      message: answer.message,
      ...(answer.httpStatus !== undefined && { upstreamStatus: answer.httpStatus }),
    }
  }
  if (answer.kind === 'not_sent') {
    const { reason, message } = answer
    return { to: 'not_sent', move: 'release', reason, message, upstreamStatus: NOT_SENT_STATUS }
  }
  if (answer.kind === 'refused') {
    const { reason, message, httpStatus } = answer
    return { ...released(reason), upstreamStatus: httpStatus, ...(message && { message }) }
  }
  const { success, transaction, errorReason, errorMessage } = answer.body
  const told = {
    upstreamStatus: answer.httpStatus,
    upstreamResponded: true,
    ...(transaction && { transaction }),
  }
  if (success && transaction) return { to: 'settled', move: 'capture', cause: 'upstream', ...told }
  const reason = errorReason || 'unexpected_settle_error'
  const failure = { ...told, reason, ...(errorMessage && { message: errorMessage }) }
  // A transaction was broadcast, or the reason leaves it open: only the chain can say how it ended.
  if (success || transaction || !comesBeforeBroadcast(reason)) return { to: 'unknown', ...failure }
  // A charge is final, and so is the settlement that it was made for: a repeat would be charged a second time.
  return chargeOn === 'upstream-2xx'
    ? { to: 'failed', move: 'capture', cause: 'upstream', ...failure }
    : { ...failure, ...released(reason) }
}

/**
 * The release after a definite refusal. Nothing was sent, so the authorization is unused: unless the payment will always
 * be refused, it can be settled again.
 */
function released(reason: string): Pick<Transition, 'move' | 'reason' | 'to'> {
  return { to: lastsForever(reason) ? 'failed' : 'not_sent', move: 'release', reason }
}

/** What a reconciler does with a settlement after it asked the chain. */
export type Finding =
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** Settled, and found in a block. */
  | { readonly kind: 'located'; readonly transaction: string; readonly block: Block }
  /** Nothing can be said yet. */
  | { readonly kind: 'wait' }

/** What follows when nothing was signed for an unknown settlement, and nothing can be signed for it any more. */
export const neverSent: Extract<Finding, { kind: 'transition' }> = {
  kind: 'transition',
  transition: {
    to: 'not_sent',
    move: 'release',
    reason: 'unexpected_settle_error',
    message: 'The settle was interrupted before anything was sent.',
    reconciled: true,
  },
}

type Judged = Pick<Settlement, 'state' | 'hold' | 'upstream_responded' | 'block_hash'>

/** What follows from the chain's word for a settlement that is unknown, or settled but not final. */
export function judgeChain(settlement: Judged, verdict: ChainVerdict, chargeOn: ChargeOn): Finding {
  if (verdict.kind === 'unreadable') return { kind: 'wait' }
  if (verdict.kind === 'settled') {
    const held = settlement.hold === 'held'
    const block = { number: verdict.blockNumber, hash: verdict.blockHash, final: verdict.final }
    if (settlement.state === 'settled') return { kind: 'located', transaction: verdict.transaction, block }
    const charge =
      held && ({ move: 'capture', cause: settlement.upstream_responded ? 'upstream' : 'chain' } as const)
    return {
      kind: 'transition',
      transition: { to: 'settled', ...charge, transaction: verdict.transaction, block, reconciled: true },
    }
  }

  if (settlement.state === 'settled') {
    // A node that lags has not seen the block yet: what never was in a block cannot have been lost from one.
    if (verdict.kind === 'open' && settlement.block_hash === null) return { kind: 'wait' }
    return { kind: 'transition', transition: { to: 'unknown', reason: 'lost_in_reorganisation' } }
  }

  if (verdict.kind === 'open') return { kind: 'wait' }
  const { reason, reverted } = verdict
  return { kind: 'transition', transition: judgeFailed(settlement, { reason, reverted }, chargeOn) }
}

/**
 * The end of an unknown settlement whose payment will never be made: its price is released, unless the upstream's 2xx is
 * charged. A transaction of our own that was mined for it counts as a 2xx: its gas was paid, reverted or not.
 */
export function judgeFailed(
  settlement: Judged,
  { reason, reverted }: { reason: string; reverted?: string | undefined },
  chargeOn: ChargeOn,
): Transition {
  const mined = reverted === undefined ? {} : { transaction: reverted, upstreamResponded: true }
  const ended = { to: 'failed', reason, reconciled: true, ...mined } as const
  const held = settlement.hold === 'held'
  const answered = settlement.upstream_responded || reverted !== undefined
  const due = answered && chargeOn === 'upstream-2xx'
  if (due) return { ...ended, ...(held && { move: 'capture', cause: 'upstream' }) }
  return { ...ended, move: held ? 'release' : 'refund' }
}

/** Milliseconds until a reconciler looks again: soon at first, then every minute. */
export function nextCheck(checks: number): number {
  return Math.min(1000 * 2 ** Math.min(checks, 6), 60_000)
}
