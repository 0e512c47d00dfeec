import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { batch, batchByKey } from '../../database/batch.ts'
import { executeStatement } from '../../database/execute-statement.ts'
import { retryLostConnection } from '../../database/lost-connection.ts'
import { createReserve, type Reservation, type ReserveRequest } from '../../ledger/settlements/reserve.ts'
import { findByIds, findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import {
  applyTransitions,
  type ChangedSettlement,
  type GuardedTransition,
  isCredit,
} from '../../ledger/settlements/transition.ts'
import type { Payment, UpstreamResponse, VerificationOutcome } from '../../payment/payment.ts'
import { reasons } from '../../payment/reasons.ts'
import { type EngineSettings, servesNetwork } from '../settings/engine-options.ts'
import { callUpstream } from './call-upstream.ts'
import { endSettlement } from './end-settlement.ts'
import { respondForExisting, respondForSettlement } from './existing-settlement.ts'
import { refusedForPayer, type SettleOutcome } from './outcome.ts'
import type { Settle, SettleParts, SettleRequest } from './settle-request.ts'
import { changeUnsentAmount } from './unsent-amount.ts'

/** The most settlements that one statement reads or ends. */
const MAX_BATCH_SIZE = 500

/**
 * Creates the function that settles a payment: verify, hold the price, call the upstream, end the settlement.
 * The hold and the end are one statement each, which commits by itself. If the process dies between them, a
 * reconciler finds out what happened.
 */
export function createSettle(
  settings: EngineSettings,
  shared: Pick<SettleParts, 'reconcileOne' | 'deliveries' | 'waits'>,
): Settle {
  const parts: SettleParts = {
    ...shared,
    settings,
    reserve: createReserve(settings.db, {
      price: settings.price,
      upstream: settings.listSignedTransactions === undefined ? 'remote' : 'built-in',
      leaseMilliseconds: settings.lease,
      patience: settings.patience,
      lowBalance: settings.lowBalance,
      revertLimits: settings.revertLimits,
      faultPoint: settings.faultPoint,
      ...(settings.enqueue && { enqueue: settings.enqueue }),
    }),
    findById: batch((ids: number[]) => findByIds(settings.db, ids), { maxItems: MAX_BATCH_SIZE }),
    applyTransition: createApplyTransition(settings),
  }
  return async (payment, call) => {
    const attempt = randomUUID()
    const outcome = await settlePayment(parts, { payment, call, attempt })
    if (outcome.kind === 'settled' && !outcome.repeated) {
      const { settlementId } = outcome.settlement
      call.onUndelivered?.(() => parts.deliveries.release(settlementId, attempt))
    }
    return outcome.kind === 'pending' ? addNewestTransaction(settings, payment, outcome) : outcome
  }
}

/**
 * Adds the newest transaction that was signed for a pending payment. Stock sellers repeat a pending settle only
 * if it names a transaction.
 */
async function addNewestTransaction(
  { listSignedTransactions, log }: EngineSettings,
  payment: Payment,
  outcome: SettleOutcome & { kind: 'pending' },
): Promise<SettleOutcome> {
  try {
    const transaction = (await listSignedTransactions?.(payment))?.at(-1) ?? outcome.transaction
    return { ...outcome, ...(transaction !== undefined && { transaction }) }
  } catch (error) {
    log.error(
      { err: error, settlementId: outcome.settlementId },
      'The signed transactions could not be listed',
    )
    return outcome
  }
}

async function settlePayment(parts: SettleParts, request: SettleRequest): Promise<SettleOutcome> {
  const { settings } = parts
  const { payment, call, attempt } = request
  if (!servesNetwork(settings, payment.network)) {
    return { kind: 'refused', reason: 'invalid_network', message: `${payment.network} is not served here` }
  }
  const verified = await settings.verifier?.verify(payment)
  if (verified?.isValid === false) return respondForInvalid(parts, request, verified)

  if (payment.scheme.isMetered && payment.amount === 0n) return { kind: 'nothing-due', payer: payment.payer }

  await settings.faultPoint('before-hold')
  const requestedAt = performance.now()
  const reservation = await reservePayment(parts, { payment, attempt, funds: verified?.funds, ...call })
  switch (reservation.kind) {
    case 'refused':
      return refusedForPayer(payment, reservation.cause)
    case 'short':
      return { kind: 'insufficient', shortage: reservation.shortage }
    case 'existing':
      return respondForSettlement(parts, request, reservation.settlementId)
    case 'granted':
      return executePayment(parts, request, { settlementId: reservation.settlementId, requestedAt })
  }
}

/**
 * Reserves a payment. A metered one that was not sent is reserved with the amount of this call, because the
 * seller's work may have used another amount this time.
 */
async function reservePayment(
  { settings: { db, patience }, reserve }: SettleParts,
  request: ReserveRequest,
): Promise<Reservation> {
  const reservation = await reserve(request)
  if (reservation.kind !== 'existing' || !request.payment.scheme.isMetered) return reservation
  const isChanged = await retryLostConnection(
    () => changeUnsentAmount(db, reservation.settlementId, request),
    patience,
  )
  return isChanged ? reserve(request) : reservation
}

/**
 * Executes a payment whose price is held. `requestedAt` is the time of the reservation, by
 * `performance.now()`.
 */
async function executePayment(
  parts: SettleParts,
  request: SettleRequest,
  { settlementId, requestedAt }: { settlementId: number; requestedAt: number },
): Promise<SettleOutcome> {
  const { settings } = parts
  await settings.faultPoint('after-hold-commit')
  await request.call.onReserved?.(settlementId)
  const unstored = await storeClaim(parts, request)
  if (unstored !== undefined) return endSettlement(parts, request, settlementId, unstored)
  // The lease began after `requestedAt`. It is renewed if too little of it is left for the upstream.
  const remainingLease = settings.lease - (performance.now() - requestedAt)
  if (remainingLease <= settings.upstreamTimeout) {
    const isRenewed = await renewLease(settings, settlementId, request.attempt)
    if (!isRenewed) return respondForSettlement(parts, request, settlementId, { wait: false })
  }
  const response = await callUpstream(settings, request, settlementId)
  await settings.faultPoint('after-upstream')
  return endSettlement(parts, request, settlementId, response)
}

/**
 * Stores what the account can claim of a payment before the payment is sent, and after its price is held, so
 * that an account without means stores nothing. Returns a response if nothing may be sent.
 */
async function storeClaim(
  { settings }: SettleParts,
  { payment, call: { account } }: SettleRequest,
): Promise<UpstreamResponse | undefined> {
  if (!payment.scheme.isClaimable) return undefined
  const problem = await settings.storeClaim?.(payment, account.id)
  if (problem === undefined) return undefined
  return { kind: 'not_sent', reason: reasons.settleError, message: `${problem}. Nothing was sent` }
}

/**
 * Responds for a payment that verification refuses. The reason may be that it was settled: a settle uses the
 * nonce. A valid payment is not searched for, because its reservation finds its settlement.
 */
async function respondForInvalid(
  parts: SettleParts,
  request: SettleRequest,
  refusal: VerificationOutcome & { isValid: false },
): Promise<SettleOutcome> {
  const { db, patience } = parts.settings
  const key = paymentKey(request.payment)
  const existing = await retryLostConnection(() => findByPayment(db, key), patience)
  if (existing !== undefined) {
    const outcome = await respondForExisting(parts, request, existing)
    if (outcome.kind !== 'not-sent') return outcome
  }
  const { invalidReason: reason, invalidMessage: message, payer } = refusal
  return { kind: 'refused', reason, ...(message && { message }), ...(payer && { payer }) }
}

async function renewLease(
  { db, lease, patience }: EngineSettings,
  settlementId: number,
  attempt: string,
): Promise<boolean> {
  const { rows } = await retryLostConnection(
    () =>
      sql`
        update facilitator.settlements
        set lease_until = clock_timestamp() + make_interval(secs => ${lease / 1000}::float8)
        where id = ${settlementId} and attempt = ${attempt} and state = 'sent' returning id`.execute(db),
    patience,
  )
  return rows.length === 1
}

/**
 * Creates the function that applies a transition in a batch with others. Transitions that return a price wait
 * for the rows of accounts, so they have batches of their own.
 */
function createApplyTransition(settings: EngineSettings): SettleParts['applyTransition'] {
  const apply = batchByKey(
    (_: 'credit' | 'other', transitions: GuardedTransition[]) => applyBatch(settings, transitions),
    { maxItems: MAX_BATCH_SIZE },
  )
  return (guarded) => apply(isCredit(guarded.transition) ? 'credit' : 'other', guarded)
}

async function applyBatch(
  { db, enqueue, faultPoint, patience }: EngineSettings,
  transitions: readonly GuardedTransition[],
): Promise<(ChangedSettlement | undefined)[]> {
  const changed = await executeStatement(
    () => applyTransitions(db, transitions, enqueue),
    patience,
    () => faultPoint('ending-in-flight'),
  )
  const byId = new Map(changed.map((settlement) => [settlement.id, settlement]))
  return transitions.map(({ id }) => byId.get(id))
}
