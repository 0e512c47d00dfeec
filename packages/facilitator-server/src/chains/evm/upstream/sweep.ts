import {
  type Chain,
  compareBlock,
  compareBlocksAsOf,
  type FinalBlock,
  findRpcError,
  isNonceUsedByOther,
  isRevert,
  readReceipt,
} from '@mintmark/evm-reader'
import type { Store } from '../../../database/store.ts'
import { makeUnknownDue } from '../../../ledger/settlements/settlement.ts'
import { asHex } from '../reads/transfer.ts'
import {
  type BatchedRow,
  listBatchedPayments,
  listSpoiledPayments,
  recordPaymentSuperseded,
} from '../transactions/batched-payments.ts'
import type { Executions } from '../transactions/execution.ts'
import { type FeeQuote, getMaxCost, getReplacementFees, isUnderpriced } from '../transactions/fees.ts'
import {
  finalizeBlock,
  listMinedBlocks,
  listMinedBlocksFromNonce,
  type MinedBlock,
  revertBlock,
} from '../transactions/mined-blocks.ts'
import {
  broadcast,
  broadcastAgain,
  type NonceLane,
  prepareNonceLane,
  releaseNonceLane,
  reserveNonceLane,
  type SettlingChain,
  signCall,
} from '../transactions/nonce-lanes.ts'
import { getNextNonce, listNonceGaps, listSigners } from '../transactions/nonce-store.ts'
import { storeReceipt } from '../transactions/record-receipt.ts'
import { estimateGas } from '../transactions/simulation.ts'
import { recordSuperseded } from '../transactions/transaction-outcomes.ts'
import {
  type Attempt,
  addFill,
  addReplacement,
  addUnderNewNonce,
  getNewestAttempt,
  listSent,
  listSettlementIds,
  type StoredTransaction,
  type Superseded,
} from '../transactions/transaction-store.ts'

/** What a sweep did, as numbers of transactions. */
export interface SweepReport {
  broadcast: number
  replaced: number
  /** Signed under a new nonce, because another program used the first one. */
  signedAgain: number
  filled: number
  mined: number
  final: number
}

export interface SweepOptions {
  db: Store
  on: SettlingChain
  executions: Executions
  /** Seconds. */
  replaceAfter: number
  report: (error: unknown) => void
}

const SENT_BATCH_SIZE = 1000
const BLOCK_BATCH_SIZE = 100
const PLAIN_TRANSFER_GAS = 21_000n

/**
 * Maintains the signed transactions of one chain: fills gaps between nonces, broadcasts and replaces
 * transactions that were not mined, signs those again whose nonce another program used, and marks
 * transactions in final blocks as final. Every step is guarded in the database or idempotent, so any number
 * of processes may run it concurrently. A failure is reported and does not stop the rest.
 */
export async function sweepChain(options: SweepOptions): Promise<SweepReport> {
  const { db, on, report } = options
  const counts = { broadcast: 0, replaced: 0, signedAgain: 0, filled: 0, mined: 0, final: 0 }
  try {
    const final = await on.chain.finalBlock()
    const getQuote = createQuoteReader(options)
    for (const lane of on.lanes) counts.filled += await fillGapsIfSigned(options, lane, getQuote)
    const configured = on.lanes.map((lane) => lane.signer.address)
    for (const { signer, nextNonce } of await listSigners(db, on.chain.id, configured)) {
      await sweepSigner(options, { signer, nextNonce, final, getQuote }, counts)
    }
    counts.final += await sweepFinalBlocks(options, final)
    const spoiled = await listSpoiledPayments(db, on.chain.id)
    counts.signedAgain += (await signPayments(options, spoiled, getQuote)).signed
  } catch (error) {
    report(error)
  }
  return counts
}

/** Fills the gaps of one signer. A key service that does not sign stops nothing else. */
async function fillGapsIfSigned(
  options: SweepOptions,
  lane: NonceLane,
  getQuote: QuoteReader,
): Promise<number> {
  try {
    await prepareNonceLane(options.db, lane)
    return await fillGaps(options, lane, getQuote)
  } catch (error) {
    options.report(error)
    return 0
  }
}

type QuoteReader = () => Promise<FeeQuote | undefined>

/**
 * Creates the function that reads the fees when a sweep first needs them. Without a quote nothing is signed,
 * and what was signed is still broadcast and recorded.
 */
function createQuoteReader({ on, report }: SweepOptions): QuoteReader {
  let quote: Promise<FeeQuote | undefined> | undefined
  return () => {
    quote ??= on.fees.quote().catch((error: unknown) => {
      report(error)
      return undefined
    })
    return quote
  }
}

