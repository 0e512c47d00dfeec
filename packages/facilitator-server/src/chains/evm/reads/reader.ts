import {
  type Chain,
  type Chains,
  callAfterBlock,
  compareBlocksAsOf,
  createLogReader,
  type FinalBlock,
  type LogReader,
  readReceipt,
  removeAddress,
} from '@mintmark/evm-reader'
import type { Hex, TransactionReceipt } from 'viem'
import { batch } from '../../../database/batch.ts'
import type { ChainOutcome, ChainReader, InspectHint, PaymentOnChain } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isBatchCall } from './batch-call.ts'
import { createInquire, type Inquire } from './inquiries.ts'
import { multicallAddress } from './multicall-reads.ts'
import { evaluateOwn, type OwnCall, type OwnOutcome } from './own-outcome.ts'
import { shareReads } from './share-reads.ts'
import { blockTimestamp, readWord } from './token-reads.ts'
import { asHex } from './transfer.ts'
import type { TransferMethod } from './transfer-method.ts'
import type { SearchProgress } from './use-search.ts'

export interface ChainReaderOptions {
  chains: Chains
  /** Lists the hashes of the transactions that the built-in upstream signed for the payment. */
  listSignedTransactions?: (payment: PaymentOnChain) => Promise<readonly string[]>
  /**
   * Whether the transaction that the built-in upstream signed for the payment can never be mined, and none
   * will be signed again.
   */
  isSuperseded?: (payment: PaymentOnChain) => Promise<boolean>
  /**
   * How many blocks back from the newest one the use of a nonce is searched, if the payment's first block is
   * not known. Default 50,000.
   */
  searchBlocks?: number
  /** Most blocks of one log query. Fewer are requested when a node refuses. Default 2,000. */
  blocksPerQuery?: number
  /** Receives the error if a chain cannot be read. The outcome is `unreadable`. */
  report?: (error: unknown) => void
}

