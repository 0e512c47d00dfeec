import { randomUUID } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { batch } from '../../database/batch.ts'
import { retryLostConnection } from '../../database/lost-connection.ts'
import { createReserve } from '../../ledger/settlements/reserve.ts'
import { evaluateUpstreamResponse } from '../../ledger/settlements/rules.ts'
import { findByPayment, paymentKey, type Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions, type GuardedTransition } from '../../ledger/settlements/transition.ts'
import { type EngineSettings, servesNetwork } from '../engine-options.ts'
import type { VerificationOutcome } from '../payment.ts'
import { callUpstream } from './call-upstream.ts'
import { endSettlement } from './end-settlement.ts'
import { respondForExisting, respondForSettlement } from './existing-settlement.ts'
import { refusedForPayer, type SettleOutcome } from './outcome.ts'
import type { Settle, SettleParts, SettleRequest } from './settle-request.ts'

/** The most settlements that one statement ends. */
const MAX_BATCH_SIZE = 250

/**
 * Creates the function that settles a payment: find its settlement, verify, hold the price, call the upstream, end the settlement. The
 * hold and the end are one commit each. No transaction is open between them, and if the process dies there, a reconciler finds out what
 * happened.
 */
export function createSettle(
  settings: EngineSettings,
  reconcileOne: (settlementId: number) => Promise<void>,
): Settle {
  const parts: SettleParts = {
    settings,
    reconcileOne,
    reserve: createReserve(settings.db, {
      price: settings.price,
      upstream: settings.listSignedTransactions === undefined ? 'remote' : 'built-in',
      leaseMilliseconds: settings.lease,
      patience: settings.patience,
      lowBalance: settings.lowBalance,
      revertLimits: settings.revertLimits,
      inTransaction: settings.faultPoint,
      ...(settings.enqueue && { enqueue: settings.enqueue }),
    }),
    applyTransition: batch((transitions) => applyBatch(settings, transitions), { maxItems: MAX_BATCH_SIZE }),
  }
  return (payment, call) => settlePayment(parts, { payment, call, attempt: randomUUID() })
}

async function settlePayment(parts: SettleParts, request: SettleRequest): Promise<SettleOutcome> {
  const { settings } = parts
  const { payment, call, attempt } = request
  if (!servesNetwork(settings, payment.network)) {
    return { kind: 'refused', reason: 'invalid_network', message: `${payment.network} is not served here` }
  }
  // Verification runs while the database is read. Its result does not matter for a payment that has a settlement: a settle uses the nonce.
  const verification = settings.verifier?.verify(payment)
  verification?.catch(() => {})
  const existing = await findByPayment(settings.db, paymentKey(payment))
  if (existing !== undefined) {
    const outcome = await respondForExisting(parts, request, existing)
    if (outcome.kind !== 'not-sent') return outcome
  }

  const verified = await verification
  if (verified?.isValid === false) return toRefusal(verified)

  await settings.faultPoint('before-hold')
  const requestedAt = performance.now()
  const reservation = await parts.reserve({ payment, attempt, funds: verified?.funds, ...call })
  switch (reservation.kind) {
    case 'refused':
      return refusedForPayer(payment, reservation.cause)
    case 'short':
      return { kind: 'insufficient', shortage: reservation.shortage }
    case 'existing':
      return respondForSettlement(parts, request, reservation.settlementId)
    case 'granted':
      await settings.faultPoint('after-hold-commit')
      return executePayment(parts, request, { settlementId: reservation.settlementId, requestedAt })
  }
}

/** Executes a payment whose price is held. `requestedAt` is the time of the reservation, by `performance.now()`. */
async function executePayment(
  parts: SettleParts,
  request: SettleRequest,
  { settlementId, requestedAt }: { settlementId: number; requestedAt: number },
): Promise<SettleOutcome> {
  const { settings } = parts
  // The lease began after `requestedAt`. It is renewed if too little of it is left for the upstream.
  const remainingLease = settings.lease - (performance.now() - requestedAt)
  if (remainingLease <= settings.upstreamTimeout) {
    const isRenewed = await renewLease(settings, settlementId, request.attempt)
    if (!isRenewed) return respondForSettlement(parts, request, settlementId)
  }
  const response = await callUpstream(settings, request, settlementId)
  await settings.faultPoint('after-upstream')
  return endSettlement(parts, request, settlementId, evaluateUpstreamResponse(response, settings.chargeOn))
}

function toRefusal(outcome: VerificationOutcome & { isValid: false }): SettleOutcome {
  const { invalidReason: reason, invalidMessage: message, payer } = outcome
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

async function applyBatch(
  { db, enqueue, faultPoint, patience }: EngineSettings,
  transitions: readonly GuardedTransition[],
): Promise<(Settlement | undefined)[]> {
  const changed = await retryLostConnection(
    () =>
      transaction(db, async (trx) => {
        const rows = await applyTransitions(trx, transitions, enqueue)
        await faultPoint('in-ending-transaction')
        return rows
      }),
    patience,
  )
  const byId = new Map(changed.map((settlement) => [settlement.id, settlement]))
  return transitions.map(({ id }) => byId.get(id))
}
