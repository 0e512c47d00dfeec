import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import type { Tables } from '../database/tables.ts'
import { listLags } from './blocks/cursor-store.ts'
import type { Indexer } from './indexer.ts'

/** Registers gauges for each chain's lag, and for the block at which reading cannot continue. */
export function addIndexerGauges(
  metrics: ServerMetrics,
  database: Database<Tables>,
  indexer: Pick<Indexer, 'unreadableBlocks'>,
  log: Pick<Logger, 'warn'>,
): void {
  const readLag = async (unit: 'blocks' | 'seconds') => {
    try {
      return new Map((await listLags(database.system)).map((lag) => [lag.chainId, lag[unit]]))
    } catch (error) {
      log.warn({ err: error }, 'the lag of the indexer could not be read')
      return new Map<string, number>()
    }
  }
  metrics.gauge(
    'indexer_lag_blocks',
    'Unread blocks of a chain, for the contract that is furthest behind',
    () => readLag('blocks'),
    'chain',
  )
  metrics.gauge(
    'indexer_lag_seconds',
    "Seconds since all of a chain's blocks had been read",
    () => readLag('seconds'),
    'chain',
  )
  metrics.gauge(
    'indexer_unreadable_block',
    'The block of a chain at which reading does not continue because no node returns its logs',
    async () => indexer.unreadableBlocks(),
    'chain',
  )
}
