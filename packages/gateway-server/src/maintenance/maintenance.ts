import { isOverload } from '@mintmark/server-kit'
import type pg from 'pg'
import { IDEMPOTENCY_HOURS } from '../http/idempotency.ts'

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
