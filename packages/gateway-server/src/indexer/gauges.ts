import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import type { Tables } from '../tables.ts'
import { lags } from './blocks/cursor-store.ts'
import type { Indexer } from './indexer.ts'

/** Reports how far the reading of each chain's transfers is behind, and the block where it cannot continue. */
export function addIndexerGauges(
  metrics: ServerMetrics,
  database: Database<Tables>,
  indexer: Pick<Indexer, 'unreadableBlocks'>,
  log: Pick<Logger, 'warn'>,
): void {
  const read = async (what: 'blocks' | 'seconds') => {
    try {
      return new Map((await lags(database.system)).map((lag) => [lag.chainId, lag[what]]))
    } catch (error) {
      log.warn({ err: error }, 'the lag of the indexer could not be read')
      return new Map<string, number>()
    }
  }
  metrics.gauge(
    'indexer_lag_blocks',
    'Blocks of a chain that are not read yet, for the contract that is furthest behind',
    () => read('blocks'),
    'chain',
  )
  metrics.gauge(
    'indexer_lag_seconds',
    "Since all of a chain's blocks had been read the last time",
    () => read('seconds'),
    'chain',
  )
  metrics.gauge(
    'indexer_unreadable_block',
    'The block of a chain at which reading does not continue because no node returns its logs',
    async () => indexer.unreadableBlocks(),
    'chain',
  )
}
