import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../database/tables.ts'

/** The age of accepted timestamps of writes, plus a margin for clocks and slow transactions. */
const KEPT_HOURS = 1
/** Hours for which partitions are created in advance. */
const AHEAD_HOURS = 3

/**
 * Stores the signature of a write of a key in its own transaction. Returns false when any process has stored it
 * before.
 *
 * The commit does not wait for the disk. The log of PostgreSQL is in the order of commits, so the commit of
 * the write itself, which waits, includes that of its signature. A crash in between loses both.
 */
export async function rememberSignature(
  db: Db,
  { project, id }: { readonly project: number; readonly id: number },
  signature: string,
  timestamp: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into gateway.used_signatures (project_id, key_id, digest, signed_at)
    select ${project}::bigint, ${id}::bigint, sha256(convert_to(${signature}, 'UTF8')), to_timestamp(${timestamp}::double precision / 1000)
    where set_config('synchronous_commit', 'off', true) = 'off'
    on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Creates the hourly partitions of the next hours and drops those that no accepted timestamp belongs to. One
 * process at a time does this, the others return. Requires the owner's rights, not the servers' role.
 */
export async function maintainSignaturePartitions(pool: pg.Pool, now = Date.now()): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query("set local lock_timeout = '3s'")
    const lock = await client.query(
      "select pg_try_advisory_xact_lock(hashtextextended('gateway.used_signatures', 0)) as ok",
    )
    if (lock.rows[0]?.ok) {
      const hour = 3_600_000
      const current = Math.floor(now / hour) * hour
      const existing = await listPartitions(client)
      for (let ahead = -KEPT_HOURS; ahead <= AHEAD_HOURS; ahead++) {
        const from = new Date(current + ahead * hour)
        if (!existing.includes(partitionName(from)))
          await addPartition(client, from, new Date(from.getTime() + hour))
      }
      const oldest = new Date(current - KEPT_HOURS * hour)
      for (const name of existing) {
        if (name < partitionName(oldest)) await client.query(`drop table gateway.${name}`)
      }
      await client.query('delete from gateway.used_signatures_default where signed_at < $1', [oldest])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function listPartitions(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'gateway' and relname ~ '^used_signatures_[0-9]{10}$'`,
  )
  return rows.map(({ relname }) => relname)
}

/**
 * Adds the partition of an hour. If the maintenance has not run for hours, for example because the machine
 * was suspended, signatures of that hour are in the default partition. They are moved while the table is
 * locked, because otherwise the partition could not be attached.
 */
async function addPartition(client: pg.PoolClient, from: Date, to: Date): Promise<void> {
  const name = `gateway.${partitionName(from)}`
  await client.query('lock table gateway.used_signatures in share row exclusive mode')
  await client.query(`create table ${name} (like gateway.used_signatures including all)`)
  await client.query(
    `with moved as (
       delete from gateway.used_signatures_default where signed_at >= $1 and signed_at < $2 returning *
     ) insert into ${name} select * from moved`,
    [from, to],
  )
  await client.query(
    `alter table gateway.used_signatures attach partition ${name}
     for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
  )
}

function partitionName(hour: Date): string {
  return `used_signatures_${hour.toISOString().slice(0, 13).replace(/\D/g, '')}`
}
