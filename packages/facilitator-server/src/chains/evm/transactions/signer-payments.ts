import type { Chain } from '@mintmark/server-kit'
import type { ChainPayment } from '../../../payments/operator/operator.ts'
import { asHex, topics } from '../transfer.ts'

/** The range of a log query that nodes commonly accept. */
const BLOCKS_PER_QUERY = 2_000n

/**
 * Lists the payments that transactions of these signers made on a chain, from a block to the newest, in the chain's order. Each use of an
 * authorization is a payment.
 */
export async function* listSignerPayments(
  chain: Chain,
  signers: readonly string[],
  fromBlock: bigint,
): AsyncGenerator<ChainPayment, void, undefined> {
  const ours = new Set(signers.map((signer) => signer.toLowerCase()))
  const head = await chain.newestBlock()
  for (let from = fromBlock; from <= head; from += BLOCKS_PER_QUERY) {
    const last = from + BLOCKS_PER_QUERY - 1n
    const range = { fromBlock: from, toBlock: last < head ? last : head }
    const logs = await chain.client.request({
      method: 'eth_getLogs',
      params: [
        {
          topics: [topics.authorizationUsed],
          fromBlock: `0x${range.fromBlock.toString(16)}`,
          toBlock: `0x${range.toBlock.toString(16)}`,
        },
      ],
    })
    const senders = new Map<string, string>()
    for (const { transactionHash: hash, topics: fields, address } of logs) {
      const [, payer, nonce] = fields
      if (hash === null || payer === undefined || nonce === undefined) continue
      const sender =
        senders.get(hash) ?? (await chain.client.getTransaction({ hash: asHex(hash) })).from.toLowerCase()
      senders.set(hash, sender)
      if (!ours.has(sender)) continue
      yield {
        network: chain.network,
        asset: address,
        payer: `0x${payer.slice(26)}`,
        nonce,
        transaction: hash,
      }
    }
  }
}
