import { isOverload } from '@mintmark/server-kit'
import type pg from 'pg'
import { IDEMPOTENCY_HOURS } from '../http/idempotency.ts'
import { runWithLock } from './advisory-lock.ts'

/** The steps of maintenance that failed. The others ran. */
export class MaintenanceError extends Error {
  override readonly name = 'MaintenanceError'
  /** Whether all of them only have to be repeated later. */
  readonly isTemporary: boolean

  constructor(failures: ReadonlyMap<string, unknown>) {
    const describe = ([step, error]: [string, unknown]) =>
      `${step}: ${error instanceof Error ? error.message : String(error)}`
    super([...failures].map(describe).join('; '), { cause: [...failures.values()][0] })
    this.isTemporary = [...failures.values()].every(isOverload)
  }
}

/**
 * Runs the steps of maintenance one after the other, also after one that failed. A backup, for example, locks
 * every table for hours, so that no partition can be added or dropped meanwhile.
 *
 * @throws MaintenanceError
 */
export async function runSteps(steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const failures = new Map<string, unknown>()
  for (const [name, run] of Object.entries(steps)) {
    try {
      await run()
    } catch (error) {
      failures.set(name, error)
    }
  }
  if (failures.size > 0) throw new MaintenanceError(failures)
}

/**
 * Deletes the stored responses of all projects whose Idempotency-Key has expired. Requires the owner's
 * rights, because row-level security limits the servers' role to one project. Reads the whole table once an
 * hour, because an index would be written by every create.
 *
 * @returns The number of deleted responses.
 */
export async function deleteOldResponses(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from gateway.idempotency_keys where created_at <= statement_timestamp() - make_interval(hours => $1)',
    [IDEMPOTENCY_HOURS],
  )
  return rowCount ?? 0
}

/** Rows that must have changed before a table is analyzed. */
const CHANGED_ROWS = 500

/**
 * Analyzes tables that were never analyzed, or have doubled since. Autovacuum does so too, but only once a
 * minute, and until then queries of a fast-growing table are planned without statistics. Skips tables whose
 * autovacuum is turned off. One process at a time runs it. Requires the owner's rights.
 *
 * @returns The names of the analyzed tables.
 */
export async function analyzeGrowingTables(pool: pg.Pool): Promise<string[]> {
  return (await runWithLock(pool, 'gateway.analyze', analyze)) ?? []
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
