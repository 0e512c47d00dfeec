import { type BlockHeader, describeChainError } from '@mintmark/evm-reader'
import type { Logger } from '@mintmark/server-kit'
import type { IndexerSettings } from '../indexer-settings.ts'
import type { BlockSource } from './block-source.ts'
import { createReadAhead, type ReadAhead } from './read-ahead.ts'
import { readRange } from './read-range.ts'

/** What one run reads with. */
export interface RunReads {
  readonly ahead: ReadAhead
  /**
   * The stored hashes by block number, as after the last write. Only this process writes them while it has
   * the lease.
   */
  readonly storedHashes: Map<number, string>
}

interface ReadsOptions {
  readonly source: BlockSource
  readonly settings: IndexerSettings
  readonly log: Pick<Logger, 'debug'>
}

/** Creates the reader of one run. Disposing of it ends the reads. */
export function createReads(
  { source, settings, log }: ReadsOptions,
  storedHashes: Map<number, string>,
): RunReads & Disposable {
  let final: Promise<number> | undefined
  const getFinalBlock = () => {
    final ??= findFinalBlock(source, log)
    return final
  }
  const ahead = createReadAhead(({ from, to, addresses, advancesChain, head, parent }) =>
    readRange(source, {
      from,
      to,
      addresses,
      parent,
      storedHashes,
      getFinalBlock,
      newest: head,
      keepFrom: advancesChain ? getFirstKept(head, settings) : Number.POSITIVE_INFINITY,
    }),
  )
  return { ahead, storedHashes, [Symbol.dispose]: () => ahead.prepare([]) }
}

/**
 * Reads the newest final block. If the node does not return it, no block counts as final, and the header of
 * every block is read.
 */
async function findFinalBlock(source: BlockSource, log: Pick<Logger, 'debug'>): Promise<number> {
  try {
    return await source.getFinalBlock()
  } catch (error) {
    log.debug({ chain: source.chainId, reason: describeChainError(error) }, 'the final block cannot be read')
    return -1
  }
}

/** Returns the first block whose hash is stored. */
export const getFirstKept = (head: BlockHeader, { keptBlocks }: IndexerSettings): number =>
  Math.max(0, head.number - keptBlocks + 1)
