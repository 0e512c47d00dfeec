import { ChainUnreadable, type PaymentChains } from '../chain/payment-chains.ts'
import type { Sighting } from '../domains/orders/payments/payment-outcome.ts'
import type { AskedPayment } from '../chain/transfer-rules.ts'

/** A chain that a test writes by hand, for tests that are not about reading chains. */
export interface QuietChain extends PaymentChains {
  block: number
  /** While true, nothing can be read. */
  down: boolean
  /** What became of transactions, by their hashes; what is not here nobody knows. */
  readonly sightings: Map<string, Sighting | ((asked: AskedPayment) => Sighting)>
  /** Hashes of blocks; others are told by their number. */
  readonly blockHashes: Map<number, string>
  /** Decimals of the tokens that stand there. */
  readonly tokens: Map<string, number>
}

/** The id of the dev chain, and of the quiet one. */
export const QUIET_CHAIN = '84532'
export const QUIET_TOKEN = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

export function quietChain(): QuietChain {
  const asked = <Value>(chainId: string, read: () => Value): Promise<Value> =>
    chain.down || chainId !== QUIET_CHAIN
      ? Promise.reject(new ChainUnreadable(`chain ${chainId} does not answer`))
      : Promise.resolve(read())
  const chain: QuietChain = {
    block: 100,
    down: false,
    sightings: new Map(),
    blockHashes: new Map(),
    tokens: new Map([[QUIET_TOKEN, 6]]),
    chainIds: [QUIET_CHAIN],
    serves: (chainId) => chainId === QUIET_CHAIN,
    newestBlock: (chainId) => asked(chainId, () => chain.block),
    finalBlock: (chainId) => asked(chainId, () => chain.block - 1),
    blockHash: (chainId, block) => asked(chainId, () => blockHashOf(chain, block)),
    decimals: (chainId, token) => asked(chainId, () => chain.tokens.get(token)),
    look: (chainId, hash, payment) =>
      asked(chainId, () => {
        const found = chain.sightings.get(hash) ?? { kind: 'unseen' as const }
        return typeof found === 'function' ? found(payment) : found
      }),
  }
  return chain
}

/** The hash of a block, as the chain has it now. */
export function blockHashOf(chain: Pick<QuietChain, 'blockHashes'>, block: number): string {
  return chain.blockHashes.get(block) ?? `0x${block.toString(16).padStart(64, '0')}`
}
