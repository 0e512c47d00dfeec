import { retryLostConnection } from '../../database/lost-connection.ts'
import { claimDelivery, type Settlement } from '../../ledger/settlements/settlement.ts'
import { differsAtMostInAmount } from '../../payment/fingerprint.ts'
import { isRepeatOf } from '../../payment/identifier.ts'
import {
  duplicateOutcome,
  failedOutcome,
  notSentOutcome,
  pendingOutcome,
  type SettleOutcome,
  settledOutcome,
} from './outcome.ts'
import type { SettleParts, SettleRequest } from './settle-request.ts'
import { isSameUnsent } from './unsent-amount.ts'

/** Whether the response waits for the outcome. A call that has executed the payment has waited already. */
interface ResponseOptions {
  readonly wait?: boolean
}

/**
 * Responds for a payment that already has a settlement. Holds nothing and calls no upstream. Waits for the
 * outcome, also while another call executes the payment: that call may have lost its caller. `not-sent` means
 * that the caller may reserve the payment again.
 */
export async function respondForExisting(
  parts: SettleParts,
  request: SettleRequest,
  settlement: Settlement,
  { wait = true }: ResponseOptions = {},
): Promise<SettleOutcome> {
  const outcome = await respondForEnded(parts, request, settlement)
  if (outcome !== undefined) return outcome
  if (isDue(settlement)) {
    await parts.reconcileOne(settlement.id)
    const reconciled = await readSettlement(parts, settlement.id)
    const found = await respondForEnded(parts, request, reconciled)
    if (found !== undefined) return found
  }
  if (wait) await parts.waits.wait(settlement.id, request.call.signal)
  const awaited = await readSettlement(parts, settlement.id)
  return (await respondForEnded(parts, request, awaited)) ?? pendingOutcome(awaited)
}

/**
 * Whether reconciliation may check the settlement now. The database's clock decides; a difference between the
 * clocks only leaves the check to the job.
 */
const isDue = ({ lease_until: until }: Settlement): boolean => until !== null && until.getTime() <= Date.now()

/** Reads the settlement and responds as `respondForExisting` does. */
export async function respondForSettlement(
  parts: SettleParts,
  request: SettleRequest,
  settlementId: number,
  options?: ResponseOptions,
): Promise<SettleOutcome> {
  return respondForExisting(parts, request, await readSettlement(parts, settlementId), options)
}

/** Returns undefined while the settlement is `sent` or `unknown`. */
async function respondForEnded(
  parts: SettleParts,
  { payment, call, attempt }: SettleRequest,
  settlement: Settlement,
): Promise<SettleOutcome | undefined> {
  if (settlement.account_id !== call.account.id) {
    return { kind: 'conflict', message: 'Another account already presented this authorization' }
  }
  const isRepeat = isRepeatOf({ identifier: settlement.payment_identifier }, payment, call)
  const isSame =
    settlement.fingerprint === payment.fingerprint ||
    isSameUnsent(settlement, payment) ||
    (isRepeat && differsAtMostInAmount(payment, settlement))
  if (!isSame) {
    return { kind: 'conflict', message: 'This authorization was already presented with other terms' }
  }
  if (settlement.state === 'failed') return failedOutcome(settlement)
  if (settlement.state === 'not_sent') return notSentOutcome(settlement)
  if (settlement.state !== 'settled') return undefined
  // Nobody reads the response, so that it claims nothing.
  if (call.signal?.aborted) return pendingOutcome(settlement)
  const claim = await claimForCall(parts, settlement.id, attempt)
  if (claim === 'unknown') return pendingOutcome(settlement)
  if (claim === 'claimed') return settledOutcome(settlement, payment, false)
  const isFirstCaller =
    call.idempotencyKey !== undefined && settlement.idempotency_key === call.idempotencyKey
  return isFirstCaller || isRepeat || payment.scheme.isRepeatable
    ? settledOutcome(settlement, payment, true)
    : duplicateOutcome(settlement)
}

/**
 * Claims the delivery for a call. `unknown`: the claim may be committed, and was released, so that the call
 * must not deliver.
 */
async function claimForCall(
  { settings, deliveries }: SettleParts,
  settlementId: number,
  attempt: string,
): Promise<'claimed' | 'taken' | 'unknown'> {
  const { db, patience, log } = settings
  const claim = async () => {
    await deliveries.flush(settlementId)
    return claimDelivery(db, settlementId, attempt)
  }
  try {
    return (await retryLostConnection(claim, patience)) ? 'claimed' : 'taken'
  } catch (error) {
    log.error({ err: error, settlementId }, 'The delivery of a success could not be claimed')
    deliveries.release(settlementId, attempt)
    return 'unknown'
  }
}

async function readSettlement({ settings, findById }: SettleParts, id: number): Promise<Settlement> {
  const settlement = await retryLostConnection(() => findById(id), settings.patience)
  if (settlement === undefined) throw new Error(`Settlement ${id} does not exist`)
  return settlement
}
