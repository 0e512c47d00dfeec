import type { ProductNft } from '@mintmark/market'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../tables.ts'

export type ProductNftRow = Selectable<Tables['gateway.product_nfts']>

export function productNftOf(row: ProductNftRow): ProductNft {
  return {
    adult: row.adult,
    channel: row.channel,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    description: row.description,
    id: row.id,
    imgUrl: row.img_url,
    licenseCode: row.license_code,
    limited: row.limited,
    mediaFileType: row.media_file_type,
    mediaFileUrl: row.media_file_url,
    minted: row.minted,
    name: row.name,
    nftAddress: row.nft_address,
    nftId: String(row.id),
    owner: row.owner,
    projectId: row.project_id,
    properties: row.properties,
    reserved: row.reserved,
    royaltyPercentage: Number(row.royalty_percentage),
    status: row.status,
    tokenUri: row.token_uri,
    updateTime: row.updated_at.toISOString(),
  }
}

export async function add(db: Db, nft: Insertable<Tables['gateway.product_nfts']>): Promise<void> {
  await db.insertInto('gateway.product_nfts').values(nft).execute()
}

export async function find(db: Db, project: number, id: number): Promise<ProductNftRow | undefined> {
  return await db
    .selectFrom('gateway.product_nfts')
    .selectAll()
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirst()
}

/** Finds an NFT of a contract by its id, which callers give as text. */
export async function findOf(
  db: Db,
  project: number,
  nftAddress: string,
  nftId: string,
): Promise<ProductNftRow | undefined> {
  if (!/^[1-9]\d{0,14}$/.test(nftId)) return undefined
  const row = await find(db, project, Number(nftId))
  return row?.nft_address === nftAddress.toLowerCase() ? row : undefined
}

/** Lists the newest NFTs of a contract. */
export async function newest(
  db: Db,
  project: number,
  nftAddress: string,
  limit: number,
): Promise<ProductNftRow[]> {
  return await db
    .selectFrom('gateway.product_nfts')
    .selectAll()
    .where('project_id', '=', project)
    .where('nft_address', '=', nftAddress)
    .where('deleted', '=', sql.lit(false))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Changes an NFT. Returns undefined if the limit is below what is minted and reserved, if a signature has its token URI, or if all units are minted. The
 * status follows from the given status and limit.
 */
export async function update(
  db: Db,
  project: number,
  id: number,
  change: Updateable<Tables['gateway.product_nfts']>,
): Promise<ProductNftRow | undefined> {
  const { limited, status, token_uri: tokenUri } = change
  const limit = sql`coalesce(${limited ?? null}::bigint, limited)`
  let changed = db
    .updateTable('gateway.product_nfts')
    .set({
      ...change,
      status: sql<string>`case
        when ${limit} > 0 and minted = ${limit} then 'MINTED'
        when coalesce(${status ?? null}::text, status) = 'HIDDEN' then 'HIDDEN'
        when ${limit} > 0 and reserved + minted = ${limit} then 'RESERVED'
        else 'DISPLAY' end`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where('status', '<>', 'MINTED')
    .where(sql<boolean>`(${limit} = 0 or reserved + minted <= ${limit})`)
  if (tokenUri !== undefined) changed = changed.where('reserved', '=', 0)
  return await changed.returningAll().executeTakeFirst()
}

/** Removes an NFT. Returns false if units of it are reserved or minted, or if it is missing. */
export async function remove(db: Db, project: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gateway.product_nfts')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where('reserved', '=', 0)
    .where('minted', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
