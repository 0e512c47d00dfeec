import { findPage, type PageQuery, type PageRows, type SortColumns } from '@mintmark/server-kit'
import type { Selectable } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

export type FanRow = Selectable<Tables['gateway.fans']>

export const FAN_ORDERS: SortColumns = { id: 'id', createTime: 'id' }

/** Makes a wallet follow another one. Idempotent: repeating the call returns the existing row. */
export async function add(db: Db, project: number, fan: string, address: string): Promise<FanRow> {
  return await db
    .insertInto('gateway.fans')
    .values({ project_id: project, fan, address })
    // Changes nothing, but returns the row, which `do nothing` would not.
    .onConflict((conflict) => conflict.constraint('fans_pair').doUpdateSet({ fan }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function isFan(db: Db, project: number, fan: string, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.fans')
    .select('id')
    .where('project_id', '=', project)
    .where('fan', '=', fan)
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}

export async function remove(db: Db, project: number, fan: string, address: string): Promise<void> {
  await db
    .deleteFrom('gateway.fans')
    .where('project_id', '=', project)
    .where('fan', '=', fan)
    .where('address', '=', address)
    .execute()
}

/** Lists the rows with a wallet on one side: as the fan, or as the wallet that is followed. */
export async function listBySide(
  side: 'fan' | 'address',
  db: Db,
  project: number,
  wallet: string,
  query: PageQuery,
): Promise<PageRows<FanRow>> {
  const fans = db
    .selectFrom('gateway.fans')
    .selectAll()
    .where('project_id', '=', project)
    .where(side, '=', wallet)
  return await findPage(db, 'gateway.fans', fans, query)
}
