import type { Asset } from '@mintmark/contracts'
import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

type AssetRow = Selectable<Tables['gateway.assets']>

export const ASSET_ORDERS: Orders = { id: 'id', createTime: 'id' }

/** What NFTs add to assets: their names and pictures, by the asset's id. */
export type Pictures = ReadonlyMap<number, { readonly name: string; readonly imgUrl: string }>

export function assetOf(row: AssetRow, pictures: Pictures): Asset {
  const { name, imgUrl } = pictures.get(row.id) ?? { name: '', imgUrl: '' }
  return {
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    held: row.held,
    id: row.id,
    imgUrl,
    name,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftType: row.nft_type,
    owner: row.owner,
    projectId: row.project_id,
    quantity: row.quantity,
    updateTime: row.updated_at.toISOString(),
  }
}

export async function picturesOf(db: Db, project: number, assets: readonly AssetRow[]): Promise<Pictures> {
  const { rows } = await sql<{ id: number; name: string; imgUrl: string }>`
    select a.id, n.name, n.img_url as "imgUrl"
    from gateway.assets a
    join gateway.nfts n on n.project_id = a.project_id and n.nft_address = a.nft_address and n.nft_id = a.nft_id
      and n.chain_id = a.chain_id and not n.deleted
    where a.project_id = ${project} and a.id = any(${assets.map(({ id }) => id)}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...picture }) => [id, picture]))
}

/** What a wallet owns; undefined when it owns it no more. */
export async function find(db: Db, project: number, id: number): Promise<AssetRow | undefined> {
  return await db
    .selectFrom('gateway.assets')
    .selectAll()
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('quantity', '>', sql.lit('0'))
    .executeTakeFirst()
}

/** What assets are filtered by; addresses in lower case. `''` filters nothing. */
export interface AssetFilter {
  owner?: string | undefined
  nftAddress?: string | undefined
  nftType?: string | undefined
}

export async function page(
  db: Db,
  project: number,
  { owner, nftAddress, nftType }: AssetFilter,
  query: PageQuery,
): Promise<FoundPage<AssetRow>> {
  let assets = db
    .selectFrom('gateway.assets')
    .selectAll()
    .where('project_id', '=', project)
    .where('quantity', '>', sql.lit('0'))
  if (owner) assets = assets.where('owner', '=', owner)
  if (nftAddress) assets = assets.where('nft_address', '=', nftAddress)
  if (nftType) assets = assets.where('nft_type', '=', nftType)
  return await findPage(db, 'gateway.assets', assets, query)
}
