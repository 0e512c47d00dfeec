import {
  type BlockComparison,
  type Chain,
  ChainChangedError,
  type Chains,
  compareBlocksAsOf,
  type FinalBlock,
  findRpcError,
  isRevert,
  openChains,
  readReceipt,
  readTrace,
} from '@mintmark/evm-reader'
import type { Logger } from '@mintmark/server-kit'
import { type Hex, TransactionNotFoundError, type TransactionReceipt } from 'viem'
import { createChainAccess } from './chain-access.ts'
import type { PaymentObservation } from './payment-observation.ts'
import { canPay } from './pending-rules.ts'
import {
  type ExpectedPayment,
  involvesBuyer,
  nativePaid,
  outcomeOf,
  type PaymentFacts,
  tokenPaid,
  tokenPaidByOthers,
} from './transfer-rules.ts'

export { ChainUnavailableError } from './chain-access.ts'

/** Reads the chains that orders are paid on. Every method can throw {@link ChainUnavailableError}. */
export interface PaymentChains {
  /** Ids of all chains in CHAINS. Empty when CHAINS is not set. */
  readonly chainIds: readonly string[]
  /** Whether orders can be paid on this chain. */
  serves(chainId: string): boolean
  newestBlock(chainId: string): Promise<number>
  /** Compares a block that was final with the chain. */
  compareFinalBlock(chainId: string, block: { number: number; hash: string }): Promise<FinalBlockComparison>
  /** A token's decimals; undefined when the address is no ERC-20 contract. */
  decimals(chainId: string, token: string): Promise<number | undefined>
  /** Observes a transaction that was reported as a payment. */
  observe(chainId: string, hash: string, target: ExpectedPayment): Promise<PaymentObservation>
}

/** How a block that was final compares with the chain. */
export interface FinalBlockComparison {
  /** `different`: final blocks of the chain have replaced it. `unknown`: the nodes lack blocks. */
  readonly comparison: BlockComparison
  /** The number of the newest final block. */
  readonly finalBlock: number
}

/** For a gateway without CHAINS: nothing can be listed or ordered. */
export const noChains: PaymentChains = createPaymentChains(openChains([]), { warn: () => {} })

/** Creates a reader of chains by JSON-RPC. */
export function createPaymentChains(chains: Chains, log: Pick<Logger, 'warn'>): PaymentChains {
  const decimalsCache = new Map<string, number>()

  const { chainIds, serves, read } = createChainAccess(chains, log)

  return {
    chainIds,
    serves,
    newestBlock: (chainId) => read(chainId, async (chain) => Number(await chain.newestBlock())),
    compareFinalBlock: (chainId, block) => read(chainId, (chain) => compareFinalBlock(chain, block)),
    decimals: (chainId, token) =>
      read(chainId, async (chain) => {
        const key = `${chainId}/${token}`
        const decimals = decimalsCache.get(key) ?? (await readDecimals(chain, token))
        if (decimals !== undefined) decimalsCache.set(key, decimals)
        return decimals
      }),
    observe: (chainId, hash, target) => read(chainId, (chain) => observe(chain, asHex(hash), target)),
  }
}

/**
 * A node whose final block is older than the block, or that lacks the final block of another node, may not
 * have noticed a reorganization.
 */
async function compareFinalBlock(
  chain: Chain,
  block: { readonly number: number; readonly hash: string },
): Promise<FinalBlockComparison> {
  const final = await chain.finalBlock()
  const finalBlock = Number(final.number)
  if (finalBlock < block.number) return { comparison: 'unknown', finalBlock }
  const [comparison = 'unknown'] = await compareBlocksAsOf(chain, [block], final)
  return { comparison, finalBlock }
}

const asHex = (text: string): Hex => `0x${text.slice(2)}`

async function readDecimals({ client }: Chain, token: string): Promise<number | undefined> {
  try {
    // decimals()
    const { data } = await client.call({ to: asHex(token), data: '0x313ce567' })
    const decimals = data !== undefined && data.length === 66 ? BigInt(data) : 256n
    return decimals < 256n ? Number(decimals) : undefined
  } catch (error) {
    const rpcError = findRpcError(error)
    if (rpcError !== undefined && isRevert(rpcError)) return undefined
    throw error
  }
}

async function observe(chain: Chain, hash: Hex, target: ExpectedPayment): Promise<PaymentObservation> {
  // Read before the receipt, so that the final block is never newer than the state the receipt comes from.
  const final = await chain.finalBlock()
  const fact = await readReceipt(chain, hash, final)
  if (fact.kind === 'mined') return await observeMined(chain, fact.receipt, final, target)
  const transaction = await chain.client.getTransaction({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  })
  if (transaction !== undefined) return { kind: 'pending', fits: canPay(transaction, target) }
  if (fact.kind === 'unknown') throw new ChainChangedError(`the node lacks block ${final.number}`)
  return { kind: 'unseen' }
}

async function observeMined(
  chain: Chain,
  receipt: TransactionReceipt,
  final: FinalBlock,
  target: ExpectedPayment,
): Promise<PaymentObservation> {
  const block = Number(receipt.blockNumber)
  const isFinal = receipt.blockNumber <= final.number
  const mined = { kind: 'mined', block, blockHash: receipt.blockHash, final: isFinal } as const
  if (receipt.status === 'reverted') return { ...mined, outcome: 'reverted' }
  const facts = await readPayment(chain, receipt, target)
  const outcome = outcomeOf(block, facts, target)
  return { ...mined, outcome, ...(facts.paid !== undefined && { paid: facts.paid }) }
}

async function readPayment(
  chain: Chain,
  receipt: TransactionReceipt,
  target: ExpectedPayment,
): Promise<PaymentFacts> {
  const buyerInvolved = involvesBuyer(receipt, target)
  if (target.token !== '') {
    const { logs } = receipt
    return { paid: tokenPaid(logs, target), paidByOthers: tokenPaidByOthers(logs, target), buyerInvolved }
  }
  return { ...(await readNativePayment(chain, receipt, target)), buyerInvolved }
}

async function readNativePayment(
  { client }: Chain,
  receipt: TransactionReceipt,
  target: ExpectedPayment,
): Promise<Pick<PaymentFacts, 'paid' | 'paidByOthers'>> {
  const hash = receipt.transactionHash
  const { from, to, value, input } = await client.getTransaction({ hash })
  const toSeller = to?.toLowerCase() === target.to
  if (toSeller && from.toLowerCase() === target.from) return { paid: value, paidByOthers: 0n }
  const paidByOthers = toSeller ? value : 0n
  // A plain transfer between other parties moved nothing from the buyer to the seller.
  if (input === '0x' && receipt.gasUsed === 21_000n) return { paid: 0n, paidByOthers }
  const trace = await readTrace({ client }, hash)
  return { paid: trace && nativePaid(trace, target), paidByOthers }
}
