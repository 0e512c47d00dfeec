import {
  type Chain,
  type Chains,
  callAfterBlock,
  compareBlock,
  compareBlocksAsOf,
  createLogReader,
  type FinalBlock,
  type LogReader,
  readReceipt,
  removeAddress,
} from '@mintmark/server-kit'
import type { Hex } from 'viem'
import type { ChainOutcome, ChainReader, InspectHint, PaymentOnChain } from '../../payments/payment.ts'
import { reasons } from '../../payments/reasons.ts'
import { type BatchedReads, createBatchedReads, multicallOn } from './batched-reads.ts'
import { authorizationState, blockTimestamp, readWord } from './token-reads.ts'
import { addressTopic, asHex, type Log, showsPayment, topics } from './transfer.ts'

export interface ChainReaderOptions {
  chains: Chains
  /** Lists the hashes of the transactions that the built-in upstream signed for the payment. */
  listSignedTransactions?: (payment: PaymentOnChain) => Promise<readonly string[]>
  /** How many blocks back from the newest one the use of a nonce is searched, if the payment's first block is not known. Default 50,000. */
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

/** A mined transaction that succeeded. `paid`: it made the payment. */
interface Use extends Place {
  succeeded: true
  paid: boolean
}

/** A mined transaction that reverted and changed nothing. */
interface Reverted extends Place {
  succeeded: false
}

/** One chain and what its payments share. */
interface ChainParts {
  readonly chain: Chain
  readonly reads: BatchedReads
  readonly logs: LogReader
}

/**
 * How many blocks before the reservation the use of a nonce may be: a reorganization may have put it into an earlier block, or the node that
 * showed the nonce as unused lagged.
 */
const BLOCKS_BEFORE_RESERVATION = 1_000

/** Creates the reader of payments' outcomes on their chains. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { chains, blocksPerQuery: maxBlocks = 2_000, report = () => {} } = options
  const partsByNetwork: ReadonlyMap<string, ChainParts> = new Map(
    chains.all.map((chain) => {
      const reads = createBatchedReads(multicallOn(chain))
      // The search finds a log, or decides nothing.
      return [chain.network, { chain, reads, logs: createLogReader(chain, { maxBlocks, recentSeconds: 0 }) }]
    }),
  )
  return {
    readable: (network) => partsByNetwork.has(network),
    async inspect(payment, hint = {}) {
      const parts = partsByNetwork.get(payment.network)
      if (parts === undefined) return { kind: 'unreadable' }
      try {
        return await inspectPayment(options, parts, payment, hint)
      } catch (error) {
        report(removeAddress(error))
        return { kind: 'unreadable' }
      }
    },
    async compareBlock(network, block) {
      return compareBlock(requireChain(chains, network), block)
    },
    async compareWithFinal(network, blocks) {
      const chain = requireChain(chains, network)
      const final = await chain.finalBlock()
      return { final: final.number, comparisons: await compareBlocksAsOf(chain, blocks, final) }
    },
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
  payment: PaymentOnChain,
  hint: InspectHint,
): Promise<ChainOutcome> {
  const { chain } = parts
  const own = (await options.listSignedTransactions?.(payment)) ?? []
  // Read first, so that nothing read later can be older than the final block of a node that is up to date.
  const final = await chain.finalBlock()
  let reverted: Reverted | undefined
  for (const hash of new Set([...(hint.transaction ? [hint.transaction] : []), ...own])) {
    const mined = await readMined(chain, payment, hash, final)
    if (mined?.succeeded && mined.paid) return evaluateUse(mined, final)
    if (mined?.succeeded === false && own.includes(hash)) reverted = mined
  }
  const state = await readState(parts, payment)
  if (state.used) {
    const use = await searchUse(options, parts, payment, { final, reservedBlock: hint.reservedBlock })
    return use ? evaluateUse(use, final, reverted) : { kind: 'open' }
  }
  // A lagging node's state from before the final block decides nothing.
  if (state.timestamp < final.timestamp) return { kind: 'open' }
  const outcome = evaluateUnused(payment, final, reverted)
  if (outcome.kind === 'failed' && !(await isUnusedAfter(chain, payment, final))) return { kind: 'open' }
  return outcome
}

/** Whether a node that has the final block shows the nonce as unused. The node that showed it before may have had another version of that block. */
async function isUnusedAfter(
  chain: Chain,
  { asset, payer, nonce }: PaymentOnChain,
  final: FinalBlock,
): Promise<boolean> {
  const { target, data } = authorizationState(asset, payer, nonce)
  const used = await callAfterBlock(chain, { to: asHex(target), data: `0x${data}` }, final)
  return used !== undefined && BigInt(used) === 0n
}

/** Evaluates a payment whose nonce is unused. */
function evaluateUnused(
  payment: PaymentOnChain,
  final: FinalBlock,
  reverted: Reverted | undefined,
): ChainOutcome {
  if (reverted !== undefined && reverted.blockNumber > final.number) return { kind: 'open', unused: true }
  if (final.timestamp >= payment.validBefore) {
    return { kind: 'failed', reason: reasons.validBefore, ...toRevertedField(reverted) }
  }
  if (reverted !== undefined)
    return { kind: 'failed', reason: reasons.transactionFailed, ...toRevertedField(reverted) }
  return { kind: 'open', unused: true }
}

async function readState(
  { reads }: ChainParts,
  payment: PaymentOnChain,
): Promise<{ used: boolean; timestamp: bigint }> {
  const results = await reads.read([
    authorizationState(payment.asset, payment.payer, payment.nonce),
    blockTimestamp(),
  ])
  const [used, timestamp] = results.map(readWord)
  if (used === undefined || timestamp === undefined)
    throw new Error('The asset did not return the state of a nonce')
  return { used: used !== 0n, timestamp }
}

/** Searches the single event of the nonce from the block of the reservation on. */
async function searchUse(
  { searchBlocks = 50_000 }: ChainReaderOptions,
  { chain, logs: reader }: ChainParts,
  payment: PaymentOnChain,
  { final, reservedBlock }: { final: FinalBlock; reservedBlock: bigint | undefined },
): Promise<Use | undefined> {
  const to = Number(await chain.newestBlock())
  const since = reservedBlock === undefined ? to - searchBlocks : toSearchStart(reservedBlock)
  const filter = {
    addresses: [payment.asset],
    topics: [
      [topics.authorizationUsed, topics.authorizationCanceled],
      addressTopic(payment.payer),
      payment.nonce,
    ],
  }
  const newest = { number: to, time: Number(final.timestamp) }
  for (let from = Math.max(0, since); from <= to; ) {
    const range = await reader.read({ filter, from, to, newest })
    const [log] = range.logs
    if (log !== undefined) {
      const mined = await readMined(chain, payment, log.transactionHash, final)
      return mined?.succeeded ? mined : undefined
    }
    from = range.to + 1
  }
  return undefined
}

const toSearchStart = (reservedBlock: bigint): number => Number(reservedBlock) - BLOCKS_BEFORE_RESERVATION

/** Reads a transaction that the chain contains. Undefined if that is not so, or not known. */
async function readMined(
  chain: Chain,
  payment: PaymentOnChain,
  hash: string,
  final: FinalBlock,
): Promise<Use | Reverted | undefined> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined
  const fact = await readReceipt(chain, hash, final)
  if (fact.kind !== 'mined') return undefined
  const { transactionHash: transaction, blockNumber, blockHash, status } = fact.receipt
  if (status !== 'success') return { transaction, blockNumber, blockHash, succeeded: false }
  const logs: readonly Log[] = fact.receipt.logs
  const paid = showsPayment(logs, payment)
  return { transaction, blockNumber, blockHash, succeeded: true, paid }
}

const toRevertedField = (reverted: Reverted | undefined): { reverted?: string } =>
  reverted === undefined ? {} : { reverted: reverted.transaction }

function evaluateUse(use: Use, { number }: FinalBlock, reverted?: Reverted): ChainOutcome {
  const final = use.blockNumber <= number
  if (use.paid) {
    const { transaction, blockNumber, blockHash } = use
    return { kind: 'settled', transaction, blockNumber, blockHash, final }
  }
  return final
    ? { kind: 'failed', reason: reasons.nonceUsed, ...toRevertedField(reverted) }
    : { kind: 'open' }
}