/** The block of a mined transaction. */
interface Place {
  transaction: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** A mined transaction that succeeded. */
interface Use extends Place {
  succeeded: true
  /** What it did for the payment. */
  result: 'paid' | 'unpaid' | 'ambiguous'
  /** Set if it is ours and did not make the payment: no other transaction can. */
  failure?: Extract<OwnOutcome, { kind: 'unpaid' }>
}

/** A mined transaction that reverted and changed nothing, or a batch in which the payment's call did. */
interface Reverted extends Place {
  succeeded: false
}

interface ReceiptPlace {
  readonly hash: string
  readonly final: FinalBlock
}

/** One chain and what its payments share. */
interface ChainParts {
  readonly chain: Chain
  readonly inquire: Inquire
  /** Finds logs. The absence of one proves nothing. */
  readonly logs: LogReader
  readonly completeLogs: LogReader
  /** The searches that have not ended, by payment. */
  readonly searches: Map<string, SearchProgress>
  /** Reads the final block, once for all payments that are inspected at the same time. */
  readFinalBlock(): Promise<FinalBlock>
  /** Reads a receipt, once for all payments of a batch that are inspected at the same time. */
  readReceipt(place: ReceiptPlace): ReturnType<typeof readReceipt>
}

type InspectedPayment = PaymentOnChain<TransferMethod>

/**
 * How many blocks before the reservation the use of a nonce may be: a reorganization may have put it into an
 * earlier block, or the node that showed the nonce as unused lagged.
 */
const BLOCKS_BEFORE_RESERVATION = 1_000

/** The searches of one chain that are remembered. Those that are forgotten start again. */
const MAX_SEARCHES = 10_000

/** How many receipts of a chain are read at the same time. Nodes limit the requests of a second. */
const MAX_CONCURRENT_RECEIPTS = 16

/** Creates the reader of payments' outcomes on their chains. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { chains, blocksPerQuery: maxBlocks = 2_000, report = () => {} } = options
  const partsByNetwork: ReadonlyMap<string, ChainParts> = new Map(
    chains.all.map((chain) => {
      const inquire = createInquire(chain)
      const logs = createLogReader(chain, { maxBlocks, recentSeconds: 0 })
      const completeLogs = createLogReader(chain, { maxBlocks })
      return [
        chain.network,
        { chain, inquire, logs, completeLogs, searches: new Map(), ...shareReadsOf(chain) },
      ]
    }),
  )
  return {
    networks: new Set(partsByNetwork.keys()),
    readable: (network) => partsByNetwork.has(network),
    async inspect(payment: InspectedPayment, hint = {}) {
      const parts = partsByNetwork.get(payment.network)
      if (parts === undefined) return { kind: 'unreadable' }
      try {
        return await inspectPayment(options, parts, payment, hint)
      } catch (error) {
        report(removeAddress(error))
        return { kind: 'unreadable' }
      }
    },
    async compareWithFinal(network, blocks) {
      const chain = requireChain(chains, network)
      const final = await chain.finalBlock()
      return { final: final.number, comparisons: await compareBlocksAsOf(chain, blocks, final) }
    },
  }
}

function shareReadsOf(chain: Chain): Pick<ChainParts, 'readFinalBlock' | 'readReceipt'> {
  return {
    readFinalBlock: shareReads<void, FinalBlock>(
      () => chain.finalBlock(),
      () => '',
    ),
    readReceipt: shareReads(
      batch(
        async (places: ReceiptPlace[]) =>
          Promise.all(places.map(({ hash, final }) => readReceipt(chain, hash, final))),
        {
          maxItems: 1,
          maxConcurrentRuns: MAX_CONCURRENT_RECEIPTS,
        },
      ),
      ({ hash, final }) => `${hash} ${final.hash}`,
    ),
  }
}

function requireChain(chains: Chains, network: string): Chain {
  const chain = chains.byNetwork(network)
  if (chain === undefined) throw new Error(`The network ${network} is not among CHAINS`)
  return chain
}

async function inspectPayment(
  options: ChainReaderOptions,
  parts: ChainParts,
  payment: InspectedPayment,
  hint: InspectHint,
): Promise<ChainOutcome> {
  const own = (await options.listSignedTransactions?.(payment)) ?? []
  // Read first, so that nothing read later can be older than the final block of a node that is up to date.
  const final = await parts.readFinalBlock()
  let reverted: Reverted | undefined
  let unpaid: Use | undefined
  let isOwnUnknown = false
  for (const hash of new Set([...(hint.transaction ? [hint.transaction] : []), ...own])) {
    const isOwn = own.includes(hash)
    const mined = await readMined(parts, payment, { hash, isOwn, final })
    if (mined === 'unknown') {
      if (isOwn) isOwnUnknown = true
      continue
    }
    if (mined?.succeeded && mined.result !== 'unpaid') return evaluateUse(payment, mined, final)
    if (mined?.succeeded && mined.failure !== undefined) unpaid = mined
    if (mined?.succeeded === false && isOwn) reverted = mined
  }
  const outcome =
    unpaid === undefined
      ? await inspectUnpaid(options, parts, payment, { final, reverted, reservedBlock: hint.reservedBlock })
      : evaluateUse(payment, unpaid, final)
  // A transaction that is not known, or was signed meanwhile, may have made the payment.
  if (outcome.kind === 'failed' && (isOwnUnknown || (await hasMoreSigned(options, payment, own))))
    return { kind: 'open' }
  return outcome
}

/** Whether we have signed more for a payment than the transactions `own`. */
async function hasMoreSigned(
  { listSignedTransactions }: ChainReaderOptions,
  payment: InspectedPayment,
  own: readonly string[],
): Promise<boolean> {
  const signed = (await listSignedTransactions?.(payment)) ?? []
  return signed.some((hash) => !own.includes(hash))
}

/** Evaluates a payment that no transaction that is known has made. */
async function inspectUnpaid(
  options: ChainReaderOptions,
  parts: ChainParts,
  payment: InspectedPayment,
  facts: OwnFacts,
): Promise<ChainOutcome> {
  const outcome = await inspectNonce(options, parts, payment, facts)
  const { supersededReason: reason } = payment.scheme
  if (outcome.kind !== 'open' || !outcome.unused || reason === undefined) return outcome
  return (await options.isSuperseded?.(payment)) ? { kind: 'failed', reason } : outcome
}

interface OwnFacts {
  final: FinalBlock
  /** A transaction of ours that reverted. */
  reverted: Reverted | undefined
  reservedBlock: bigint | undefined
}

/** Evaluates a payment by its nonce. */
async function inspectNonce(
  options: ChainReaderOptions,
  parts: ChainParts,
  payment: InspectedPayment,
  { final, reverted, reservedBlock }: OwnFacts,
): Promise<ChainOutcome> {
  const state = await readState(parts, payment)
  if (state.used) {
    const found = await searchUse(options, parts, payment, { final, reservedBlock })
    if (found === undefined) return { kind: 'open' }
    if (found === 'unpaid') return toNonceUsed(payment, reverted)
    if (found.isProven) return evaluateUse(payment, found.use, final, reverted)
    const { transaction, blockNumber, blockHash } = found.use
    return { ...toNonceUsed(payment, reverted), unproven: { transaction, blockNumber, blockHash } }
  }
  // A lagging node's state from before the final block decides nothing.
  if (state.timestamp < final.timestamp) return { kind: 'open' }
  const outcome = evaluateUnused(payment, final, reverted)
  if (outcome.kind === 'failed' && !(await isUnusedAfter(parts, payment, final))) return { kind: 'open' }
  return outcome
}

/**
 * Whether a node that has the final block shows the nonce as unused. The node that showed it before may have
 * had another version of that block.
 */
async function isUnusedAfter(
  { chain }: ChainParts,
  payment: InspectedPayment,
  final: FinalBlock,
): Promise<boolean> {
  const { scheme } = payment
  const { target, data } = scheme.nonceRead(payment)
  const returned = await callAfterBlock(chain, { to: asHex(target), data: `0x${data}` }, final)
  return (
    returned !== undefined && scheme.isUsed(payment, { success: true, data: returned.slice(2) }) === false
  )
}

/** Evaluates a payment whose nonce is unused. */
function evaluateUnused(
  payment: InspectedPayment,
  final: FinalBlock,
  reverted: Reverted | undefined,
): ChainOutcome {
  if (reverted !== undefined && reverted.blockNumber > final.number) return { kind: 'open', unused: true }
  if (final.timestamp >= payment.validBefore) {
    return { kind: 'failed', reason: payment.scheme.reasons.validBefore, ...toRevertedField(reverted) }
  }
  if (reverted !== undefined)
    return { kind: 'failed', reason: reasons.transactionFailed, ...toRevertedField(reverted) }
  return { kind: 'open', unused: true }
}

async function readState(
  { inquire }: ChainParts,
  payment: InspectedPayment,
): Promise<{ used: boolean; timestamp: bigint }> {
  const { scheme } = payment
  const { reads } = await inquire({ reads: [scheme.nonceRead(payment), blockTimestamp()], calls: [] })
  const [state, time] = reads
  const used = state && scheme.isUsed(payment, state)
  const timestamp = time && readWord(time)
  if (used === undefined || timestamp === undefined)
    throw new Error('The chain did not return the state of a nonce')
  return { used, timestamp }
}

/**
 * Searches the use of the nonce from the block of the reservation on, or from where the last search got.
 * `unpaid`: it was used for something else, finally.
 */
async function searchUse(
  { searchBlocks = 50_000 }: ChainReaderOptions,
  parts: ChainParts,
  payment: InspectedPayment,
  { final, reservedBlock }: { final: FinalBlock; reservedBlock: bigint | undefined },
): Promise<{ use: Use; isProven: boolean } | 'unpaid' | undefined> {
  const { chain, logs, completeLogs, searches } = parts
  const { scheme, domain, asset, payer, payTo, amount, nonce } = payment
  const key = [scheme.name, domain, asset, payer, payTo, amount, nonce].join(' ')
  const start =
    reservedBlock === undefined ? Number(final.number) - searchBlocks : toSearchStart(reservedBlock)
  const progress = searches.get(key) ?? { next: Math.max(0, start) }
  const request = { chain, logs, completeLogs, payment, final, progress }
  const found = await scheme.searchUse(request)
  if (found === undefined) {
    remember(searches, key, progress)
    return undefined
  }
  searches.delete(key)
  if (found.kind === 'unpaid') return 'unpaid'
  const mined = await readMined(parts, payment, { hash: found.hash, isOwn: false, final })
  if (mined === 'unknown' || !mined?.succeeded) return undefined
  return { use: mined, isProven: found.kind === 'transaction' }
}

function remember(searches: ChainParts['searches'], key: string, progress: SearchProgress): void {
  searches.set(key, progress)
  const [oldest] = searches.keys()
  if (searches.size > MAX_SEARCHES && oldest !== undefined) searches.delete(oldest)
}

const toSearchStart = (reservedBlock: bigint): number => Number(reservedBlock) - BLOCKS_BEFORE_RESERVATION

/**
 * Reads a mined transaction. Undefined if the chain does not contain it, or it says nothing about the
 * payment.
 */
async function readMined(
  parts: ChainParts,
  payment: InspectedPayment,
  { hash, isOwn, final }: { hash: string; isOwn: boolean; final: FinalBlock },
): Promise<Use | Reverted | 'unknown' | undefined> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined
  const fact = await parts.readReceipt({ hash, final })
  if (fact.kind === 'unknown') return 'unknown'
  if (fact.kind === 'absent') return undefined
  const { transactionHash: transaction, blockNumber, blockHash, status } = fact.receipt
  const place = { transaction, blockNumber, blockHash }
  if (!isOwn) {
    if (status !== 'success') return { ...place, succeeded: false }
    return { ...place, succeeded: true, result: await evaluateForeign(parts, payment, fact.receipt) }
  }
  const outcome = evaluateOwn(payment, fact.receipt, await readOwnCall(parts, payment, fact.receipt))
  switch (outcome.kind) {
    case 'reverted':
      return { ...place, succeeded: false }
    case 'spoiled':
      // Says nothing about this payment, which is sent again by itself.
      return undefined
    case 'unpaid':
      return { ...place, succeeded: true, result: 'unpaid', failure: outcome }
    default:
      return { ...place, succeeded: true, result: outcome.kind }
  }
}

