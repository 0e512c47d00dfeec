import { type Chain, type Chains, type FinalBlock, withoutAddress } from '@mintmark/server-kit'
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import type { ChainReader, ChainVerdict, PaymentOnChain } from '../../payments/payment.ts'
import { reasons } from '../../payments/reasons.ts'
import { createBatchedReads, multicallOn } from './batched-reads.ts'
import { authorizationState, blockTimestamp, readWord } from './token-reads.ts'
import { addressTopic, asHex, type Log, showsPayment, topics } from './transfer.ts'

export interface ChainReaderOptions {
  chains: Chains
  /** Hashes of transactions that may hold the payment: those that the built-in upstream signed. */
  knownTransactions?: (payment: PaymentOnChain) => Promise<readonly string[]>
  /** How far back from the newest block the use of a nonce is searched. Default 50,000 blocks. */
  searchBlocks?: bigint
  /** The range of one log query. Default 2,000 blocks, which nodes commonly accept. */
  blocksPerQuery?: bigint
  /** Told why a chain could not be read; the verdict is `unreadable` then. */
  report?: (error: unknown) => void
}

/** Where a transaction was mined. */
interface Place {
  transaction: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** A mined transaction that succeeded; `paid` when it made the payment. */
interface Use extends Place {
  succeeded: true
  paid: boolean
}

/** A mined transaction that reverted, and so changed nothing. */
interface Reverted extends Place {
  succeeded: false
}

/** Reads from the chains what became of payments (x402.md, "Reconciliation"). */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { chains, knownTransactions, report = () => {} } = options
  const { searchBlocks = 50_000n, blocksPerQuery = 2_000n } = options
  const reads = new Map(chains.all.map((chain) => [chain.network, createBatchedReads(multicallOn(chain))]))

  async function inspect(
    chain: Chain,
    payment: PaymentOnChain,
    hint: string | undefined,
  ): Promise<ChainVerdict> {
    const own = (await knownTransactions?.(payment)) ?? []
    let reverted: Reverted | undefined
    for (const hash of new Set([...(hint ? [hint] : []), ...own])) {
      const mined = await readMined(chain, payment, hash)
      if (mined?.succeeded && mined.paid) return judge(mined, await chain.finalBlock())
      if (mined?.succeeded === false && own.includes(hash)) reverted = mined
    }
    // Before the state is read: a block that is final now lies behind whatever the state is read from.
    const final = await chain.finalBlock()
    const state = await readState(payment)
    if (state.used) {
      const use = await searchUse(chain, payment)
      return use ? judge(use, final, reverted) : { kind: 'open' }
    }
    // State from before the final block, from a node that lags, decides nothing.
    if (state.timestamp < final.timestamp) return { kind: 'open' }
    if (reverted !== undefined && reverted.blockNumber > final.number) return { kind: 'open', unused: true }
    const spent = reverted !== undefined && (await isCanonical(chain, reverted)) ? reverted : undefined
    if (final.timestamp >= payment.validBefore) {
      return { kind: 'failed', reason: reasons.validBefore, ...named(spent) }
    }
    if (spent !== undefined) return { kind: 'failed', reason: reasons.transactionFailed, ...named(spent) }
    return { kind: 'open', unused: true }
  }

  async function readState(payment: PaymentOnChain): Promise<{ used: boolean; timestamp: bigint }> {
    const results = await reads
      .get(payment.network)
      ?.read([authorizationState(payment.asset, payment.payer, payment.nonce), blockTimestamp()])
    const [used, timestamp] = results?.map(readWord) ?? []
    if (used === undefined || timestamp === undefined)
      throw new Error('The asset does not tell a nonce’s state.')
    return { used: used !== 0n, timestamp }
  }

  /** From the newest block backwards, in steps, until the nonce's one event is found. */
  async function searchUse(chain: Chain, payment: PaymentOnChain): Promise<Use | undefined> {
    const head = await chain.client.getBlockNumber()
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

  return {
    readable: (network) => chains.byNetwork(network) !== undefined,
    async inspect(payment, hint) {
      const chain = chains.byNetwork(payment.network)
      if (chain === undefined) return { kind: 'unreadable' }
      try {
        return await inspect(chain, payment, hint?.transaction)
      } catch (error) {
        report(withoutAddress(error))
        return { kind: 'unreadable' }
      }
    },
    async blockHash(network, number) {
      const chain = chains.byNetwork(network)
      if (chain === undefined) throw new Error(`The network ${network} is not among CHAINS.`)
      const block = await chain.client.request({
        method: 'eth_getBlockByNumber',
        params: [`0x${number.toString(16)}`, false],
      })
      return block?.hash ?? undefined
    },
  }
}

/** undefined when the transaction is not mined. */
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

/** Whether the block of a transaction is the one that the chain has at its number. */
async function isCanonical(chain: Chain, { blockNumber, blockHash }: Place): Promise<boolean> {
  const canonical = await chain.client.getBlock({ blockNumber })
  return canonical.hash === blockHash
}

const named = (reverted: Reverted | undefined): { reverted?: string } =>
  reverted === undefined ? {} : { reverted: reverted.transaction }

function judge(use: Use, { number }: FinalBlock, reverted?: Reverted): ChainVerdict {
  const final = use.blockNumber <= number
  if (use.paid) {
    const { transaction, blockNumber, blockHash } = use
    return { kind: 'settled', transaction, blockNumber, blockHash, final }
  }
  return final ? { kind: 'failed', reason: reasons.nonceUsed, ...named(reverted) } : { kind: 'open' }
}
