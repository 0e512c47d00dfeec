import type pg from 'pg'

/** Rows that must have changed before a table is analyzed. */
const CHANGED_ROWS = 500

/**
 * Analyzes tables that were never analyzed, or have doubled since. Autovacuum does so as well, but looks once a minute, and a table that fills fast is
 * planned without statistics until then. A table whose autovacuum an operator turned off is left alone. One process does it at a time. Needs the
 * owner's rights.
 *
 * @returns The tables that were analyzed.
 */
export async function analyzeGrowingTables(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('gateway.analyze', 0)) as locked`,
    )
    if (!rows[0]?.locked) return []
    try {
      return await analyze(client)
    } finally {
      await client.query(`select pg_advisory_unlock(hashtextextended('gateway.analyze', 0))`)
    }
  } finally {
    client.release()
  }
}

async function analyze(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', s.schemaname, s.relname) as name
     from pg_stat_user_tables s join pg_class c on c.oid = s.relid
     where s.schemaname = 'gateway' and s.n_mod_since_analyze >= greatest($1, c.reltuples)
       and not coalesce(c.reloptions @> '{autovacuum_enabled=false}', false)`,
    [CHANGED_ROWS],
  )
  for (const { name } of rows) await client.query(`analyze (skip_locked) ${name}`)
  return rows.map(({ name }) => name)
}
