import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import type { Follow } from '@mintmark/wallet'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

type FollowRow = Selectable<Tables['gateway.follows']>

export const FOLLOW_ORDERS: Orders = { createTime: 'followed_at', id: 'id' }

/** What a wallet can follow. */
export interface Target {
  /** The wallet that follows. */
  address: string
  nftAddress: string
  /** `''`: the collection. */
  nftId: string
}

export function followOf(row: FollowRow): Follow {
  return {
    address: row.address,
    createTime: row.followed_at.toISOString(),
    createTimeLong: row.followed_at.getTime(),
    following: row.following,
    id: row.id,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    projectId: row.project_id,
    updateTime: row.updated_at.toISOString(),
  }
}

/** Notes whether a wallet follows something. What is so already keeps its times. */
export async function set(db: Db, project: number, target: Target, following: boolean): Promise<FollowRow> {
  const { rows } = await sql<FollowRow>`
    insert into gateway.follows as f (project_id, address, nft_address, nft_id, following)
    values (${project}, ${target.address}, ${target.nftAddress}, ${target.nftId}, ${following})
    on conflict on constraint follows_target do update set
      following = excluded.following,
      followed_at = case when excluded.following and not f.following then clock_timestamp() else f.followed_at end,
      updated_at = case when excluded.following <> f.following then clock_timestamp() else f.updated_at end
    returning *`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an upsert answered no row')
  return row
}

export async function isFollowing(db: Db, project: number, target: Target): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.follows')
    .select('id')
    .where('project_id', '=', project)
    .where('address', '=', target.address)
    .where('nft_address', '=', target.nftAddress)
    .where('nft_id', '=', target.nftId)
    .where('following', '=', sql.lit(true))
    .executeTakeFirst()
  return row !== undefined
}

export async function pageByAddress(
  db: Db,
  project: number,
  address: string,
  query: PageQuery,
): Promise<FoundPage<FollowRow>> {
  const follows = db
    .selectFrom('gateway.follows')
    .selectAll()
    .where('project_id', '=', project)
    .where('address', '=', address)
    .where('following', '=', sql.lit(true))
  return await findPage(db, 'gateway.follows', follows, query)
}
