import {
  type Chain,
  createLogReader,
  type FinalBlock,
  type LogReader,
  type NodeLog,
} from '@mintmark/evm-reader'
import { listCalls } from '../chains/evm/reads/transfer.ts'
import { type AllowedAssets, listAllowedAssets } from '../chains/evm/settings/allowed-assets.ts'
import type { ChainPayment } from '../engine/operator/operator.ts'
import {
  batchSettlementAddress,
  decodePermit2Deposit,
  isDepositCall,
  topics,
} from '../schemes/evm/batch-settlement/channel-contracts.ts'
import { authorizationTopics } from '../schemes/evm/shared/authorization-logs.ts'
import {
  decodeSettle,
  permit2Address,
  proxyAddresses,
  settledTopics,
} from '../schemes/evm/shared/permit2/permit2-contracts.ts'

/** The payments that some signers made in a range of blocks. */
export interface SignerPayments {
  readonly payments: readonly ChainPayment[]
  /** The last block that was read. */
  readonly to: number
}

/**
 * Reads the payments that some signers made on one chain: uses of authorizations (EIP-3009), and calls of
 * x402's contracts that use Permit2.
 */
export interface SignerPaymentReader {
  /**
   * Reads from the block `from` on, as many blocks as a node returns in one step, up to `to`. `newest` is a
   * block that was read before. With its hash, the node that responds must have it.
   */
  read(range: {
    readonly from: number
    readonly to: number
    readonly newest: Pick<FinalBlock, 'number' | 'timestamp'> & Partial<Pick<FinalBlock, 'hash'>>
  }): Promise<SignerPayments>
}

const TRANSACTIONS_PER_REQUEST = 100

/** The payments of these signers in these assets. */
export interface SignerPaymentFilter {
  /** Addresses. */
  readonly signers: readonly string[]
  readonly assets: AllowedAssets
}

/** Creates the reader of one chain. */
export function createSignerPaymentReader(
  chain: Chain,
  { signers, assets }: SignerPaymentFilter,
): SignerPaymentReader {
  const addresses = listAllowedAssets(assets, chain.network)
  const ours = new Set(signers.map((signer) => signer.toLowerCase()))
  const reader: LogReader = createLogReader(chain)
  return {
    async read({ from, to, newest }) {
      const range = await reader.read({
        filter: {
          addresses: [...addresses, ...proxyAddresses, batchSettlementAddress],
          topics: [[authorizationTopics.used, ...settledTopics, topics.deposited]],
        },
        from,
        to,
        newest: { number: Number(newest.number), time: Number(newest.timestamp), hash: newest.hash },
      })
      const logs = Map.groupBy(range.logs, (log) => log.transactionHash)
      const transactions = await readTransactions(chain, [...logs.keys()])
      const payments = transactions
        .filter(({ from: sender }) => ours.has(sender.toLowerCase()))
        .flatMap((transaction) => {
          const ofTransaction = logs.get(transaction.hash) ?? []
          return [
            ...listAuthorized(chain, transaction, ofTransaction),
            ...listSettled(chain, transaction),
            ...listHiddenDeposits(chain, transaction, ofTransaction),
          ]
        })
      return { payments, to: range.to }
    },
  }
}

function listAuthorized(chain: Chain, { hash }: SentTransaction, logs: readonly NodeLog[]): ChainPayment[] {
  return logs.flatMap(({ topics: [event, payer, nonce], address }) => {
    if (event !== authorizationTopics.used || payer === undefined || nonce === undefined) return []
    return [
      { network: chain.network, domain: address, payer: `0x${payer.slice(26)}`, nonce, transaction: hash },
    ]
  })
}

function listSettled(chain: Chain, { hash, to, input }: SentTransaction): ChainPayment[] {
  if (to === null) return []
  return listCalls(to, input).flatMap((call) => {
    const settled = decodeSettle(call.recipient, call.data) ?? decodePermit2Deposit(call.recipient, call.data)
    if (settled === undefined) return []
    const { payer, nonce } = settled
    return [{ network: chain.network, domain: permit2Address, payer, nonce, transaction: hash }]
  })
}

/**
 * Lists the deposits into channels of a transaction with fewer calls that deposit, because another contract
 * or `multicall` made them. The facilitator sends no such transaction. They have the channel in place of the
 * nonce, so that no settlement has their key.
 */
function listHiddenDeposits(
  chain: Chain,
  { hash, to, input }: SentTransaction,
  logs: readonly NodeLog[],
): ChainPayment[] {
  const deposits = logs.filter(({ topics: [event] }) => event === topics.deposited)
  const calls = to === null ? [] : listCalls(to, input).filter(isDepositCall)
  if (deposits.length <= calls.length) return []
  return deposits.flatMap(({ topics: [, channelId, sender] }) => {
    if (channelId === undefined || sender === undefined) return []
    const payer = `0x${sender.slice(26)}`
    const domain = batchSettlementAddress
    return [{ network: chain.network, domain, payer, nonce: channelId, transaction: hash }]
  })
}

/** A transaction, as execution clients return it. */
interface SentTransaction {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly input: string
}

/** Reads transactions by their hashes, in this order. @throws Error if a node lacks one of them. */
async function readTransactions(chain: Chain, hashes: readonly string[]): Promise<SentTransaction[]> {
  const transactions: SentTransaction[] = []
  for (let start = 0; start < hashes.length; start += TRANSACTIONS_PER_REQUEST) {
    const part = hashes.slice(start, start + TRANSACTIONS_PER_REQUEST)
    const results = await chain.requestBatch(
      part.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    for (const [index, hash] of part.entries()) {
      const transaction = results[index] as SentTransaction | null
      if (!transaction?.from) throw new Error(`The node has no transaction ${hash}, but a log of it`)
      transactions.push(transaction)
    }
  }
  return transactions
}

/** Lists the payments of some signers, from a block to the newest, in the chain's order. */
export async function* listSignerPayments(
  chain: Chain,
  filter: SignerPaymentFilter,
  fromBlock: bigint,
): AsyncGenerator<ChainPayment, void, undefined> {
  const reader = createSignerPaymentReader(chain, filter)
  // A reorganization may replace this block.
  const { number, timestamp } = await chain.client.getBlock({ blockTag: 'latest' })
  const last = Number(number)
  for (let from = Number(fromBlock); from <= last; ) {
    const { payments, to } = await reader.read({ from, to: last, newest: { number, timestamp } })
    yield* payments
    from = to + 1
  }
}
