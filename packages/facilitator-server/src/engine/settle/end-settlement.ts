import { evaluateUpstreamResponse, type Transition } from '../../ledger/settlements/rules.ts'
import type { ChangedSettlement } from '../../ledger/settlements/transition.ts'
import type { Payment, UpstreamResponse } from '../../payment/payment.ts'
import { CONFIRM_AFTER_MS, type EngineSettings } from '../settings/engine-options.ts'
import { respondForSettlement } from './existing-settlement.ts'
import {
  failedOutcome,
  notSentOutcome,
  pendingOutcome,
  type SettleOutcome,
  settledOutcome,
} from './outcome.ts'
import type { SettleParts, SettleRequest } from './settle-request.ts'

/** Milliseconds until a reconciler first checks an unknown settlement. */
const FIRST_CHECK_MS = 1000
/** Seconds after which the caller should repeat a settle whose end could not be recorded. */
const RETRY_AFTER_LOST_DATABASE = 5

/**
 * Ends a `sent` settlement as it follows from the upstream's response. The payment may be
 * made, so that the outcome is pending if the end cannot be recorded, for whatever reason.
 */
export async function endSettlement(
  parts: SettleParts,
  request: SettleRequest,
  settlementId: number,
  response: UpstreamResponse,
): Promise<SettleOutcome> {
  const { settings } = parts
  const { payment, call, attempt } = request
  const transition = evaluateUpstreamResponse(response, settings.chargeOn)
  const respondUnrecorded = (error: unknown): SettleOutcome => {
    // The row is still `sent`, or has ended although the commit was not confirmed. Reconciliation or the next
    // call finds out which.
    settings.log.error({ err: error, settlementId }, 'The end of a settlement could not be recorded')
    parts.deliveries.release(settlementId, attempt)
    return unrecordedOutcome(settlementId, response, payment)
  }
  let settlement: ChangedSettlement | undefined
  try {
    settlement = await parts.applyTransition({
      id: settlementId,
      attempt,
      from: 'sent',
      hold: 'held',
      transition,
      lease: getLease(settings, payment, transition),
      // The next call of the payment receives a success whose caller is gone.
      ...(transition.to === 'settled' && !call.signal?.aborted && { deliverTo: attempt }),
    })
  } catch (error) {
    return respondUnrecorded(error)
  }
  await settings.faultPoint('after-ending-commit')
  // The row belongs to a reconciler, because the lease ended, or it was changed by this call in a commit that
  // was not confirmed.
  if (settlement === undefined)
    return respondForSettlement(parts, request, settlementId, { wait: false }).catch(respondUnrecorded)
  switch (settlement.state) {
    case 'settled':
      return settledOutcome(settlement, payment, false)
    case 'not_sent':
      return notSentOutcome(settlement)
    case 'failed':
      return failedOutcome(settlement)
    default:
      return pendingOutcome(settlement)
  }
}

/** Milliseconds until a reconciler checks the settlement. Null if nothing is left to find out. */
function getLease({ chainReader }: EngineSettings, { network }: Payment, { to }: Transition): number | null {
  if (to === 'unknown') return FIRST_CHECK_MS
  const isReadable = chainReader?.readable(network) === true
  return to === 'settled' && isReadable ? CONFIRM_AFTER_MS : null
}

function unrecordedOutcome(
  settlementId: number,
  response: UpstreamResponse,
  payment: Payment,
): SettleOutcome {
  const transaction =
    response.kind === 'responded'
      ? response.body.transaction
      : response.kind === 'lost' && response.transaction
  return {
    kind: 'pending',
    ...(transaction && { transaction }),
    payer: payment.payer,
    retryAfter: RETRY_AFTER_LOST_DATABASE,
    settlementId,
  }
}
