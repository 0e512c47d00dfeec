import type { Database, Logger, ServerMetrics } from '@mintmark/server-kit'
import type { Tables } from '../tables.ts'
import { lags } from './cursor-store.ts'

/** Tells operators how far the reading of each chain's transfers is behind. */
export function addIndexerGauges(
  metrics: ServerMetrics,
  database: Database<Tables>,
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
}
