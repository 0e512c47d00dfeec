import type pg from 'pg'
import {
  changePartitions,
  dropPartitions,
  hasRowsBefore,
  type PartitionedTable,
  startOfPeriod,
} from './partitions.ts'

/**
 * A partitioned table whose rows the sequencer numbers within each project, without gaps, by the column
 * `number`. `heads` has a row for each such project.
 */
export interface NumberedTable extends PartitionedTable {
  readonly number: string
  readonly heads: string
}

/** The last row of a project that is older than some time. It and all rows before it are old. */
export interface OldRows {
  readonly project: number
  readonly last: number
}

/**
 * Lists the projects with rows that were recorded before a time, with the first row since then. Reads an index
 * entry of each partition for each project.
 */
export async function listOldRows(
  client: pg.Pool | pg.PoolClient,
  { name, column, number, heads }: NumberedTable,
  before: Date,
): Promise<(OldRows & { readonly first: number | null })[]> {
  const { rows } = await client.query<OldRows & { first: number | null }>(
    `select h.project_id as project, o.last, k.first from gateway.${heads} h
     cross join lateral (
       select max(${number}) as last from gateway.${name} where project_id = h.project_id and ${column} < $1) o
     cross join lateral (
       select min(${number}) as first from gateway.${name} where project_id = h.project_id and ${column} >= $1) k
     where o.last is not null order by h.project_id`,
    [before],
  )
  return rows
}

/**
 * Drops the rows that were recorded before the period of a time, in partitions. After a jump of the clock a
 * row can have an earlier time than the one before it. What precedes an old row is deleted too, so that the
 * rest has no gap.
 *
 * @param prepare Runs in the transaction, before anything is dropped. What it throws prevents that.
 */
export async function dropNumbered(
  pool: pg.Pool,
  table: NumberedTable,
  time: Date,
  prepare?: (client: pg.PoolClient, old: readonly OldRows[]) => Promise<void>,
): Promise<void> {
  const before = startOfPeriod(table.period, time)
  // Usually there are none. To list them takes a lock, and reads an entry of each project while no event is numbered.
  if (!(await hasRowsBefore(pool, table, before))) return
  await changePartitions(pool, async (client) => {
    const old = await listOldRows(client, table, before)
    await prepare?.(client, old)
    for (const { project, last, first } of old) {
      if (first === null || first > last) continue
      await client.query(
        `delete from gateway.${table.name} where project_id = $1 and ${table.number} <= $2 and ${table.column} >= $3`,
        [project, last, before],
      )
    }
    await dropPartitions(client, table, before)
  })
}
