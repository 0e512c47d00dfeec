import { type Chain, type Chains, type FinalBlock, removeAddress } from '@mintmark/server-kit'
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import type { ChainOutcome, ChainReader, PaymentOnChain } from '../../payments/payment.ts'
import { reasons } from '../../payments/reasons.ts'
import { type BatchedReads, createBatchedReads, multicallOn } from './batched-reads.ts'
import { authorizationState, blockTimestamp, readWord } from './token-reads.ts'
import { addressTopic, asHex, type Log, showsPayment, topics } from './transfer.ts'

export interface ChainReaderOptions {
  chains: Chains
  /** Lists the hashes of the transactions that the built-in upstream signed for the payment. */
  listSignedTransactions?: (payment: PaymentOnChain) => Promise<readonly string[]>
  /** How many blocks back from the newest one the use of a nonce is searched. Default 50,000. */
  searchBlocks?: bigint
  /** The range of one log query. Default 2,000 blocks, which nodes commonly accept. */
  blocksPerQuery?: bigint
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

type Reads = ReadonlyMap<string, BatchedReads>

/** Creates the reader of payments' outcomes on their chains. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { chains, report = () => {} } = options
  const reads: Reads = new Map(
    chains.all.map((chain) => [chain.network, createBatchedReads(multicallOn(chain))]),
  )
  return {
    readable: (network) => chains.byNetwork(network) !== undefined,
    async inspect(payment, hint) {
      const chain = chains.byNetwork(payment.network)
      if (chain === undefined) return { kind: 'unreadable' }
      try {
        return await inspectPayment(options, reads, chain, payment, hint?.transaction)
      } catch (error) {
        report(removeAddress(error))
        return { kind: 'unreadable' }
      }
    },
    async blockHash(network, number) {
      const block = await requireChain(chains, network).client.request({
        method: 'eth_getBlockByNumber',
        params: [`0x${number.toString(16)}`, false],
      })
      return block?.hash ?? undefined
    },
    async finalBlockNumber(network) {
      const { number } = await requireChain(chains, network).finalBlock()
      return number
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
  reads: Reads,
  chain: Chain,
  payment: PaymentOnChain,
  hint: string | undefined,
): Promise<ChainOutcome> {
  const own = (await options.listSignedTransactions?.(payment)) ?? []
  let reverted: Reverted | undefined
  for (const hash of new Set([...(hint ? [hint] : []), ...own])) {
    const mined = await readMined(chain, payment, hash)
    if (mined?.succeeded && mined.paid) return evaluateUse(mined, await chain.finalBlock())
    if (mined?.succeeded === false && own.includes(hash)) reverted = mined
  }
  // Read before the state, so that the state cannot be older than the final block of a node that is up to date.
  const final = await chain.finalBlock()
  const state = await readState(reads, payment)
  if (state.used) {
    const use = await searchUse(options, chain, payment)
    return use ? evaluateUse(use, final, reverted) : { kind: 'open' }
  }
  // A lagging node's state from before the final block decides nothing.
  if (state.timestamp < final.timestamp) return { kind: 'open' }
  return evaluateUnused(chain, payment, final, reverted)
}

/** Evaluates a payment whose nonce is unused. */
async function evaluateUnused(
  chain: Chain,
  payment: PaymentOnChain,
  final: FinalBlock,
  reverted: Reverted | undefined,
): Promise<ChainOutcome> {
  if (reverted !== undefined && reverted.blockNumber > final.number) return { kind: 'open', unused: true }
  const spent = reverted !== undefined && (await isCanonical(chain, reverted)) ? reverted : undefined
  if (final.timestamp >= payment.validBefore) {
    return { kind: 'failed', reason: reasons.validBefore, ...toRevertedField(spent) }
  }
  if (spent !== undefined)
    return { kind: 'failed', reason: reasons.transactionFailed, ...toRevertedField(spent) }
  return { kind: 'open', unused: true }
}

async function readState(
  reads: Reads,
  payment: PaymentOnChain,
): Promise<{ used: boolean; timestamp: bigint }> {
  const results = await reads
    .get(payment.network)
    ?.read([authorizationState(payment.asset, payment.payer, payment.nonce), blockTimestamp()])
  const [used, timestamp] = results?.map(readWord) ?? []
  if (used === undefined || timestamp === undefined)
    throw new Error('The asset did not return the state of a nonce')
  return { used: used !== 0n, timestamp }
}

/** Searches the single event of the nonce backwards from the newest block. */
async function searchUse(
  { searchBlocks = 50_000n, blocksPerQuery = 2_000n }: ChainReaderOptions,
  chain: Chain,
  payment: PaymentOnChain,
): Promise<Use | undefined> {
  const head = await chain.newestBlock()
  const oldest = head > searchBlocks ? head - searchBlocks : 0n
  for (let to = head; to >= oldest; to -= blocksPerQuery) {
    const from = to - blocksPerQuery + 1n > oldest ? to - blocksPerQuery + 1n : oldest
    const [log] = await chain.client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: asHex(payment.asset),
          fromBlock: `0x${from.toString(16)}`,
          toBlock: `0x${to.toString(16)}`,
          topics: [
            [topics.authorizationUsed, topics.authorizationCanceled],
            addressTopic(payment.payer),
            asHex(payment.nonce),
          ],
        },
      ],
    })
    if (!log?.transactionHash) continue
    const mined = await readMined(chain, payment, log.transactionHash)
    return mined?.succeeded ? mined : undefined
  }
  return undefined
}

/** Reads a mined transaction. Undefined if it is not mined. */
async function readMined(
  chain: Chain,
  payment: PaymentOnChain,
  hash: string,
): Promise<Use | Reverted | undefined> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined
  try {
    const receipt = await chain.client.getTransactionReceipt({ hash: asHex(hash) })
    const { transactionHash: transaction, blockNumber, blockHash } = receipt
    if (receipt.status !== 'success') return { transaction, blockNumber, blockHash, succeeded: false }
    const logs: readonly Log[] = receipt.logs
    const paid = showsPayment(logs, payment)
    return { transaction, blockNumber, blockHash, succeeded: true, paid }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Whether the block of a transaction is the chain's block with its number. */
async function isCanonical(chain: Chain, { blockNumber, blockHash }: Place): Promise<boolean> {
  const canonical = await chain.client.getBlock({ blockNumber })
  return canonical.hash === blockHash
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
