import { CHAIN_UNREADABLE } from '@mintmark/envelope'
import { type Refuse, refusal } from '@mintmark/server-kit'
import { ChainUnavailableError } from './chain-access.ts'
import type { PaymentChains } from './payment-chains.ts'

interface Chains {
  readonly chains: PaymentChains
}

/**
 * Reads a chain for a call, in its `prepare` step: no transaction waits for a chain. Refuses the call when
 * the chain cannot be read.
 */
export async function readChain<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainUnavailableError) throw refusal(CHAIN_UNREADABLE)
    throw error
  }
}

/** Refuses a sale whose chain is not among CHAINS: a later call would not succeed either. */
export function checkServed(
  { chains, invalid }: Chains & Pick<Refuse, 'invalid'>,
  field: string,
  chainId: string,
): void {
  if (!chains.serves(chainId)) invalid(field, `This gateway takes no payments on chain ${chainId}`)
}

/**
 * Reads the newest block of the chain on which the order of a sale will be paid. `field` names the sale in
 * the call.
 */
export async function readNewestBlock(
  context: Chains & Refuse,
  field: string,
  chainId: string,
): Promise<number> {
  checkServed(context, field, chainId)
  return await readChain(() => context.chains.newestBlock(chainId))
}
