import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

export type FanRow = Selectable<Tables['gateway.fans']>

export const FAN_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

/** Makes a wallet follow another one. Idempotent: repeating the call returns the existing row. */
export async function add(tenant: Tenant, fan: string, address: string): Promise<FanRow> {
  return await tenant
    .insertInto('gateway.fans')
    .values({ fan, address })
    // Changes nothing, but returns the row, which `do nothing` would not.
    .onConflict((conflict) => conflict.constraint('fans_pkey').doUpdateSet({ fan }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function isFan(tenant: Tenant, fan: string, address: string): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.fans')
    .select('id')
    .where('fan', '=', fan)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

export async function remove(tenant: Tenant, fan: string, address: string): Promise<void> {
  await tenant.deleteFrom('gateway.fans').where('fan', '=', fan).where('address', '=', address).execute()
}

/** Lists the rows with a wallet on one side: as the fan, or as the wallet that is followed. */
export async function listBySide(
  side: 'fan' | 'address',
  tenant: Tenant,
  { wallet, from, to }: { wallet: string } & TimeRange,
  query: PageQuery,
): Promise<PageRows<FanRow>> {
  const fans = tenant.selectFrom('gateway.fans').selectAll()
  return await findPage(tenant.db, 'gateway.fans', fans, query, {
    index: { columns: { [side]: wallet } },
    created: { from, to },
    readsByKey: false,
  })
}