/**
 * Sweeps the signer's transactions that are not mined, lowest nonce first, because the chain mines them in
 * that order. Transactions that are signed during the sweep wait for the next one.
 */
async function sweepSigner(
  options: SweepOptions,
  {
    signer,
    nextNonce,
    final,
    getQuote,
  }: { signer: string; nextNonce: number; final: FinalBlock; getQuote: QuoteReader },
  counts: SweepReport,
): Promise<void> {
  const { db, on, report } = options
  const where = { chainId: on.chain.id, signer }
  try {
    const minedNonces = await countMined(on.chain, signer)
    // The chain does not count these as mined: either a reorganization removed their block or the node lags.
    const disputed = await listMinedBlocksFromNonce(db, where, minedNonces)
    for (const block of disputed) await revertIfReplaced(options, block)

    let isDelayed = false
    let from = 0
    while (from < nextNonce) {
      const batch = await listSent(db, where, { from, before: nextNonce, limit: SENT_BATCH_SIZE })
      for (const transaction of batch) {
        const action = await sweepSent(options, transaction, { final, minedNonces, getQuote }).catch(report)
        if (action) counts[action] += 1
        const isWaiting = action !== 'mined' && action !== 'final' && transaction.nonce >= minedNonces
        if (isWaiting && transaction.totalAge >= options.replaceAfter) isDelayed = true
      }
      from = (batch.at(-1)?.nonce ?? nextNonce) + 1
    }
    const lane = findLane(on, signer)
    if (lane !== undefined) lane.isDelayed = isDelayed
  } catch (error) {
    report(error)
  }
}

/** Undefined for a signer whose key was removed from the configuration. */
const findLane = ({ lanes }: SettlingChain, signer: string): NonceLane | undefined =>
  lanes.find((lane) => lane.signer.address === signer)

async function sweepSent(
  options: SweepOptions,
  transaction: StoredTransaction,
  { final, minedNonces, getQuote }: { final: FinalBlock; minedNonces: number; getQuote: QuoteReader },
): Promise<keyof SweepReport | undefined> {
  const { db, on } = options
  const mined = await recordIfMined(options, transaction, final)
  if (mined) return mined
  const isStuck = transaction.age >= options.replaceAfter
  if (transaction.nonce < minedNonces) {
    // Another program has filled the gap. A grant is not repeated under another nonce, because both might be
    // mined.
    if (transaction.purpose === 'fill' || transaction.purpose === 'grant')
      return recordIfSuperseded(db, on.chain, transaction, final)
    const isReplaced = isStuck && (await isUsedByOther(on.chain, transaction))
    if (isReplaced && transaction.purpose === 'batch') {
      // Its payments no longer belong together. Another transaction may have used the authorizations of some.
      const { signed, waiting } = await signPayments(
        options,
        await listBatchedPayments(db, transaction.id),
        getQuote,
      )
      if (waiting === 0) await recordIfSuperseded(db, on.chain, transaction, final)
      return signed > 0 ? 'signedAgain' : undefined
    }
    const result = isReplaced ? await signAgain(options, transaction, getQuote) : 'retry'
    if (result === 'refused') return recordIfSuperseded(db, on.chain, transaction, final)
    return result === 'signed' ? 'signedAgain' : undefined
  }
  if (getNewestAttempt(transaction) === undefined) return signFirst(options, transaction, getQuote)
  const isReplaced =
    isStuck &&
    (await replace(options, transaction, { getQuote, minedNonces }).catch((error: unknown) => {
      options.report(error)
      return false
    }))
  return isReplaced ? 'replaced' : rebroadcast(options, transaction)
}

async function revertIfReplaced({ db, on }: SweepOptions, block: MinedBlock): Promise<void> {
  if ((await compareBlock(on.chain, block)) === 'different') await revertBlock(db, on.chain.id, block)
}

/**
 * Decides mined transactions once, when their block is final, with one header per block.
 *
 * @returns The number of final transactions.
 */
async function sweepFinalBlocks({ db, on }: SweepOptions, final: FinalBlock): Promise<number> {
  const chainId = on.chain.id
  let count = 0
  let after: MinedBlock = { number: -1n, hash: '' }
  for (;;) {
    const blocks = await listMinedBlocks(db, chainId, { after, upTo: final.number, limit: BLOCK_BATCH_SIZE })
    const comparisons = await compareBlocksAsOf(on.chain, blocks, final)
    for (const [index, block] of blocks.entries()) {
      const comparison = comparisons[index]
      if (comparison === 'same') count += await finalizeBlock(db, chainId, block)
      // The next sweep finds their new block, or broadcasts them again.
      else if (comparison === 'different') await revertBlock(db, chainId, block)
    }
    const last = blocks.at(-1)
    if (last === undefined) return count
    after = last
  }
}

