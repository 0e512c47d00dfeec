import type { Database, ServerMetrics } from '@mintmark/server-kit'
import type { Tables } from '../database/tables.ts'
import { listLags } from './blocks/cursor-store.ts'
import type { Indexer } from './indexer.ts'

/** Registers gauges for each chain's lag, and for the block at which reading cannot continue. */
export function addIndexerGauges(
  metrics: ServerMetrics,
  database: Database<Tables>,
  indexer: Pick<Indexer, 'unreadableBlocks'>,
): void {
  metrics.gauge(
    'indexer_lag_seconds',
    "Seconds since all of a chain's blocks had been read",
    async () => {
      const lags = await listLags(database.system)
      return new Map(lags.map(({ chainId, seconds }) => [chainId, seconds]))
    },
    'chain',
  )
  metrics.gauge(
    'indexer_unreadable_block',
    'The block of a chain at which reading does not continue because no node returns its logs',
    async () => indexer.unreadableBlocks(),
    'chain',
  )
}
