import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  isUniqueViolation,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type AddressBookEntry, addressBook } from '@mintmark/wallet'
import { type Selectable, sql } from 'kysely'
import { searchKeyword } from '../../database/searches.ts'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import { RESPONSE_ITEMS } from '../../http/field-limits.ts'
import { toColumns, toRecord } from '../../http/record-mapping.ts'

export type Entry = Selectable<Tables['gateway.address_book']>

export const ENTRY_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  name: 'name',
  address: 'address',
} as const satisfies SortColumns

export function toAddressBookEntry(row: Entry): AddressBookEntry {
  return toRecord(addressBook.AddressBookEntry, row)
}

/** Adds an entry. Returns undefined if the owner's book already has the address. */
export async function add(
  tenant: Tenant,
  entry: InputOf<typeof addressBook.add>,
): Promise<Entry | undefined> {
  return await tenant
    .insertInto('gateway.address_book')
    .values(toColumns(entry))
    .onConflict((conflict) => conflict.constraint('address_book_address').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Adds an entry for each wallet that the owner follows and whose address the book does not have, in the order
 * of following. Adds at most `RESPONSE_ITEMS.importedEntries`: a repeated call adds the next ones.
 */
export async function importFollowing(tenant: Tenant, owner: string): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    insert into gateway.address_book (project_id, owner, address, name)
    select f.project_id, f.fan, f.address, coalesce(i.name, '')
    from gateway.fans f
    left join gateway.wallet_info i on i.project_id = f.project_id and i.address = f.address
    where f.project_id = ${tenant.project} and f.fan = ${owner}
      and not exists (
        select from gateway.address_book b
        where b.project_id = f.project_id and b.owner = f.fan and b.address = f.address)
    order by f.id limit ${RESPONSE_ITEMS.importedEntries}
    on conflict on constraint address_book_address do nothing
    returning *`.execute(tenant)
  return rows
}

export async function find(tenant: Tenant, id: number): Promise<Entry | undefined> {
  return await tenant.selectFrom('gateway.address_book').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Removes an entry. Returns false if it does not exist. */
export async function remove(tenant: Tenant, id: number): Promise<boolean> {
  const { numDeletedRows } = await tenant
    .deleteFrom('gateway.address_book')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Replaces the given fields of an entry. Returns undefined if the entry does not exist, `taken` if another
 * entry of the book has the address.
 */
export async function update(
  tenant: Tenant,
  id: number,
  change: Omit<InputOf<typeof addressBook.update>, 'id'>,
): Promise<Entry | 'taken' | undefined> {
  try {
    return await tenant
      .updateTable('gateway.address_book')
      .set({ ...toColumns(change), updated_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
  } catch (error) {
    if (isUniqueViolation(error, 'address_book_address')) return 'taken'
    throw error
  }
}

/** Lists the entries of a book; `keyword` is a part of a name, a remark or an address. */
export async function listByOwner(
  tenant: Tenant,
  { owner, keyword, ...input }: InputOf<typeof addressBook.list>,
  query: PageQuery,
): Promise<PageRows<Entry>> {
  const table = 'gateway.address_book'
  const entries = tenant.selectFrom(table).selectAll()
  const searches = searchKeyword({ table, columns: ['name', 'remark', 'address'] }, keyword)
  return await findPage(tenant.db, table, entries, query, {
    index: { columns: { owner } },
    created: { ...parseTimeRange(input), listed: sql<boolean>`project_id = ${tenant.project}` },
    searches,
  })
}
