import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import type { PreparedPicture } from './prepare-picture.ts'

export type MediaRow = Selectable<Tables['gateway.media']>

/** Finds the stored picture of a hash. */
export async function findMedia(tenant: Tenant, hash: string): Promise<MediaRow | undefined> {
  return await tenant
    .selectFrom('gateway.media')
    .selectAll()
    .where('hash', '=', hash)
    .where('status', '=', 'STORED')
    .executeTakeFirst()
}

/** Prevents other uploads of the project until the transaction ends. */
async function lockMedia(trx: Tenant): Promise<void> {
  const lock = `gateway.media/${trx.project}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
}

/** Finds a stored picture that is uploaded again, and keeps it for another day. */
async function renewMedia(trx: Tenant, hash: string): Promise<MediaRow | undefined> {
  await trx
    .updateTable('gateway.media')
    .set({ unused_since: sql<Date>`clock_timestamp()` })
    .where('hash', '=', hash)
    .where('status', '=', 'STORED')
    .where('unused_since', 'is not', null)
    .execute()
  return await findMedia(trx, hash)
}

/**
 * Adds the row of a picture before its object is written, so that the job that deletes pictures knows of it
 * whatever happens. Returns the row of the same picture if that is stored. Call it within a transaction.
 */
export async function reserveMedia(
  trx: Tenant,
  { hash, bytes, width, height }: PreparedPicture,
  maxBytes: number,
): Promise<MediaRow | 'full'> {
  await lockMedia(trx)
  const stored = await renewMedia(trx, hash)
  if (stored !== undefined) return stored
  // What is being removed is stored until then.
  const { used } = await trx
    .selectFrom('gateway.media')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('used'))
    .executeTakeFirstOrThrow()
  if (used + bytes.length > maxBytes) return 'full'
  const object = `${trx.project}/${randomUUID()}.webp`
  return await trx
    .insertInto('gateway.media')
    .values({ hash, object, bytes: bytes.length, width, height })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Marks a written picture as stored. Returns its row, or that of the same picture if another upload was first.
 * Undefined if it was deleted meanwhile. Call it within a transaction.
 */
export async function commitMedia(trx: Tenant, { hash, object }: MediaRow): Promise<MediaRow | undefined> {
  await lockMedia(trx)
  const stored = await renewMedia(trx, hash)
  if (stored !== undefined) {
    if (stored.object !== object) await setStatus(trx, object, hash, 'REMOVING')
    return stored
  }
  return await setStatus(trx, object, hash, 'STORED')
}

async function setStatus(trx: Tenant, object: string, hash: string, status: 'STORED' | 'REMOVING') {
  return await trx
    .updateTable('gateway.media')
    .set({ status })
    .where('hash', '=', hash)
    .where('object', '=', object)
    .where('status', '=', 'WRITING')
    .returningAll()
    .executeTakeFirst()
}

/** Marks a picture whose object could not be written. */
export async function abandonMedia(tenant: Tenant, { hash, object }: MediaRow): Promise<void> {
  await setStatus(tenant, object, hash, 'REMOVING')
}

/**
 * Keeps pictures that a record is about to name. Returns the hashes of those that are stored. Each statement
 * sees what the job that deletes pictures has committed before.
 */
export async function keepMedia(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  await tenant
    .updateTable('gateway.media')
    .set({ unused_since: null })
    .where('hash', 'in', hashes)
    .where('status', '=', 'STORED')
    .where('unused_since', 'is not', null)
    .execute()
  const rows = await tenant
    .selectFrom('gateway.media')
    .select('hash')
    .where('hash', 'in', hashes)
    .where('status', '=', 'STORED')
    .execute()
  return new Set(rows.map(({ hash }) => hash))
}
