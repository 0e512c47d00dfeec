import { sql } from 'kysely'
import { executeStatement } from '../../database/execute-statement.ts'
import { toEnqueueParameter } from '../../events/record-event.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import type { EngineSettings } from '../settings/engine-options.ts'

/** The settlements of a reconciler that died are free again after this time. */
const RECONCILER_LEASE_MS = 30_000

/**
 * A group of settlements that are checked alike. `unfinished`: sent or unknown. `unlocated`: settled, but not
 * found in a block yet. `located`: settled in a known block that was not final.
 */
export interface ClaimGroup {
  readonly name: 'unfinished' | 'unlocated' | 'located'
  /** The most settlements of one claim. */
  readonly limit: number
}

/**
 * The groups in the order of their urgency. Payments of the first one are read from the chain one by one,
 * those of the second one by transaction, and those of the last one by block.
 */
export const CLAIM_GROUPS: readonly ClaimGroup[] = [
  { name: 'unfinished', limit: 16 },
  { name: 'unlocated', limit: 256 },
  { name: 'located', limit: 500 },
]

export type ClaimFilter =
  /** The id of the only settlement to claim. */
  | { readonly only: number }
  /** Claims settlements of one network whose lease ended by this time of the database's clock. */
  | { readonly group: ClaimGroup; readonly network: string; readonly dueBy: string }

/** Reads the database's clock, to the microsecond. Leases use no other clock. */
export async function readDatabaseTime({ db }: EngineSettings): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The database did not return the time')
  return row.now
}

/** Lists the networks that this process serves. */
export const listNetworks = ({
  chainReader,
  unreadableNetworks,
}: Pick<EngineSettings, 'chainReader' | 'unreadableNetworks'>): string[] => [
  ...new Set([...(chainReader?.networks ?? []), ...unreadableNetworks]),
]

/**
 * Claims settlements whose lease has ended, on networks that this process serves: in a rollout that adds a
 * chain, processes without it leave its settlements to the others. A `sent` one has lost its call and becomes
 * unknown.
 */
export async function claimSettlements(
  settings: EngineSettings,
  attempt: string,
  filter: ClaimFilter,
): Promise<Settlement[]> {
  const { db, enqueue, patience } = settings
  const { only, group, networks, dueBy } =
    'only' in filter
      ? { only: filter.only, group: undefined, networks: listNetworks(settings), dueBy: 'infinity' }
      : { only: null, group: filter.group, networks: [filter.network], dueBy: filter.dueBy }
  const { rows } = await executeStatement(
    () =>
      sql<Settlement>`
        select * from facilitator.claim_settlements(${attempt}::uuid, ${group?.name ?? null}::text, ${only}::bigint,
          ${networks}::text[], ${dueBy}::timestamptz, make_interval(secs => ${RECONCILER_LEASE_MS / 1000}::float8),
          ${group?.limit ?? 1}::integer, ${toEnqueueParameter(enqueue)}::jsonb)`.execute(db),
    patience,
  )
  return rows
}
