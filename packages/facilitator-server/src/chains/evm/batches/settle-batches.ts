import { CommitOutcomeUnknownError, cacheLookup } from '@mintmark/server-kit'
import type { TransactionReceipt } from 'viem'
import { makeUnknownDue } from '../../../ledger/settlements/settlement.ts'
import type { UpstreamCall, UpstreamResponse } from '../../../payment/payment.ts'
import { authorizationKey, encodeBatch } from '../reads/batch-call.ts'
import { multicallAddress } from '../reads/multicall-reads.ts'
import type { ContractCall } from '../reads/transfer.ts'
import type { BuiltInParts, EvmPayment } from '../transactions/execution.ts'
import { type Fees, getMaxCost } from '../transactions/fees.ts'
import {
  broadcast,
  type NonceLane,
  prepareNonceLane,
  releaseNonceLane,
  reserveNonceLane,
  type SettlingChain,
  signCall,
} from '../transactions/nonce-lanes.ts'
import { recordReceipt, toResponse } from '../transactions/record-receipt.ts'
import { respondForUnsent } from '../transactions/settle-on-chain.ts'
import { type Attempt, listHashes } from '../transactions/transaction-store.ts'
import { lost, notSent } from '../transactions/upstream-responses.ts'
import { createBatchQueue } from './batch-queue.ts'
import { type SimulatedBatch, simulateBatch } from './batch-simulation.ts'
import { type AddedBatch, addBatch } from './batch-store.ts'

/** The most payments of one transaction. */
const MAX_PAYMENTS = 100

/** A settle that waits for others. */
interface BatchItem {
  readonly key: string
  readonly payment: EvmPayment
  readonly transfer: ContractCall
  readonly call: UpstreamCall
  readonly signal: AbortSignal
}

/** Settles payments of one chain together. */
export interface Batches {
  /**
   * Settles a payment together with others that arrive within `delayMs`. Resolves to undefined if nothing was
   * signed and the payment must be settled by itself: it cannot be batched, its simulation failed, or no
   * other payment arrived.
   *
   * @throws Error if the database cannot be read. Then a transaction may exist.
   */
  settle(payment: EvmPayment, call: UpstreamCall, delayMs: number): Promise<UpstreamResponse | undefined>
}

const ENDED = notSent('The settle ended before its batch was signed')

/** Creates the batches of one chain. On a chain without Multicall3 no payment is batched. */
export function createBatches(parts: BuiltInParts, on: SettlingChain): Batches {
  const queue = createBatchQueue<BatchItem, UpstreamResponse>((items) => settleGroup(parts, on, items), {
    maxItems: MAX_PAYMENTS,
  })
  const hasMulticall = createMulticallCheck(on)
  return {
    async settle(payment, call, delayMs) {
      const transfer = payment.scheme.encodeShared?.(payment)
      if (transfer === undefined || !(await hasMulticall().catch(reportFalse(parts)))) return undefined
      const key = authorizationKey(payment.domain, payment.payer, payment.nonce)
      const { signal } = call
      const result = await queue.add({ key, payment, transfer, call, signal }, delayMs)
      const response = result === 'aborted' ? ENDED : result
      return response?.kind === 'not_sent' ? respondForUnsent(parts, on, payment, response, signal) : response
    },
  }
}

const reportFalse =
  ({ report }: BuiltInParts) =>
  (error: unknown): false => {
    report(error)
    return false
  }

/** Creates the check whether the chain has Multicall3. It is read once. */
function createMulticallCheck({ chain }: SettlingChain): () => Promise<boolean> {
  const readCode = cacheLookup(
    async () => (await chain.client.getCode({ address: multicallAddress })) ?? '0x',
    { ttlMs: Number.POSITIVE_INFINITY },
  )
  return async () => (await readCode('code')) !== '0x'
}

/**
 * Settles a group. The results are separate, so that a payment that is settled by itself does not wait for
 * the batch.
 */
function settleGroup(
  parts: BuiltInParts,
  on: SettlingChain,
  items: readonly BatchItem[],
): Promise<UpstreamResponse | undefined>[] {
  const results = items.map(() => Promise.withResolvers<UpstreamResponse | undefined>())
  const places = new Map(items.map((item, index) => [item, index]))
  const respond: Respond = (item, response) => results[places.get(item) ?? -1]?.resolve(response)
  simulateAndSend(parts, on, items, respond)
    .catch(parts.report)
    .finally(() => {
      // Whatever has no response was not signed.
      for (const { resolve } of results) resolve(undefined)
    })
  return results.map(({ promise }) => promise)
}

type Respond = (item: BatchItem, response: UpstreamResponse | undefined) => void

async function simulateAndSend(
  parts: BuiltInParts,
  on: SettlingChain,
  items: readonly BatchItem[],
  respond: Respond,
): Promise<void> {
  const batches = await simulateBatch(on, items)
  const kept = new Set(batches.flatMap((batch) => batch.items))
  for (const item of items) if (!kept.has(item)) respond(item, undefined)
  await Promise.all(batches.map((batch) => sendBatch(parts, on, batch, respond).catch(parts.report)))
}

/**
 * Signs a batch, stores it with its payments, broadcasts it and waits for its receipt. An item without a
 * response was not signed: whatever fails after the batch is stored, its items have a response.
 */
