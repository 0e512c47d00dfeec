import type { ChargeCause } from '../../database/tables.ts'
import type {
  ChainOutcome,
  ReportedBlock,
  TransactionPlace,
  UpstreamResponse,
} from '../../payment/payment.ts'
import { isBeforeBroadcast, isPermanent } from '../../payment/remote-refusals.ts'
import type { Settlement } from './settlement.ts'

/**
 * What is charged: every settle to which the upstream responded with a 2xx, as the specification states, or
 * only settled ones.
 */
export type ChargeOn = 'upstream-2xx' | 'settled'

/** What happens to the price: a hold is captured or released, or a captured price is refunded. */
export type Move = 'capture' | 'release' | 'refund'

/** A change of a settlement's state, with everything that is committed together with it. */
export interface Transition {
  readonly to: 'settled' | 'failed' | 'unknown' | 'not_sent'
  readonly move?: Move
  readonly cause?: ChargeCause
  readonly transaction?: string
  readonly reason?: string
  readonly message?: string
  readonly upstreamStatus?: number
  /** Whether the upstream's response was a well-formed 2xx. */
  readonly upstreamResponded?: boolean
  readonly block?: Block
  /** The block that the upstream reported, which is not final. */
  readonly reportedBlock?: ReportedBlock
  readonly reconciled?: boolean
}

export interface Block {
  readonly number: bigint
  readonly hash: string
  readonly final: boolean
}

/** The upstream status of a settlement that was not sent for a temporary reason. A refusal has a 4xx. */
export const NOT_SENT_STATUS = 503

/** Returns the transition of a `sent` settlement that follows from the upstream's response. */
export function evaluateUpstreamResponse(response: UpstreamResponse, chargeOn: ChargeOn): Transition {
  if (response.kind === 'lost') {
    return {
      to: 'unknown',
      reason: `upstream_${response.why}`,
      message: response.message,
      ...(response.httpStatus !== undefined && { upstreamStatus: response.httpStatus }),
      // The transactions of the built-in upstream have rows of their own. Those of others are in no other place.
      ...(response.httpStatus !== undefined &&
        response.transaction !== undefined && { transaction: response.transaction }),
    }
  }
  if (response.kind === 'not_sent') {
    const { reason, message } = response
    return { to: 'not_sent', move: 'release', reason, message, upstreamStatus: NOT_SENT_STATUS }
  }
  if (response.kind === 'refused') {
    const { reason, message, httpStatus } = response
    return { ...released(reason), upstreamStatus: httpStatus, ...(message && { message }) }
  }
  const { success, transaction, errorReason, errorMessage } = response.body
  const reported = {
    upstreamStatus: response.httpStatus,
    upstreamResponded: true,
    ...(transaction && { transaction }),
    ...(response.block !== undefined && { reportedBlock: response.block }),
  }
  if (success && transaction) return { to: 'settled', move: 'capture', cause: 'upstream', ...reported }
  const reason = errorReason || 'unexpected_settle_error'
  const failure = { ...reported, reason, ...(errorMessage && { message: errorMessage }) }
  // A transaction was broadcast, or may have been: only the chain knows the outcome.
  if (success || transaction || !isBeforeBroadcast(reason)) return { to: 'unknown', ...failure }
  // A charge is final, and so is its settlement: a repeat would be charged a second time.
  return chargeOn === 'upstream-2xx'
    ? { to: 'failed', move: 'capture', cause: 'upstream', ...failure }
    : { ...failure, ...released(reason) }
}

/**
 * The release after a definite refusal. Nothing was sent, so the authorization is unused. The payment can be
 * settled later unless it will always be refused.
 */
function released(reason: string): Pick<Transition, 'move' | 'reason' | 'to'> {
  return { to: isPermanent(reason) ? 'failed' : 'not_sent', move: 'release', reason }
}

/** What a reconciler does with a settlement after it has read the chain. */
export type Evaluation =
  | { readonly kind: 'transition'; readonly transition: Transition }
  /** Settled, in this block. */
  | { readonly kind: 'located'; readonly transaction: string; readonly block: Block }
  /** The outcome is not known yet. */
  | { readonly kind: 'wait' }

