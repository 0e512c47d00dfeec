import type pg from 'pg'

/** How long before now and after it a write's timestamp is taken, plus a margin for clocks and slow transactions. */
const KEPT_HOURS = 1
const AHEAD_HOURS = 3

/** Notes a write's signature by a commit of its own; false when it is there already, whichever process noted it. */
export async function rememberSignature(
  pool: pg.Pool,
  keyId: number,
  signature: string,
  timestamp: number,
): Promise<boolean> {
  const result = await pool.query({
    name: 'remember-signature',
    text: `insert into gateway.used_signatures (key_id, signature, signed_at)
           values ($1, $2, to_timestamp($3::double precision / 1000)) on conflict do nothing`,
    values: [keyId, signature, timestamp],
  })
  return result.rowCount === 1
}

/**
 * Makes the hourly partitions that are to come and drops those that no timestamp can fall into any more. Only one process at a time;
 * the others have nothing to do. Needs the owner's rights: the pool must not run under the servers' role.
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
      const known = await partitions(client)
      for (let ahead = -KEPT_HOURS; ahead <= AHEAD_HOURS; ahead++) {
        const from = new Date(current + ahead * hour)
        if (!known.includes(partitionName(from)))
          await addPartition(client, from, new Date(from.getTime() + hour))
      }
      const oldest = new Date(current - KEPT_HOURS * hour)
      for (const name of known) {
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

async function partitions(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'gateway' and relname ~ '^used_signatures_[0-9]{10}$'`,
  )
  return rows.map(({ relname }) => relname)
}

/**
 * Adds the partition of an hour. Signatures of that hour can stand in the default partition by now (nobody tended the table for
 * hours, as on a machine that slept): they move, with the table held for that moment, or the partition could not be attached.
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
