import { type Chain, type Chains, describeChainError } from '@mintmark/evm-reader'
import type { Logger } from '@mintmark/server-kit'

/** A chain could not be read. The message contains no address of a node. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError'
}

/** Finds configured chains by the ids that records contain, and reads them. */
export interface ChainAccess {
  /** Ids of all chains in CHAINS. */
  readonly chainIds: readonly string[]
  serves(chainId: string): boolean
  /** Reads a chain. Every failure is logged and becomes a {@link ChainUnavailableError}. */
  read<Value>(chainId: string, work: (chain: Chain) => Promise<Value>): Promise<Value>
}

export function createChainAccess(chains: Chains, log: Pick<Logger, 'warn'>): ChainAccess {
  const find = (chainId: string) => (/^\d{1,15}$/.test(chainId) ? chains.byId(Number(chainId)) : undefined)
  return {
    chainIds: chains.all.map((chain) => String(chain.id)),
    serves: (chainId) => find(chainId) !== undefined,
    async read(chainId, work) {
      const chain = find(chainId)
      if (chain === undefined) throw new ChainUnavailableError(`chain ${chainId} is not in CHAINS`)
      try {
        return await work(chain)
      } catch (error) {
        const reason = describeChainError(error)
        if (isMistake(error))
          log.warn({ chain: chainId, err: error }, 'a response of the chain could not be processed')
        else log.warn({ chain: chainId, reason }, 'the chain could not be read')
        throw new ChainUnavailableError(`chain ${chainId}: ${reason}`)
      }
    },
  }
}

/** Whether an error is a mistake in this program. Failed connections and codes of nodes have a cause or a code. */
function isMistake(error: unknown): boolean {
  if (!(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError))
    return false
  return error.cause === undefined && !('code' in error)
}