/** Evaluates a successful transaction of another party, by its calls if its logs are not enough to know. */
async function evaluateForeign(
  { chain }: ChainParts,
  payment: InspectedPayment,
  { logs, transactionHash: hash }: TransactionReceipt,
): Promise<Use['result']> {
  const evidence = payment.scheme.evaluateLogs(logs, payment, false)
  if (evidence !== 'ambiguous') return evidence === 'paid' ? 'paid' : 'unpaid'
  const hasMade = await payment.scheme.hasMadePayment(chain, payment, hash)
  if (hasMade === undefined) return 'ambiguous'
  return hasMade ? 'paid' : 'unpaid'
}

/** Reads the call of a transaction of ours, if the payment cannot be evaluated without it. */
async function readOwnCall(
  { chain: { client } }: ChainParts,
  payment: InspectedPayment,
  { logs, to, transactionHash: hash }: TransactionReceipt,
): Promise<OwnCall | undefined> {
  const { findMissingEffect, evaluateLogs } = payment.scheme
  const mayBeBatch = to?.toLowerCase() === multicallAddress.toLowerCase()
  const isPaid = findMissingEffect === undefined && evaluateLogs(logs, payment, true) === 'paid'
  if (isPaid || (findMissingEffect === undefined && !mayBeBatch)) return undefined
  const transaction = await client.getTransaction({ hash })
  return { isBatch: isBatchCall(transaction), gas: transaction.gas, input: transaction.input }
}

const toRevertedField = (reverted: Reverted | undefined): { reverted?: string } =>
  reverted === undefined ? {} : { reverted: reverted.transaction }

function evaluateUse(
  payment: InspectedPayment,
  { transaction, blockNumber, blockHash, result, failure }: Use,
  { number }: FinalBlock,
  reverted?: Reverted,
): ChainOutcome {
  const final = blockNumber <= number
  if (result === 'paid') return { kind: 'settled', transaction, blockNumber, blockHash, final }
  if (result === 'ambiguous') return { kind: 'open', transaction }
  if (!final) return { kind: 'open', ...(failure !== undefined && { transaction }) }
  if (failure === undefined) return toNonceUsed(payment, reverted)
  const { reason, isDue } = failure
  return { kind: 'failed', reason, ...(isDue ? { reverted: transaction } : { withoutEffect: transaction }) }
}

const toNonceUsed = (
  { scheme }: InspectedPayment,
  reverted: Reverted | undefined,
): Extract<ChainOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  reason: scheme.reasons.nonceUsed,
  ...toRevertedField(reverted),
})
