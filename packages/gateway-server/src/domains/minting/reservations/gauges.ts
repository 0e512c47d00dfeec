import type { Database, ServerMetrics } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'

/** Reports the expired mint signatures of which no node proves whether they were used, of all projects. */
export function addMintGauges(metrics: ServerMetrics, database: Database<Tables>): void {
  metrics.gauge(
    'undecided_mints',
    'Expired mint signatures that stay reserved because no node proves whether they were used',
    async () => {
      const { rows } = await sql<{ chain: string; count: number }>`
        select chain_id as chain, count from gateway.undecided_mints()`.execute(database.system)
      return new Map(rows.map(({ chain, count }) => [chain, count]))
    },
    'chain',
  )
}
