import { type Chain, createLogReader, type FinalBlock, type LogReader } from '@mintmark/evm-reader'
import { type AllowedAssets, listAllowedAssets } from '../chains/evm/settings/allowed-assets.ts'
import type { ChainPayment } from '../engine/operator/operator.ts'
import type { TransactionCall } from '../schemes/evm/evm-scheme.ts'
import { isRefund, paymentTraces } from '../schemes/registry.ts'

/** The payments that some signers made in a range of blocks. */
export interface SignerPayments {
  readonly payments: readonly ChainPayment[]
  /** The last block that was read. */
  readonly to: number
}

/** Reads the payments that some signers made on one chain. */
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
          addresses: [...addresses, ...paymentTraces.flatMap(({ contracts }) => contracts)],
          topics: [[...new Set(paymentTraces.flatMap(({ topics }) => topics))]],
        },
        from,
        to,
        newest: { number: Number(newest.number), time: Number(newest.timestamp), hash: newest.hash },
      })
      const logs = Map.groupBy(range.logs, (log) => log.transactionHash)
      const transactions = await readTransactions(chain, [...logs.keys()])
      const payments = transactions
        .filter((transaction) => ours.has(transaction.from.toLowerCase()) && !isRefund(transaction))
        .flatMap((transaction) => {
          const ofTransaction = logs.get(transaction.hash) ?? []
          const { hash } = transaction
          return paymentTraces
            .flatMap((traces) => traces.list(transaction, ofTransaction))
            .map((payment) => ({ ...payment, network: chain.network, transaction: hash }))
        })
      return { payments, to: range.to }
    },
  }
}

/** A transaction, as execution clients return it. */
interface SentTransaction extends TransactionCall {
  readonly hash: string
  readonly from: string
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