/** The evaluation of an unknown settlement for which nothing was signed and nothing can be signed. */
export const NEVER_SENT: Extract<Evaluation, { kind: 'transition' }> = {
  kind: 'transition',
  transition: {
    to: 'not_sent',
    move: 'release',
    reason: 'unexpected_settle_error',
    message: 'The settle was interrupted before anything was sent',
    reconciled: true,
  },
}

type EvaluatedSettlement = Pick<
  Settlement,
  'state' | 'hold' | 'upstream_responded' | 'block_hash' | 'transaction'
>

/**
 * Returns what follows from the payment's outcome on the chain for a settlement that is unknown, or settled
 * but not final.
 */
export function evaluateChainOutcome(
  settlement: EvaluatedSettlement,
  outcome: ChainOutcome,
  chargeOn: ChargeOn,
): Evaluation {
  if (outcome.kind === 'unreadable') return { kind: 'wait' }
  if (outcome.kind === 'settled') {
    const held = settlement.hold === 'held'
    const block = { number: outcome.blockNumber, hash: outcome.blockHash, final: outcome.final }
    if (settlement.state === 'settled') return { kind: 'located', transaction: outcome.transaction, block }
    const charge =
      held && ({ move: 'capture', cause: settlement.upstream_responded ? 'upstream' : 'chain' } as const)
    return {
      kind: 'transition',
      transition: { to: 'settled', ...charge, transaction: outcome.transaction, block, reconciled: true },
    }
  }

  if (settlement.state === 'settled') {
    const place = outcome.kind === 'failed' ? outcome.unproven : undefined
    // The upstream reported this transaction. The chain does not contradict it.
    if (place !== undefined && place.transaction === settlement.transaction) {
      const block = { number: place.blockNumber, hash: place.blockHash, final: true }
      return { kind: 'located', transaction: place.transaction, block }
    }
    // A lagging node lacks the block. A payment that was never found in a block cannot have been removed from
    // one.
    if (outcome.kind === 'open' && settlement.block_hash === null) return { kind: 'wait' }
    return { kind: 'transition', transition: { to: 'unknown', reason: 'lost_in_reorganization' } }
  }

  if (outcome.kind === 'open') return { kind: 'wait' }
  return { kind: 'transition', transition: evaluateFailure(settlement, outcome, chargeOn) }
}

/**
 * Returns the transition of an unknown settlement whose payment will never be made. The price is released
 * unless the upstream's 2xx is charged. Our own mined transaction counts as a 2xx, because we paid its gas
 * although it reverted or did not make the transfer.
 */
export function evaluateFailure(
  settlement: EvaluatedSettlement,
  { reason, reverted, withoutEffect, unproven }: Omit<Extract<ChainOutcome, { kind: 'failed' }>, 'kind'>,
  chargeOn: ChargeOn,
): Transition {
  const ended = {
    to: 'failed',
    reason,
    reconciled: true,
    ...(unproven && { transaction: unproven.transaction, message: describeUnproven(unproven) }),
    ...(withoutEffect && { transaction: withoutEffect }),
    ...(reverted && { transaction: reverted, upstreamResponded: true }),
  } as const
  const held = settlement.hold === 'held'
  const responded = settlement.upstream_responded || reverted !== undefined
  const due = responded && chargeOn === 'upstream-2xx'
  if (due) return { ...ended, ...(held && { move: 'capture', cause: 'upstream' }) }
  return { ...ended, move: held ? 'release' : 'refund' }
}

/** Describes where an operator finds what the payer paid, so that no payment is returned unnoticed. */
const describeUnproven = ({ transaction }: TransactionPlace): string =>
  `Transaction ${transaction} paid the same amount inside another contract's call, and may have been this payment`

/** Milliseconds until a reconciler repeats its check: soon at first, then every minute. */
export function getCheckDelay(checkCount: number): number {
  return Math.min(1000 * 2 ** Math.min(checkCount, 6), 60_000)
}
