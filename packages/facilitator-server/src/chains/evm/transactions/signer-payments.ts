import { type Chain, createLogReader, type FinalBlock, type LogReader } from '@mintmark/server-kit'
import type { ChainPayment } from '../../../payments/operator/operator.ts'
import { type AllowedAssets, listAllowedAssets } from '../allowed-assets.ts'
import { topics } from '../transfer.ts'

/** The payments that some signers made in a range of blocks. */
export interface SignerPayments {
  readonly payments: readonly ChainPayment[]
  /** The last block that was read. */
  readonly to: number
}

/** Reads the payments that some signers made on one chain. Each use of an authorization is a payment. */
export interface SignerPaymentReader {
  /**
   * Reads from the block `from` on, as many blocks as a node returns in one step, up to `to`. `newest` is a block that was read before. With
   * its hash, the node that responds must have it.
   */
  read(range: {
    readonly from: number
    readonly to: number
    readonly newest: Pick<FinalBlock, 'number' | 'timestamp'> & Partial<Pick<FinalBlock, 'hash'>>
  }): Promise<SignerPayments>
}

const SENDERS_PER_REQUEST = 100

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
      if (addresses.length === 0) return { payments: [], to }
      const range = await reader.read({
        filter: { addresses, topics: [topics.authorizationUsed] },
        from,
        to,
        newest: { number: Number(newest.number), time: Number(newest.timestamp), hash: newest.hash },
      })
      const senders = await readSenders(chain, [...new Set(range.logs.map((log) => log.transactionHash))])
      const payments = range.logs.flatMap(({ transactionHash: transaction, topics: fields, address }) => {
        const [, payer, nonce] = fields
        const isOurs = ours.has(senders.get(transaction) ?? '')
        if (!isOurs || payer === undefined || nonce === undefined) return []
        return [{ network: chain.network, asset: address, payer: `0x${payer.slice(26)}`, nonce, transaction }]
      })
      return { payments, to: range.to }
    },
  }
}

/** Reads who sent transactions, by their hashes. @throws Error if a node lacks one of them. */
async function readSenders(chain: Chain, hashes: readonly string[]): Promise<Map<string, string>> {
  const senders = new Map<string, string>()
  for (let start = 0; start < hashes.length; start += SENDERS_PER_REQUEST) {
    const part = hashes.slice(start, start + SENDERS_PER_REQUEST)
    const results = await chain.requestBatch(
      part.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
    )
    for (const [index, hash] of part.entries()) {
      // As execution clients return it.
      const transaction = results[index] as { from?: string } | null
      if (!transaction?.from) throw new Error(`The node has no transaction ${hash}, but a log of it`)
      senders.set(hash, transaction.from.toLowerCase())
    }
  }
  return senders
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
