import { type Chain, type Chains, isRevert, type Logger, openChains, rpcErrorOf } from '@mintmark/server-kit'
import {
  type Hex,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Sighting } from '../domains/orders/payments/payment-outcome.ts'
import { canPay } from './pending-rules.ts'
import {
  type AskedPayment,
  involvesBuyer,
  nativePaid,
  outcomeOf,
  type PaymentFacts,
  type TracedCall,
  tokenPaid,
  tokenPaidByOthers,
} from './transfer-rules.ts'
import { chainReader } from './chain-reader.ts'

export { ChainUnreadable } from './chain-reader.ts'

/** What the gateway asks of the chains that orders are paid on. Every call may end in {@link ChainUnreadable}. */
export interface PaymentChains {
  /** The ids of all chains of CHAINS; none where CHAINS is not set. */
  readonly chainIds: readonly string[]
  /** Whether orders can be paid on this chain. */
  serves(chainId: string): boolean
  newestBlock(chainId: string): Promise<number>
  /** The newest block that stays. */
  finalBlock(chainId: string): Promise<number>
  /** The hash of a block; undefined where the chain is not so long. */
  blockHash(chainId: string, block: number): Promise<string | undefined>
  /** A token's decimals; undefined where no ERC-20 stands at the address. */
  decimals(chainId: string, token: string): Promise<number | undefined>
  /** What has become of a transaction that was reported as a payment. */
  look(chainId: string, hash: string, asked: AskedPayment): Promise<Sighting>
}

/** Of a gateway that is told of no chain: nothing can be put on the shelf or ordered. */
export const noChains: PaymentChains = createPaymentChains(openChains([]), { warn: () => {} })

/** Chains that are read by JSON-RPC. */
export function createPaymentChains(chains: Chains, log: Pick<Logger, 'warn'>): PaymentChains {
  const known = new Map<string, number>()

  const { chainIds, serves, reading } = chainReader(chains, log)

  return {
    chainIds,
    serves,
    newestBlock: (chainId) =>
      reading(chainId, async ({ client }) => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    finalBlock: (chainId) => reading(chainId, async (chain) => Number((await chain.finalBlock()).number)),
    blockHash: (chainId, block) =>
      reading(chainId, async ({ client }) => {
        // `getBlock` throws where there is none, and takes the block apart, of which only the hash is wanted.
        const found = await client.request({
          method: 'eth_getBlockByNumber',
          params: [`0x${block.toString(16)}`, false],
        })
        return found?.hash ?? undefined
      }),
    decimals: (chainId, token) =>
      reading(chainId, async (chain) => {
        const key = `${chainId}/${token}`
        const decimals = known.get(key) ?? (await readDecimals(chain, token))
        if (decimals !== undefined) known.set(key, decimals)
        return decimals
      }),
    look: (chainId, hash, asked) => reading(chainId, (chain) => look(chain, asHex(hash), asked)),
  }
}

const asHex = (text: string): Hex => `0x${text.slice(2)}`

async function readDecimals({ client }: Chain, token: string): Promise<number | undefined> {
  try {
    // decimals()
    const { data } = await client.call({ to: asHex(token), data: '0x313ce567' })
    const decimals = data !== undefined && data.length === 66 ? BigInt(data) : 256n
    return decimals < 256n ? Number(decimals) : undefined
  } catch (error) {
    const answered = rpcErrorOf(error)
    if (answered !== undefined && isRevert(answered)) return undefined
    throw error
  }
}

async function look(chain: Chain, hash: Hex, asked: AskedPayment): Promise<Sighting> {
  // Before the receipt: a block that is final now lies behind whatever the receipt is read from.
  const final = Number((await chain.finalBlock()).number)
  const receipt = await chain.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
  if (receipt === undefined) {
    const transaction = await chain.client.getTransaction({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionNotFoundError) return undefined
      throw error
    })
    return transaction === undefined
      ? { kind: 'unseen' }
      : { kind: 'pending', fits: canPay(transaction, asked) }
  }
  const block = Number(receipt.blockNumber)
  const mined = { kind: 'mined', block, blockHash: receipt.blockHash, final: block <= final } as const
  if (receipt.status === 'reverted') return { ...mined, outcome: 'reverted' }
  const facts = await readPayment(chain, receipt, asked)
  const outcome = outcomeOf(block, facts, asked)
  return { ...mined, outcome, ...(facts.paid !== undefined && { paid: facts.paid }) }
}

async function readPayment(
  chain: Chain,
  receipt: TransactionReceipt,
  asked: AskedPayment,
): Promise<PaymentFacts> {
  const buyerInvolved = involvesBuyer(receipt, asked)
  if (asked.token !== '') {
    const { logs } = receipt
    return { paid: tokenPaid(logs, asked), paidByOthers: tokenPaidByOthers(logs, asked), buyerInvolved }
  }
  return { ...(await readNativePayment(chain, receipt, asked)), buyerInvolved }
}

async function readNativePayment(
  { client }: Chain,
  receipt: TransactionReceipt,
  asked: AskedPayment,
): Promise<Pick<PaymentFacts, 'paid' | 'paidByOthers'>> {
  const hash = receipt.transactionHash
  const { from, to, value, input } = await client.getTransaction({ hash })
  const toSeller = to?.toLowerCase() === asked.to
  if (toSeller && from.toLowerCase() === asked.from) return { paid: value, paidByOthers: 0n }
  const paidByOthers = toSeller ? value : 0n
  // A transfer between others, with nothing called: it moved nothing from buyer to seller.
  if (input === '0x' && receipt.gasUsed === 21_000n) return { paid: 0n, paidByOthers }
  return { paid: await traceNativePayment(client, hash, asked), paidByOthers }
}

/** What a transaction's calls moved from buyer to seller; `undefined` where the node offers no traces. */
async function traceNativePayment(
  client: Chain['client'],
  hash: Hex,
  asked: AskedPayment,
): Promise<bigint | undefined> {
  try {
    // viem's types leave out methods that a node may not offer.
    const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>
    const options = { tracer: 'callTracer' }
    const trace = await request({ method: 'debug_traceTransaction', params: [hash, options] })
    // What the `callTracer` returns.
    return nativePaid(trace as TracedCall, asked)
  } catch (error) {
    const answered = rpcErrorOf(error)
    // A node that does not know a mined transaction yet is behind, and says nothing about traces.
    if (answered === undefined || /\b(transaction|block|header)\b.*not found/i.test(answered.message))
      throw error
    return undefined
  }
}
