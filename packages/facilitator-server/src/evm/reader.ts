import { type Chain, type Chains, type FinalBlock, withoutAddress } from '@mintmark/server-kit'
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import type { ChainReader, ChainVerdict, PaymentOnChain } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
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

/** A mined transaction that used the payment's nonce. */
interface Use {
  transaction: Hex
  blockNumber: bigint
  blockHash: Hex
  paid: boolean
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
    const known = (await knownTransactions?.(payment)) ?? []
    for (const hash of new Set([...(hint ? [hint] : []), ...known])) {
      const use = await readUse(chain, payment, hash)
      if (use?.paid) return judge(use, await chain.finalBlock())
    }
    // Before the state is read: a block that is final now lies behind whatever the state is read from.
    const final = await chain.finalBlock()
    const state = await readState(payment)
    if (!state.used) return judgeUnused(payment, state.timestamp, final)
    const use = await searchUse(chain, payment)
    return use ? judge(use, final) : { kind: 'open' }
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
      if (log?.transactionHash) return readUse(chain, payment, log.transactionHash)
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

/** undefined when the transaction is not mined, or failed: then it used nothing. */
async function readUse(chain: Chain, payment: PaymentOnChain, hash: string): Promise<Use | undefined> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return undefined
  try {
    const receipt = await chain.client.getTransactionReceipt({ hash: asHex(hash) })
    if (receipt.status !== 'success') return undefined
    const logs: readonly Log[] = receipt.logs
    return {
      transaction: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      paid: showsPayment(logs, payment),
    }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

function judge(use: Use, { number }: FinalBlock): ChainVerdict {
  const final = use.blockNumber <= number
  if (use.paid) {
    const { transaction, blockNumber, blockHash } = use
    return { kind: 'settled', transaction, blockNumber, blockHash, final }
  }
  return final ? { kind: 'failed', reason: reasons.nonceUsed } : { kind: 'open' }
}

/**
 * An unused nonce fails the payment only when it can never be used any more: the chain's final block is past the
 * payment's end, and the state was read at that block or later. Without the second, a node that lags behind another
 * could hide a use between its own newest block and the other's final one.
 */
function judgeUnused(
  { validBefore }: PaymentOnChain,
  readAt: bigint,
  { timestamp }: FinalBlock,
): ChainVerdict {
  return timestamp >= validBefore && readAt >= timestamp
    ? { kind: 'failed', reason: reasons.validBefore }
    : { kind: 'open' }
}
