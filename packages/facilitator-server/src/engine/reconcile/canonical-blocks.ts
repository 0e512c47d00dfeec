import type { BlockComparison, BlockIdentity } from '@mintmark/evm-reader'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import type { ChainReader } from '../../payment/payment.ts'
import type { EngineSettings } from '../settings/engine-options.ts'

/**
 * What the chain has at the number of a settled payment's block. `replaced`: another block that is final.
 * `other-block`: another block on the branch of the node that responded, which may be the branch that was
 * replaced. `unknown`: the node lacks the block, or could not be read.
 */
export type Place = 'final' | 'not-final' | 'replaced' | 'other-block' | 'unknown'

/** The chains' blocks of one round of checks: one final block per network, and one comparison per block. */
export interface CanonicalBlocks {
  find(settlement: Settlement): Place
}

/**
 * Reads the blocks of settled payments that were found in a block. Payments of one block share one read. A
 * block is final only if a node says so that has the final block.
 */
export async function readCanonicalBlocks(
  { chainReader, log }: EngineSettings,
  settlements: readonly Settlement[],
): Promise<CanonicalBlocks> {
  const blocks = new Map<string, Map<string, BlockIdentity>>()
  for (const settlement of settlements) {
    const { network } = settlement
    const block = toBlock(settlement)
    if (block === undefined || chainReader?.readable(network) !== true) continue
    blocks.set(network, (blocks.get(network) ?? new Map()).set(block.hash, block))
  }
  const networks = new Map<string, NetworkBlocks>()
  if (chainReader !== undefined) {
    for (const [network, ofNetwork] of blocks) {
      try {
        networks.set(network, await readNetworkBlocks(chainReader, network, [...ofNetwork.values()]))
      } catch (error) {
        log.error({ err: error, network }, 'The chain could not be read')
      }
    }
  }
  return { find: (settlement) => findPlace(networks.get(settlement.network), settlement) }
}

/** Whether a settled payment was found in a block. */
export const isLocated = ({ state, block_hash: hash }: Settlement): boolean =>
  state === 'settled' && hash !== null

/** The block in which a settled payment was found. */
function toBlock(settlement: Settlement): BlockIdentity | undefined {
  const { block_number: number, block_hash: hash } = settlement
  return isLocated(settlement) && number !== null && hash !== null
    ? { number: BigInt(number), hash }
    : undefined
}

interface NetworkBlocks {
  readonly final: bigint
  /** By the recorded hash. */
  readonly comparisons: ReadonlyMap<string, BlockComparison>
}

async function readNetworkBlocks(
  reader: ChainReader,
  network: string,
  blocks: readonly BlockIdentity[],
): Promise<NetworkBlocks> {
  const { final, comparisons } = await reader.compareWithFinal(network, blocks)
  const byHash = blocks.map(({ hash }, index) => [hash, comparisons[index] ?? 'unknown'] as const)
  return { final, comparisons: new Map(byHash) }
}

function findPlace(blocks: NetworkBlocks | undefined, settlement: Settlement): Place {
  const block = toBlock(settlement)
  const comparison = block && blocks?.comparisons.get(block.hash)
  if (blocks === undefined || block === undefined || comparison === undefined) return 'unknown'
  if (comparison === 'unknown') return 'unknown'
  const isFinal = BigInt(block.number) <= blocks.final
  if (comparison === 'different') return isFinal ? 'replaced' : 'other-block'
  return isFinal ? 'final' : 'not-final'
}
