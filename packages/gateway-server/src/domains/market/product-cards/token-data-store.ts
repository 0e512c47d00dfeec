import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'

export type TokenDataRow = Selectable<Tables['gateway.token_data']>
export type ChangeRow = Selectable<Tables['gateway.token_data_changes']>

export const CHANGE_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

export async function find(tenant: Tenant, nft: number): Promise<TokenDataRow | undefined> {
  return await tenant.selectFrom('gateway.token_data').selectAll().where('nft', '=', nft).executeTakeFirst()
}

/**
 * Replaces the data of an NFT and records the change. Returns undefined if the data has another version than
 * the expected one.
 *
 * @param expected 0 for data that was never written; undefined for any version.
 */
export async function write(
  trx: Tenant,
  change: { nft: number; data: object; by: string },
  expected: number | undefined,
): Promise<TokenDataRow | undefined> {
  const row = await replace(trx, change, expected)
  if (row === undefined) return undefined
  // The row is locked, so that the data before this change is that of the previous change.
  await sql`
    insert into gateway.token_data_changes (project_id, nft, version, changed_by, before, after, created_at)
    select ${trx.project}::bigint, ${change.nft}::bigint, ${row.version}::bigint, ${change.by}::text,
      coalesce((
        select c.after from gateway.token_data_changes c
        where c.project_id = ${trx.project} and c.nft = ${change.nft} and c.version = ${row.version}::bigint - 1), '{}'),
      t.data, t.updated_at
    from gateway.token_data t where t.project_id = ${trx.project} and t.nft = ${change.nft}`.execute(trx)
  return row
}

async function replace(
  trx: Tenant,
  { nft, data, by }: { nft: number; data: object; by: string },
  expected: number | undefined,
): Promise<TokenDataRow | undefined> {
  const values = { data: JSON.stringify(data), updated_by: by }
  if (expected !== undefined && expected > 0) {
    return await trx
      .updateTable('gateway.token_data')
      .set({ ...values, version: sql`version + 1`, updated_at: sql`clock_timestamp()` })
      .where('nft', '=', nft)
      .where('version', '=', expected)
      .returningAll()
      .executeTakeFirst()
  }
  return await trx
    .insertInto('gateway.token_data')
    .values({ ...values, nft, version: 1 })
    .onConflict((conflict) => {
      const target = conflict.columns(['project_id', 'nft'])
      if (expected === 0) return target.doNothing()
      return target.doUpdateSet({
        ...values,
        version: sql`gateway.token_data.version + 1`,
        updated_at: sql`clock_timestamp()`,
      })
    })
    .returningAll()
    .executeTakeFirst()
}

/** Lists the changes of an NFT's data. */
export async function listChanges(
  tenant: Tenant,
  { nft, from, to }: { nft: number } & TimeRange,
  query: PageQuery,
): Promise<PageRows<ChangeRow>> {
  const changes = tenant.selectFrom('gateway.token_data_changes').selectAll()
  return await findPage(tenant.db, 'gateway.token_data_changes', changes, query, {
    index: { columns: { nft } },
    created: { from, to },
    readsByKey: false,
  })
}
