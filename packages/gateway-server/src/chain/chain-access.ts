import { type Chain, type Chains, describeChainError, type Logger } from '@mintmark/server-kit'

/** A chain did not answer; its message holds no address of a node. */
export class ChainUnavailableError extends Error {
  override readonly name = 'ChainUnavailableError'
}

export interface ChainReader {
  /** The ids of all chains of CHAINS. */
  readonly chainIds: readonly string[]
  serves(chainId: string): boolean
  /** Reads a chain; whatever goes wrong ends in {@link ChainUnavailableError}. */
  reading<Value>(chainId: string, read: (chain: Chain) => Promise<Value>): Promise<Value>
}

/** Finds chains by the texts that records hold, and tells of those that cannot be read. */
export function chainReader(chains: Chains, log: Pick<Logger, 'warn'>): ChainReader {
  const find = (chainId: string) => (/^\d{1,15}$/.test(chainId) ? chains.byId(Number(chainId)) : undefined)
  return {
    chainIds: chains.all.map((chain) => String(chain.id)),
    serves: (chainId) => find(chainId) !== undefined,
    async reading(chainId, read) {
      const chain = find(chainId)
      if (chain === undefined) throw new ChainUnavailableError(`chain ${chainId} is not among CHAINS`)
      try {
        return await read(chain)
      } catch (error) {
        const reason = describeChainError(error)
        log.warn({ chain: chainId, reason }, 'the chain could not be read')
        throw new ChainUnavailableError(`chain ${chainId}: ${reason}`)
      }
    },
  }
}
