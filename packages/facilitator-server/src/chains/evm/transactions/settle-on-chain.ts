import { setTimeout as pause } from 'node:timers/promises'
import { CommitOutcomeUnknownError } from '@mintmark/server-kit'
import type { UpstreamCall, UpstreamResponse } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { type BuiltInParts, EarlierPaymentError, type EvmPayment } from './execution.ts'
import { FeeCapExceededError } from './fees.ts'
import { broadcast, prepareNonceLane, releaseNonceLane, type SettlingChain, signCall } from './nonce-lanes.ts'
import { recordReceipt, toResponse } from './record-receipt.ts'
import { createSettlementCall } from './settlement-call.ts'
import { hasCode, type Prepared, simulateTransfer } from './simulation.ts'
import { type Attempt, addSettlement, findByPayment, type StoredTransaction } from './transaction-store.ts'
import { lost, notSent, refused, type Unsent } from './upstream-responses.ts'

/**
 * Signs and broadcasts the transaction of a payment, unless there is one already, and waits for its receipt.
 */
export async function settleOnChain(
  parts: BuiltInParts,
  on: SettlingChain | undefined,
  payment: EvmPayment,
  call: UpstreamCall,
): Promise<UpstreamResponse> {
  if (on === undefined) return refused(reasons.invalidNetwork, `There is no access to ${payment.network}`)
  const made = await payment.scheme.prepare?.(parts, on, payment, call)
  const prepared =
    made === 'approved'
      ? await prepareApproved(parts, on, payment, call.signal)
      : (made ?? (await prepare(parts, on, payment)))
  if ('kind' in prepared) return respondForUnsent(parts, on, payment, prepared, call.signal)
  try {
    return await signAndBroadcast(parts, on, prepared, payment, call)
  } finally {
    releaseNonceLane(prepared.lane)
  }
}

/**
 * Responds for a payment that a call has not sent. A call that was interrupted may have signed already, in
 * this process or another. Its transaction decides, even if the payment could not be sent now. A payment that
 * can be sent is not searched for, because a second transaction cannot be stored.
 *
 * @throws Error if the database cannot be read. Then a transaction may exist.
 */
export async function respondForUnsent(
  parts: BuiltInParts,
  on: SettlingChain,
  payment: EvmPayment,
  unsent: Unsent,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const existing = await findByPayment(parts.db, on.chain.id, payment)
  return existing === undefined ? unsent : waitForReceipt(parts, on, payment, signal)
}

async function signAndBroadcast(
  parts: BuiltInParts,
  on: SettlingChain,
  prepared: Prepared,
  payment: EvmPayment,
  call: UpstreamCall,
): Promise<UpstreamResponse> {
  const signed = await sign(parts, prepared, payment, call)
  if (signed === 'taken') return waitForReceipt(parts, on, payment, call.signal)
  if ('kind' in signed)
    return signed.kind === 'lost' ? signed : respondForUnsent(parts, on, payment, signed, call.signal)
  const outcome = await broadcast(on.chain, signed)
  // The transaction is in the database, so a sweep broadcasts it again.
  if (outcome.kind === 'rejected')
    parts.report(new Error(`The node rejected a settlement: ${outcome.message}`))
  if (outcome.kind === 'nonce-too-low') prepared.lane.prepared = undefined
  try {
    return await waitForReceipt(parts, on, payment, call.signal)
  } catch (error) {
    parts.report(error)
    return lost('reset', 'The transactions could not be read', signed.hash)
  }
}

/**
 * Makes every check that can refuse the payment. Nothing is signed before. Reserves the signer of a transfer
 * that can be signed.
 */
async function prepare(
  parts: BuiltInParts,
  on: SettlingChain,
  payment: EvmPayment,
): Promise<Prepared | Unsent> {
  const { report } = parts
  try {
    const { gasCaps } = on
    const call = await createSettlementCall(payment, {
      ...parts,
      gasCaps,
      hasCode: () => hasCode(on, payment.payer),
    })
    return 'kind' in call ? call : await simulateTransfer({ on, payment, report, ...call })
  } catch (error) {
    report(error)
    if (error instanceof FeeCapExceededError) return notSent(error.message)
    return notSent('The chain or the database could not be read')
  }
}

/** How long a node may lag behind the one that has shown an approval. */
const APPROVAL_LAG_MS = 3_000
const RETRY_INTERVAL_MS = 200

/**
 * Prepares a payment whose approval was just mined. A node that lags behind the approval simulates the
 * transfer without it, so that a failure is not believed at once.
 */
async function prepareApproved(
  parts: BuiltInParts,
  on: SettlingChain,
  payment: EvmPayment,
  signal: AbortSignal,
): Promise<Prepared | Unsent> {
  const end = performance.now() + APPROVAL_LAG_MS
  for (;;) {
    const prepared = await prepare(parts, on, payment)
    const isFailed = 'kind' in prepared && prepared.kind !== 'not_sent'
    if (!isFailed || signal.aborted || performance.now() >= end) return prepared
    await pause(RETRY_INTERVAL_MS)
  }
}

async function sign(
  { db, report }: BuiltInParts,
  { lane, call, fees }: Prepared,
  payment: EvmPayment,
  { settlementId, attempt }: UpstreamCall,
): Promise<Attempt | 'taken' | Unsent> {
  const where = { chainId: lane.chain.id, signer: lane.signer.address }
  let signed: string | undefined
  try {
    await prepareNonceLane(db, lane)
  } catch (error) {
    report(error)
    return notSent('The chain could not be read')
  }
  try {
    const added = await addSettlement(db, where, { ...payment, settlementId, attempt }, call, {
      async sign(nonce) {
        const first = await signCall(lane, nonce, call, fees)
        signed = first.hash
        return first
      },
      async commit(trx) {
        await payment.scheme.commit?.(trx, { chainId: lane.chain.id, settlementId }, payment)
      },
    })
    return added === 'disowned' ? notSent('The settle took longer than its lease') : added
  } catch (error) {
    if (error instanceof EarlierPaymentError) return notSent(error.message)
    report(error)
    return error instanceof CommitOutcomeUnknownError
      ? lost(
          'reset',
          'The database was lost while the transaction was written, so it may be broadcast',
          signed,
        )
      : notSent('The transaction could not be stored')
  }
}

/** Waits for the receipt of the payment's transaction, whichever of its attempts is mined. */
async function waitForReceipt(
  parts: BuiltInParts,
  on: SettlingChain,
  payment: EvmPayment,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  let transaction: StoredTransaction | undefined
  const listHashes = async () => {
    const found = await findByPayment(parts.db, on.chain.id, payment)
    transaction = found
    return found?.attempts.map(({ hash }) => hash) ?? []
  }
  const receipt = await on.receipts.wait(listHashes, signal)
  if (receipt === undefined || transaction === undefined)
    return lost('timeout', 'The transaction was not mined in time', transaction?.attempts.at(-1)?.hash)
  // The other payments of a batch are in the database.
  const payments = transaction.purpose === 'batch' ? undefined : [payment]
  const recorded = recordReceipt(parts, { receipt, transaction, payments })
  const response = toResponse(payment, receipt, transaction)
  // A revert is counted before the payer can send the next payment.
  if (receipt.status !== 'success' || response.kind !== 'responded' || !response.body.success) await recorded
  return response
}