async function recordIfMined(
  { db, on: { chain }, executions }: SweepOptions,
  transaction: StoredTransaction,
  final: FinalBlock,
): Promise<'mined' | 'final' | undefined> {
  for (const { hash } of transaction.attempts.toReversed()) {
    const fact = await readReceipt(chain, hash, final)
    if (fact.kind !== 'mined') continue
    const isFinal = fact.receipt.blockNumber <= final.number
    await storeReceipt(
      { db, executions },
      { receipt: fact.receipt, transaction, payments: undefined },
      isFinal,
    )
    // Their calls have given up. Repeats of them may wait for the outcome.
    await makeUnknownDue(db, await listSettlementIds(db, transaction.id))
    return isFinal ? 'final' : 'mined'
  }
  return undefined
}

/**
 * Signs a payment again, because another program used its nonce. The chain executes the authorization once,
 * even if a reorganization brings the first transaction back. `replaceAfter` is longer than a healthy node
 * lags, and the simulation fails if the payment was made.
 *
 * @returns 'refused' if the payment can no longer be made: its settlement has ended, or its authorization was
 * used or has expired.
 */
async function signAgain(
  options: SweepOptions,
  transaction: Superseded,
  getQuote: QuoteReader,
): Promise<'signed' | 'refused' | 'retry'> {
  const { db, on, report } = options
  const quote = await getQuote()
  if (quote === undefined) return 'retry'
  const only = options.executions.isBoundToSender(transaction) ? (transaction.signer ?? undefined) : undefined
  const lane = await reserveNonceLane(on, getMaxCost(transaction, quote), only)
  if (lane === undefined) return 'retry'
  try {
    const estimate = await estimateGas(lane, transaction, quote)
    // The share of a batch's gas is too little for a transaction by itself.
    const gas = transaction.nonce === null ? estimate : transaction.gas
    if (gas > on.gasCaps.key && transaction.nonce === null) return 'refused'
    // The other program may have used more nonces of this signer.
    lane.prepared = undefined
    await prepareNonceLane(db, lane)
    const where = { chainId: on.chain.id, signer: lane.signer.address }
    const attempt = await addUnderNewNonce(db, where, { ...transaction, gas }, (nonce) =>
      signCall(lane, nonce, { ...transaction, gas }, quote),
    )
    if (attempt === undefined) return 'refused'
    const outcome = await broadcast(on.chain, attempt)
    if (outcome.kind === 'rejected')
      report(new Error(`The node rejected a transaction with a new nonce: ${outcome.message}`))
    return 'signed'
  } catch (error) {
    const rpcError = findRpcError(error)
    if (rpcError !== undefined && isRevert(rpcError)) return 'refused'
    report(error)
    return 'retry'
  } finally {
    releaseNonceLane(lane)
  }
}

/**
 * Signs each payment of a batch by itself, because the batch did not execute it. `waiting`: could not be
 * signed now.
 */
async function signPayments(
  options: SweepOptions,
  payments: readonly BatchedRow[],
  getQuote: QuoteReader,
): Promise<{ signed: number; waiting: number }> {
  const counts = { signed: 0, waiting: 0 }
  for (const payment of payments) {
    const result = await signAgain(options, payment, getQuote)
    if (result === 'signed') counts.signed += 1
    if (result === 'retry') counts.waiting += 1
    // The payment can no longer be made, and its batch cannot come back.
    if (result === 'refused' && payment.isFinal) await recordPaymentSuperseded(options.db, payment.id)
  }
  return counts
}

/**
 * Once the transactions of other programs with the present and all former nonces are final, ours can never be
 * mined.
 */
async function recordIfSuperseded(
  db: Store,
  chain: Chain,
  transaction: StoredTransaction,
  final: FinalBlock,
): Promise<undefined> {
  const nonces = new Map(
    [transaction, ...transaction.attempts].map(({ signer, nonce }) => [
      `${signer} ${nonce}`,
      { signer, nonce },
    ]),
  )
  for (const use of nonces.values()) {
    if (!(await isUsedByOther(chain, { ...transaction, ...use }, final))) return
  }
  await recordSuperseded(db, transaction)
}

/** Whether another program has used the nonce of a transaction, at the newest block or at the final one. */
function isUsedByOther(
  chain: Chain,
  { signer, nonce, attempts }: StoredTransaction,
  asOf?: FinalBlock,
): Promise<boolean> {
  return isNonceUsedByOther(chain, { signer, nonce, hashes: attempts.map(({ hash }) => hash) }, asOf)
}