async function sendBatch(
  parts: BuiltInParts,
  on: SettlingChain,
  batch: SimulatedBatch<BatchItem>,
  respond: Respond,
): Promise<void> {
  const fees = await on.fees.quote()
  const { data } = encodeBatch(
    batch.items.map(({ transfer }) => transfer),
    true,
  )
  const lane = await reserveNonceLane(on, getMaxCost({ data, gas: batch.gas }, fees))
  // A payment by itself costs less.
  if (lane === undefined) return
  try {
    await prepareNonceLane(parts.db, lane)
    const added = await storeBatch(parts, lane, batch, fees)
    if ('unknown' in added) {
      const message = 'The database was lost while the transaction was written, so it may be broadcast'
      for (const item of batch.items) respond(item, lost('reset', message, added.unknown))
      return
    }
    for (const [index, item] of batch.items.entries()) {
      if (added.outcomes[index] === 'taken') respond(item, undefined)
      if (added.outcomes[index] === 'disowned')
        respond(item, notSent('The settle took longer than its lease'))
    }
    const sent = batch.items.filter((_, index) => added.outcomes[index] === 'added')
    if (added.signed === undefined) return
    try {
      await broadcastAndWait(parts, on, lane, { ...batch, items: sent, signed: added.signed }, respond)
    } catch (error) {
      parts.report(error)
      const { hash } = added.signed
      for (const item of sent) respond(item, lost('reset', 'The transactions could not be read', hash))
    }
  } finally {
    releaseNonceLane(lane)
  }
}

/**
 * Stores the signed transaction of a batch. `unknown` is its hash if the commit may have succeeded.
 *
 * @throws Error if nothing was written.
 */
async function storeBatch(
  { db, report }: BuiltInParts,
  lane: NonceLane,
  { items, gas }: SimulatedBatch<BatchItem>,
  fees: Fees,
): Promise<AddedBatch | { readonly unknown: string | undefined }> {
  const where = { chainId: lane.chain.id, signer: lane.signer.address }
  const share = gas / BigInt(items.length)
  let signed: string | undefined
  const payments = items.map(
    ({ payment: { domain, payer, nonce }, call: { settlementId, attempt }, transfer }) => ({
      domain,
      payer,
      nonce,
      settlementId,
      attempt,
      call: { ...transfer, gas: share },
    }),
  )
  try {
    return await addBatch(db, where, payments, async (nonce, sent) => {
      const transfers = sent.map(({ call }) => call)
      const call = { ...encodeBatch(transfers, true), gas }
      const attempt = await signCall(lane, nonce, call, fees)
      signed = attempt.hash
      return { call, attempt }
    })
  } catch (error) {
    if (!(error instanceof CommitOutcomeUnknownError)) throw error
    report(error)
    return { unknown: signed }
  }
}

/** Payments whose transaction is stored. */
interface StoredBatch {
  readonly items: readonly BatchItem[]
  readonly gas: bigint
  readonly signed: Attempt & { readonly id: number }
}

async function broadcastAndWait(
  parts: BuiltInParts,
  on: SettlingChain,
  lane: NonceLane,
  { items, gas, signed }: StoredBatch,
  respond: Respond,
): Promise<void> {
  const outcome = await broadcast(on.chain, signed)
  // The transaction is in the database, so a sweep broadcasts it again.
  if (outcome.kind === 'rejected') parts.report(new Error(`The node rejected a batch: ${outcome.message}`))
  if (outcome.kind === 'nonce-too-low') lane.prepared = undefined
  let newest: string | undefined = signed.hash
  const listNewest = async () => {
    const hashes = await listHashes(parts.db, signed.id)
    newest = hashes.at(-1) ?? newest
    return hashes
  }
  const end = (item: BatchItem) =>
    respond(item, lost('timeout', 'The transaction was not mined in time', newest))
  const receipt = await waitForAll(items, end, (signal) => on.receipts.wait(listNewest, signal))
  if (receipt === undefined) return
  const payments = items.map(({ payment }) => payment)
  // No payment of a batch is judged by the data of its call.
  const transaction = { purpose: 'batch', gas, data: '0x' } as const
  const recorded = recordReceipt(parts, { receipt, transaction, payments })
  const givenUp = items.filter(({ signal }) => signal.aborted).map(({ call }) => call.settlementId)
  await makeUnknownDue(parts.db, givenUp).catch(parts.report)
  const responses = payments.map((payment) => toResponse(payment, receipt, transaction))
  // A revert is counted before the payer can send the next payment.
  if (responses.some((response) => !isSuccess(response))) await recorded
  for (const [index, item] of items.entries()) respond(item, responses[index])
}

const isSuccess = (response: UpstreamResponse): boolean =>
  response.kind === 'responded' && response.body.success

/**
 * Waits for a receipt until every settle has ended. A settle whose signal ends its wait does not end that of
 * the others.
 *
 * @param onEnd Called for each settle whose signal ends its wait.
 */
async function waitForAll(
  items: readonly BatchItem[],
  onEnd: (item: BatchItem) => void,
  wait: (signal: AbortSignal) => Promise<TransactionReceipt | undefined>,
): Promise<TransactionReceipt | undefined> {
  const all = new AbortController()
  const ended = new AbortController()
  let waiting = items.length
  for (const item of items) {
    const end = () => {
      onEnd(item)
      waiting -= 1
      if (waiting === 0) all.abort()
    }
    if (item.signal.aborted) end()
    else item.signal.addEventListener('abort', end, { once: true, signal: ended.signal })
  }
  try {
    return await wait(all.signal)
  } finally {
    ended.abort()
  }
}
