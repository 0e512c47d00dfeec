import { transaction } from '@mintmark/server-kit'
import { sql, type Transaction } from 'kysely'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions } from '../../ledger/settlements/transition.ts'
import type { Tables } from '../../tables.ts'
import type { EngineSettings } from '../engine-options.ts'

/** The settlements of a reconciler that died are free again after this time. */
const RECONCILER_LEASE_MS = 30_000
const BATCH_SIZE = 16

export interface ClaimFilter {
  /** The id of the only settlement to claim. */
  readonly only?: number
  /** Claims settlements whose lease ended by this time of the database's clock. Default: now. */
  readonly dueBy?: string
}

/** Reads the database's clock, to the microsecond. Leases use no other clock. */
export async function readDatabaseTime({ db }: EngineSettings): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The database did not return the time')
  return row.now
}

/** Claims settlements whose lease has ended. A `sent` one has lost its call and becomes unknown. */
export async function claimSettlements(
  settings: EngineSettings,
  attempt: string,
  { only, dueBy = 'infinity' }: ClaimFilter,
): Promise<Settlement[]> {
  return transaction(settings.db, async (trx) => {
    const { rows } = await sql<Settlement>`
      update facilitator.settlements set
        attempt = ${attempt}, check_count = check_count + 1,
        lease_until = clock_timestamp() + make_interval(secs => ${RECONCILER_LEASE_MS / 1000}::float8)
      where id in (
        select id from facilitator.settlements
        where lease_until <= least(clock_timestamp(), ${dueBy}::timestamptz)
          and (${only ?? null}::bigint is null or id = ${only ?? null}::bigint)
        order by lease_until limit ${BATCH_SIZE} for no key update skip locked
      )
      returning *`.execute(trx)
    const interrupted = await markInterrupted(trx, rows, settings)
    const byId = new Map(interrupted.map((settlement) => [settlement.id, settlement]))
    return rows.map((row) => byId.get(row.id) ?? row)
  })
}

async function markInterrupted(
  trx: Transaction<Tables>,
  claimed: readonly Settlement[],
  { enqueue }: EngineSettings,
): Promise<Settlement[]> {
  const transitions = claimed
    .filter(({ state }) => state === 'sent')
    .map(({ id, attempt, hold }) => ({
      id,
      attempt,
      hold,
      from: 'sent' as const,
      transition: { to: 'unknown' as const, reason: 'interrupted' },
      lease: RECONCILER_LEASE_MS,
    }))
  return applyTransitions(trx, transitions, enqueue)
}