/**
 * Signs a transaction that exchanged its nonce with another one (`recordMined`) and has no signed bytes with
 * it yet.
 */
async function signFirst(
  { db, on, executions, report }: SweepOptions,
  transaction: StoredTransaction,
  getQuote: QuoteReader,
): Promise<'filled' | undefined> {
  const lane = findLane(on, transaction.signer)
  const quote = await getQuote()
  if (lane === undefined || quote === undefined) return undefined
  const attempt = await signCall(lane, transaction.nonce, transaction, quote)
  if (!(await storeReplacement({ db, executions }, transaction, attempt, quote))) return undefined
  const outcome = await broadcast(on.chain, attempt)
  if (outcome.kind === 'rejected')
    report(new Error(`The node rejected a transaction with another nonce: ${outcome.message}`))
  return 'filled'
}

async function rebroadcast(
  { on, report }: SweepOptions,
  transaction: StoredTransaction,
): Promise<'broadcast' | undefined> {
  const newest = getNewestAttempt(transaction)
  if (newest === undefined) return undefined
  const outcome = await broadcastAgain(on.chain, newest)
  if (outcome.kind === 'rejected') {
    report(new Error(`The nodes rejected the repeated broadcast of a transaction: ${outcome.message}`))
    return undefined
  }
  return outcome.kind === 'accepted' ? 'broadcast' : undefined
}

/**
 * Signs the same call with the same nonce and a higher fee. Whichever is mined, the payment is executed at
 * most once. The lowest nonce is replaced whatever its fees are, and all others whose fees are too low by
 * now, so that a fee spike delays a signer only once.
 */
async function replace(
  { db, on, executions, report }: SweepOptions,
  transaction: StoredTransaction,
  { getQuote, minedNonces }: { getQuote: QuoteReader; minedNonces: number },
): Promise<boolean> {
  // The key was removed from the configuration: its transactions can be broadcast again, but not replaced.
  const lane = findLane(on, transaction.signer)
  const newest = getNewestAttempt(transaction)
  if (lane === undefined || newest === undefined) return false
  const quote = await getQuote()
  if (quote === undefined) return false
  if (transaction.nonce !== minedNonces && !isUnderpriced(newest, quote)) return false
  const fees = getReplacementFees(newest, quote, on.maxFeePerGas)
  if (fees === undefined) return false
  const attempt = await signCall(lane, transaction.nonce, transaction, fees)
  if (!(await storeReplacement({ db, executions }, transaction, attempt, quote))) return false
  const outcome = await broadcast(on.chain, attempt)
  if (outcome.kind === 'rejected') report(new Error(`The node rejected a replacement: ${outcome.message}`))
  return true
}

/** Writes a replacement. The cost of a grant is limited, so that a higher one counts. */
function storeReplacement(
  { db, executions }: Pick<SweepOptions, 'db' | 'executions'>,
  replaced: StoredTransaction,
  attempt: Attempt,
  { parentFeePerKilobyte }: FeeQuote,
): Promise<boolean> {
  if (replaced.purpose !== 'grant') return addReplacement(db, replaced, attempt)
  const { maxFeePerGas } = attempt
  const cost = getMaxCost(replaced, { maxFeePerGas, parentFeePerKilobyte }) + (replaced.value ?? 0n)
  return executions.addGrantReplacement(db, replaced, attempt, cost)
}

/**
 * Fills allocated nonces without a transaction, which block all later ones. They exist after a backup was
 * restored, or after the node's pool dropped another program's transaction. The filling transfers nothing to
 * the signer itself.
 */
async function fillGaps(
  { db, on, report }: SweepOptions,
  lane: NonceLane,
  getQuote: QuoteReader,
): Promise<number> {
  const signer = lane.signer.address
  const where = { chainId: on.chain.id, signer }
  const next = (await getNextNonce(db, where.chainId, signer)) ?? 0
  const gaps = await listNonceGaps(db, where, await countMined(on.chain, signer), next)
  let filled = 0
  for (const nonce of gaps) {
    const quote = await getQuote()
    if (quote === undefined) return filled
    const call = { recipient: signer, data: '0x', gas: PLAIN_TRANSFER_GAS }
    const attempt = await signCall(lane, nonce, call, quote)
    if (!(await addFill(db, { ...where, nonce }, call, attempt))) continue
    const outcome = await broadcast(on.chain, attempt)
    if (outcome.kind === 'rejected')
      report(new Error(`The node rejected the filling of a nonce gap: ${outcome.message}`))
    filled += 1
  }
  return filled
}

const countMined = (chain: Chain, signer: string): Promise<number> =>
  chain.client.getTransactionCount({ address: asHex(signer), blockTag: 'latest' })
