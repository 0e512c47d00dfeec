import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseError } from '@mintmark/server-kit'
import type pg from 'pg'

/**
 * A table that is partitioned by time, in UTC. Rows whose time has no partition are in the default partition,
 * `<name>_default`.
 */
export interface PartitionedTable {
  readonly name: string
  /** The column of the time. */
  readonly column: string
  readonly period: 'hour' | 'day' | 'month'
  /** Periods before the present one that get a partition. */
  readonly behind: number
  /** Periods after the present one that get a partition in advance. */
  readonly ahead: number
}

export const USED_SIGNATURES: PartitionedTable = {
  name: 'used_signatures',
  column: 'signed_at',
  period: 'hour',
  // The age of accepted timestamps of writes, plus a margin for clocks and slow transactions.
  behind: 1,
  ahead: 3,
}
export const EVENTS: PartitionedTable = {
  name: 'events',
  column: 'recorded_at',
  period: 'day',
  behind: 0,
  ahead: 3,
}
/** Months, because entries stay for years, and each query of a log visits every partition. */
export const AUDIT_ENTRIES: PartitionedTable = {
  name: 'audit_entries',
  column: 'recorded_at',
  period: 'month',
  behind: 0,
  ahead: 2,
}
export const PARTITIONED_TABLES = [USED_SIGNATURES, EVENTS, AUDIT_ENTRIES]

export interface Partition {
  readonly name: string
  readonly from: Date
  readonly to: Date
}

/** Returns when the period of a time begins, or one that is `offset` periods later. */
export function startOfPeriod(period: PartitionedTable['period'], time: Date, offset = 0): Date {
  const year = time.getUTCFullYear()
  const month = time.getUTCMonth()
  if (period === 'month') return new Date(Date.UTC(year, month + offset))
  const day = time.getUTCDate()
  if (period === 'day') return new Date(Date.UTC(year, month, day + offset))
  return new Date(Date.UTC(year, month, day, time.getUTCHours() + offset))
}

/** Returns the partition of a time, or one that is `offset` periods later. */
export function partitionAt({ name, period }: PartitionedTable, time: Date, offset = 0): Partition {
  const from = startOfPeriod(period, time, offset)
  const digits = from.toISOString().replace(/\D/g, '')
  const length = { hour: 10, day: 8, month: 6 }[period]
  return { name: `${name}_${digits.slice(0, length)}`, from, to: startOfPeriod(period, time, offset + 1) }
}

/** Selects the names of a table's partitions, `$1`, except the default one. */
export const SELECT_PARTITIONS = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = ('gateway.' || $1)::regclass and c.relname <> $1 || '_default' order by 1`

/**
 * How long a change of partitions waits for a lock of a table. Later statements wait behind it meanwhile, so it gives up
 * soon, and lets them pass before it tries again.
 */
const LOCK_TIMEOUT_MS = 200
const ATTEMPTS = 3

/**
 * Runs a transaction that changes partitions, or triggers of tables, one at a time for all tables. Requires the
 * owner's rights, not the servers' role.
 */
export async function changePartitions<Result>(
  pool: pg.Pool,
  change: (client: pg.PoolClient) => Promise<Result>,
  attempts = ATTEMPTS,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryChange(pool, change)
    } catch (error) {
      // A lock was not available in time, or the transaction lost a deadlock.
      if (attempt === attempts || !isDatabaseError(error, '55P03', '40P01')) throw error
      await pause(LOCK_TIMEOUT_MS)
    }
  }
}

async function tryChange<Result>(
  pool: pg.Pool,
  change: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    // The second lock is that of the sequencer, which writes events and audit entries. It does not wait for the
    // lock, but comes back later.
    await client.query(`begin;
      select pg_advisory_xact_lock(hashtextextended('gateway.partitions', 0));
      select pg_advisory_xact_lock(hashtextextended('gateway.events', 0));
      set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const result = await change(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/**
 * Creates the missing partitions of the present period, and of those before and after it.
 *
 * @param now Default: by the clock of the database, which is that of the rows.
 */
export async function createPartitions(pool: pg.Pool, table: PartitionedTable, now?: number): Promise<void> {
  const time = now === undefined ? await readClock(pool) : new Date(now)
  // Usually none is missing, and no lock is needed.
  if ((await listMissing(pool, table, time)).length === 0) return
  await changePartitions(pool, async (client) => {
    for (const partition of await listMissing(client, table, time))
      await addPartition(client, table, partition)
  })
}

async function listMissing(
  client: pg.Pool | pg.PoolClient,
  table: PartitionedTable,
  time: Date,
): Promise<Partition[]> {
  const existing = new Set((await listPartitions(client, table)).map(({ name }) => name))
  const missing: Partition[] = []
  for (let offset = -table.behind; offset <= table.ahead; offset += 1) {
    const partition = partitionAt(table, time, offset)
    if (!existing.has(partition.name)) missing.push(partition)
  }
  return missing
}

export async function readClock(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ time: Date }>('select clock_timestamp() as time')
  return rows[0]?.time ?? new Date()
}

async function listPartitions(
  client: pg.Pool | pg.PoolClient,
  table: PartitionedTable,
): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string }>(SELECT_PARTITIONS, [table.name])
  return rows.map(({ name }) => {
    const [, year, month, day = '1', hour = '0'] = /_(\d{4})(\d\d)(\d\d)?(\d\d)?$/.exec(name) ?? []
    return partitionAt(table, new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour))))
  })
}

/**
 * Adds a partition. If none was created for a time, for example because the machine was suspended, its rows
 * are in the default partition. They are moved while the table is locked, because otherwise the partition
 * could not be attached. Without a policy, the servers' role sees no row of a partition itself, only
 * through the table, whose policies apply.
 */
async function addPartition(
  client: pg.PoolClient,
  { name: table, column }: PartitionedTable,
  { name, from, to }: Partition,
): Promise<void> {
  await client.query(`lock table gateway.${table} in share row exclusive mode`)
  await client.query(`
    create table gateway.${name} (like gateway.${table} including all);
    alter table gateway.${name} enable row level security`)
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = ('gateway.' || $1)::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const columns = rows[0]?.columns ?? ''
  await client.query(
    `with moved as (
       delete from gateway.${table}_default where ${column} >= $1 and ${column} < $2 returning ${columns}
     ) insert into gateway.${name} (${columns}) select * from moved`,
    [from, to],
  )
  await client.query(
    `alter table gateway.${table} attach partition gateway.${name}
     for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
  )
}

/** Whether `dropPartitions` would drop or delete anything. */
export async function hasRowsBefore(pool: pg.Pool, table: PartitionedTable, before: Date): Promise<boolean> {
  if ((await listPartitions(pool, table)).some(({ to }) => to <= before)) return true
  const { rowCount } = await pool.query(
    `select from gateway.${table.name}_default where ${table.column} < $1 limit 1`,
    [before],
  )
  return rowCount !== 0
}

/**
 * Drops the partitions that end at `before` or earlier, and deletes such rows of the default partition. The
 * table is locked to the end of the transaction. Partitions cannot be detached concurrently from a table with
 * a default partition.
 */
export async function dropPartitions(
  client: pg.PoolClient,
  table: PartitionedTable,
  before: Date,
): Promise<void> {
  const old = (await listPartitions(client, table)).filter(({ to }) => to <= before)
  if (old.length > 0) await client.query(`drop table ${old.map(({ name }) => `gateway.${name}`).join(', ')}`)
  await client.query(`delete from gateway.${table.name}_default where ${table.column} < $1`, [before])
}
