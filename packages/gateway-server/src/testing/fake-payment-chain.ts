import {
  ChainUnavailableError,
  type FinalBlockComparison,
  type PaymentChains,
} from '../chain/payment-chains.ts'
import type { PaymentObservation } from '../chain/payment-observation.ts'
import type { ExpectedPayment } from '../chain/transfer-rules.ts'

/** A chain whose contents a test sets, for tests that do not read chains. */
export interface FakePaymentChain extends PaymentChains {
  block: number
  /** While true, every read fails. */
  down: boolean
  /** Observations by transaction hash. Other hashes are unseen. */
  readonly sightings: Map<string, PaymentObservation | ((target: ExpectedPayment) => PaymentObservation)>
  /** Hashes of blocks. Other blocks have a hash made of their number. */
  readonly blockHashes: Map<number, string>
  /** Decimals by token address. */
  readonly tokens: Map<string, number>
}

/** The id of the development chain, which the fake chain has too. */
export const FAKE_CHAIN_ID = '84532'
export const FAKE_TOKEN = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

export function createFakePaymentChain(): FakePaymentChain {
  const read = <Value>(chainId: string, value: () => Value): Promise<Value> =>
    chain.down || chainId !== FAKE_CHAIN_ID
      ? Promise.reject(new ChainUnavailableError(`chain ${chainId} is not available`))
      : Promise.resolve(value())
  const chain: FakePaymentChain = {
    block: 100,
    down: false,
    sightings: new Map(),
    blockHashes: new Map(),
    tokens: new Map([[FAKE_TOKEN, 6]]),
    chainIds: [FAKE_CHAIN_ID],
    serves: (chainId) => chainId === FAKE_CHAIN_ID,
    newestBlock: (chainId) => read(chainId, () => chain.block),
    compareFinalBlock: (chainId, block) => read(chainId, () => compareFinalBlock(chain, block)),
    decimals: (chainId, token) => read(chainId, () => chain.tokens.get(token)),
    observe: (chainId, hash, payment) =>
      read(chainId, () => {
        const observation = chain.sightings.get(hash) ?? { kind: 'unseen' as const }
        return typeof observation === 'function' ? observation(payment) : observation
      }),
  }
  return chain
}

function compareFinalBlock(
  chain: Pick<FakePaymentChain, 'block' | 'blockHashes'>,
  { number, hash }: { readonly number: number; readonly hash: string },
): FinalBlockComparison {
  const finalBlock = chain.block - 1
  if (finalBlock < number) return { comparison: 'unknown', finalBlock }
  return { comparison: blockHashOf(chain, number) === hash ? 'same' : 'different', finalBlock }
}

/** Returns the present hash of a block. */
export function blockHashOf(chain: Pick<FakePaymentChain, 'blockHashes'>, block: number): string {
  return chain.blockHashes.get(block) ?? `0x${block.toString(16).padStart(64, '0')}`
}
