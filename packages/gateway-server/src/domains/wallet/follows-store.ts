import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Follow, follows } from '@mintmark/wallet'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import { toRecord } from '../../http/record-mapping.ts'

type FollowRow = Selectable<Tables['gateway.follows']>

export const FOLLOW_ORDERS = { createTime: 'followed_at', id: 'id' } as const satisfies SortColumns

export function toFollow(row: FollowRow): Follow {
  const followedAt = row.followed_at
  return toRecord(follows.Follow, row, {
    createTime: followedAt.toISOString(),
    createTimeLong: followedAt.getTime(),
  })
}

/** Makes a wallet follow a collection or an NFT, or stop. A call that changes nothing keeps the times. */
export async function set(
  tenant: Tenant,
  { address, nftAddress, nftId = '', following = true }: InputOf<typeof follows.add>,
): Promise<FollowRow> {
  const { rows } = await sql<FollowRow>`
    insert into gateway.follows as f (project_id, address, nft_address, nft_id, following)
    values (${tenant.project}, ${address}, ${nftAddress}, ${nftId}, ${following})
    on conflict on constraint follows_pkey do update set
      following = excluded.following,
      followed_at = case when excluded.following and not f.following then clock_timestamp() else f.followed_at end,
      updated_at = case when excluded.following <> f.following then clock_timestamp() else f.updated_at end
    returning *`.execute(tenant)
  const [row] = rows
  if (row === undefined) throw new Error('The upsert returned no row')
  return row
}

export async function isFollowing(
  tenant: Tenant,
  { address, nftAddress, nftId = '' }: InputOf<typeof follows.isFollowing>,
): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.follows')
    .select('id')
    .where('address', '=', address)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', '=', nftId)
    .where('following', '=', sql.lit(true))
    .executeTakeFirst()
  return row !== undefined
}

/** Lists what a wallet follows, and has followed since a time within the range. */
export async function listByAddress(
  tenant: Tenant,
  { address, ...range }: { address: string } & TimeRange,
  query: PageQuery,
): Promise<PageRows<FollowRow>> {
  const table = 'gateway.follows'
  const rows = tenant.selectFrom(table).selectAll().where('following', '=', sql.lit(true))
  return await findPage(tenant.db, table, rows, query, {
    index: { columns: { address } },
    created: { ...range, column: 'followed_at' },
    readsByKey: false,
  })
}
