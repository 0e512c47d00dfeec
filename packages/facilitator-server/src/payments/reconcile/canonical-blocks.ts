import type { Settlement } from '../../ledger/settlements/settlement.ts'
import type { EngineSettings } from '../engine-options.ts'
import type { ChainReader } from '../payment.ts'

/** What the chain has at the number of a settled payment's block. `unknown`: its node lacks the block, or could not be read. */
export type Place = 'final' | 'not-final' | 'other-block' | 'unknown'

/** The chains' blocks of one round of checks: one final block per network, and one hash per block. */
export interface CanonicalBlocks {
  find(settlement: Settlement): Place
}

/** Concurrent reads of blocks. */
const CONCURRENT_READS = 16

/**
 * Reads the blocks of settled payments that were found in a block. Payments of one block share one read. The final block is read first, so
 * that the hash of a block that is final cannot be older.
 */
export async function readCanonicalBlocks(
  { chainReader, log }: EngineSettings,
  settlements: readonly Settlement[],
): Promise<CanonicalBlocks> {
  const numbers = new Map<string, Set<string>>()
  for (const { network, block_number: number } of settlements.filter(isLocated)) {
    if (number === null || chainReader?.readable(network) !== true) continue
    numbers.set(network, (numbers.get(network) ?? new Set()).add(number))
  }
  const networks = new Map<string, NetworkBlocks>()
  if (chainReader !== undefined) {
    for (const [network, ofNetwork] of numbers) {
      try {
        networks.set(network, await readNetworkBlocks(chainReader, network, [...ofNetwork]))
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

interface NetworkBlocks {
  readonly final: bigint
  /** Hashes by block number, as text. Undefined if the node lacks the block. */
  readonly hashes: ReadonlyMap<string, string | undefined>
}

async function readNetworkBlocks(
  reader: ChainReader,
  network: string,
  numbers: readonly string[],
): Promise<NetworkBlocks> {
  const final = await reader.finalBlockNumber(network)
  const hashes = new Map<string, string | undefined>()
  for (let start = 0; start < numbers.length; start += CONCURRENT_READS) {
    const part = numbers.slice(start, start + CONCURRENT_READS)
    await Promise.all(
      part.map(async (number) => hashes.set(number, await reader.blockHash(network, BigInt(number)))),
    )
  }
  return { final, hashes }
}

function findPlace(
  blocks: NetworkBlocks | undefined,
  { block_number: number, block_hash: recorded }: Settlement,
): Place {
  const canonical = number === null ? undefined : blocks?.hashes.get(number)
  if (blocks === undefined || number === null || canonical === undefined) return 'unknown'
  if (canonical !== recorded) return 'other-block'
  return BigInt(number) <= blocks.final ? 'final' : 'not-final'
}
