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
export async function tendSignaturePartitions(pool: pg.Pool, now = Date.now()): Promise<void> {
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
      for (let ahead = -KEPT_HOURS; ahead <= AHEAD_HOURS; ahead++) {
        const from = new Date(current + ahead * hour)
        const to = new Date(from.getTime() + hour)
        await client.query(
          `create table if not exists ${partitionName(from)} partition of gateway.used_signatures
           for values from ('${from.toISOString()}') to ('${to.toISOString()}')`,
        )
      }
      const oldest = partitionName(new Date(current - KEPT_HOURS * hour)).slice('gateway.'.length)
      const old = await client.query(
        `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'gateway' and relname ~ '^used_signatures_[0-9]{10}$' and relname < $1`,
        [oldest],
      )
      for (const { relname } of old.rows) await client.query(`drop table gateway.${relname}`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

function partitionName(hour: Date): string {
  return `gateway.used_signatures_${hour.toISOString().slice(0, 13).replace(/\D/g, '')}`
}
