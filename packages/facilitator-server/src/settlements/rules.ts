import type { ChainVerdict, UpstreamAnswer } from '../payment/payment.ts'
import type { ChargeCause } from '../tables.ts'
import { comesBeforeBroadcast } from '../upstream/refusals.ts'
import type { Settlement } from './settlement.ts'

/**
 * What is charged: every settle that the upstream answered with a 2xx, as the specification says, or only what settled.
 */
export type ChargeOn = 'upstream-2xx' | 'settled'

/** What becomes of the price: a hold is captured or released, a captured price refunded, or all stays as it is. */
export type Move = 'capture' | 'release' | 'refund'

/** A change of a settlement's state, with all that goes with it in the same commit. */
export interface Transition {
  readonly to: 'settled' | 'failed' | 'unknown'
  readonly move?: Move
  readonly cause?: ChargeCause
  readonly transaction?: string
  readonly reason?: string
  readonly message?: string
  readonly upstreamStatus?: number
  /** The upstream's answer was a well-formed 2xx. */
  readonly upstreamAnswered?: boolean
  readonly block?: Block
  readonly reconciled?: boolean
}

export interface Block {
  readonly number: bigint
  readonly hash: string
  readonly final: boolean
}

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
  if (answer.kind === 'refused') {
    const { reason, message, httpStatus } = answer
    return { to: 'failed', move: 'release', reason, upstreamStatus: httpStatus, ...(message && { message }) }
  }
  const { success, transaction, errorReason, errorMessage } = answer.body
  const told = {
    upstreamStatus: answer.httpStatus,
    upstreamAnswered: true,
    ...(transaction && { transaction }),
  }
  if (success && transaction) return { to: 'settled', move: 'capture', cause: 'upstream', ...told }
  const reason = errorReason || 'unexpected_settle_error'
  const failure = { ...told, reason, ...(errorMessage && { message: errorMessage }) }
  // A transaction was broadcast, or the reason leaves it open: only the chain can say how it ended.
  if (success || transaction || !comesBeforeBroadcast(reason)) return { to: 'unknown', ...failure }
  return chargeOn === 'upstream-2xx'
    ? { to: 'failed', move: 'capture', cause: 'upstream', ...failure }
    : { to: 'failed', move: 'release', ...failure }
}

/** What a reconciler does with a settlement after it asked the chain. */
export type Finding =
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** Settled, and found in a block. */
  | { readonly kind: 'located'; readonly transaction: string; readonly block: Block }
  /** Nothing can be said yet. */
  | { readonly kind: 'wait' }

type Judged = Pick<Settlement, 'state' | 'hold' | 'upstream_answered' | 'block_hash'>

/** What follows from the chain's word for a settlement that is unknown, or settled but not final. */
export function judgeChain(settlement: Judged, verdict: ChainVerdict, chargeOn: ChargeOn): Finding {
  if (verdict.kind === 'unreadable') return { kind: 'wait' }
  if (verdict.kind === 'settled') {
    const held = settlement.hold === 'held'
    const block = { number: verdict.blockNumber, hash: verdict.blockHash, final: verdict.final }
    if (settlement.state === 'settled') return { kind: 'located', transaction: verdict.transaction, block }
    const charge =
      held && ({ move: 'capture', cause: settlement.upstream_answered ? 'upstream' : 'chain' } as const)
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
  return { kind: 'transition', transition: judgeFailed(settlement, verdict.reason, chargeOn) }
}

/**
 * The end of an unknown settlement whose payment will never be made: its price goes back, unless the upstream's 2xx is
 * charged for.
 */
export function judgeFailed(settlement: Judged, reason: string, chargeOn: ChargeOn): Transition {
  const ended = { to: 'failed', reason, reconciled: true } as const
  const held = settlement.hold === 'held'
  const due = settlement.upstream_answered && chargeOn === 'upstream-2xx'
  if (due) return { ...ended, ...(held && { move: 'capture', cause: 'upstream' }) }
  return { ...ended, move: held ? 'release' : 'refund' }
}

/** Milliseconds until a reconciler looks again: soon at first, then every minute. */
export function nextCheck(checks: number): number {
  return Math.min(1000 * 2 ** Math.min(checks, 6), 60_000)
}
