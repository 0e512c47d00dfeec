import { ChainUnavailableError, type PaymentChains } from '../chain/payment-chains.ts'
import type { Sighting } from '../domains/orders/payments/payment-outcome.ts'
import type { AskedPayment } from '../domains/orders/payments/transfer-rules.ts'

/** A chain that a test writes by hand, for tests that are not about reading chains. */
export interface FakePaymentChain extends PaymentChains {
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
export const FAKE_CHAIN_ID = '84532'
export const FAKE_TOKEN = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

export function createFakePaymentChain(): FakePaymentChain {
  const asked = <Value>(chainId: string, read: () => Value): Promise<Value> =>
    chain.down || chainId !== FAKE_CHAIN_ID
      ? Promise.reject(new ChainUnavailableError(`chain ${chainId} does not answer`))
      : Promise.resolve(read())
  const chain: FakePaymentChain = {
    block: 100,
    down: false,
    sightings: new Map(),
    blockHashes: new Map(),
    tokens: new Map([[FAKE_TOKEN, 6]]),
    chainIds: [FAKE_CHAIN_ID],
    serves: (chainId) => chainId === FAKE_CHAIN_ID,
    newestBlock: (chainId) => asked(chainId, () => chain.block),
    finalBlock: (chainId) => asked(chainId, () => chain.block - 1),
    blockHash: (chainId, block) => asked(chainId, () => blockHashOf(chain, block)),
    decimals: (chainId, token) => asked(chainId, () => chain.tokens.get(token)),
    observe: (chainId, hash, payment) =>
      asked(chainId, () => {
        const found = chain.sightings.get(hash) ?? { kind: 'unseen' as const }
        return typeof found === 'function' ? found(payment) : found
      }),
  }
  return chain
}

/** The hash of a block, as the chain has it now. */
export function blockHashOf(chain: Pick<FakePaymentChain, 'blockHashes'>, block: number): string {
  return chain.blockHashes.get(block) ?? `0x${block.toString(16).padStart(64, '0')}`
}
