import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toStoreKey } from './store-key.ts'

export type StoreRow = Selectable<Tables['gateway.stores']>

/** The most stores of a project. */
export const MAX_STORES = 1000

/** Lists the stores of the project by name. */
export async function listStores(tenant: Tenant): Promise<StoreRow[]> {
  return await tenant.selectFrom('gateway.stores').selectAll().orderBy('name').orderBy('id').execute()
}

/** Finds the store whose name or code has this key, and the one with this id. */
export async function findStores(
  tenant: Tenant,
  key: string,
  id = 0,
): Promise<Omit<StoreRow, 'address' | 'created_at' | 'updated_at'>[]> {
  return await tenant
    .selectFrom('gateway.stores')
    .select(['id', 'project_id', 'name', 'code', 'name_key', 'code_key', 'time_zone', 'status'])
    .where(sql<boolean>`(id = ${id} or ${key} <> '' and ${key} in (name_key, code_key))`)
    .execute()
}

/** The fields that are written. Undefined: kept, or the default. */
export interface StoreFields {
  readonly name?: string | undefined
  readonly code?: string | undefined
  readonly address?: string | undefined
  readonly time_zone?: string | undefined
  readonly status?: string | undefined
}

/** Prevents other changes of the project's stores until the transaction ends, so that names stay unique. */
async function lockStores(trx: Tenant): Promise<void> {
  const lock = `gateway.stores/${trx.project}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
}

/** Whether another store has one of these keys. */
async function isTaken(trx: Tenant, keys: readonly (string | undefined)[], id: number): Promise<boolean> {
  const used = keys.filter((key) => key !== undefined && key !== '')
  const row = await trx
    .selectFrom('gateway.stores')
    .select('id')
    .where('id', '<>', id)
    .where(sql<boolean>`(name_key = any (${used}::text[]) or code_key = any (${used}::text[]))`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const toKey = (name: string | undefined) => (name === undefined ? undefined : toStoreKey(name))

/** Adds a store. Call it within a transaction. */
export async function addStore(
  trx: Tenant,
  fields: StoreFields & { readonly name: string; readonly time_zone: string },
): Promise<StoreRow | 'taken' | 'full'> {
  await lockStores(trx)
  const name_key = toStoreKey(fields.name)
  const code_key = toKey(fields.code)
  if (await isTaken(trx, [name_key, code_key], 0)) return 'taken'
  const { count } = await trx
    .selectFrom('gateway.stores')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_STORES) return 'full'
  return await trx
    .insertInto('gateway.stores')
    .values({ ...fields, name_key, code_key })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a store. Returns undefined if it does not exist. Call it within a transaction. */
export async function changeStore(
  trx: Tenant,
  id: number,
  fields: StoreFields,
): Promise<StoreRow | 'taken' | undefined> {
  await lockStores(trx)
  const name_key = toKey(fields.name)
  const code_key = toKey(fields.code)
  if (await isTaken(trx, [name_key, code_key], id)) return 'taken'
  return await trx
    .updateTable('gateway.stores')
    .set({ ...fields, name_key, code_key, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}
