import type { Nft } from '@mintmark/contracts'
import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import { containing } from '../../../http/text-rules.ts'
import type { Tables } from '../../../tables.ts'
import type { Property } from './nft-rules.ts'

export type NftRow = Selectable<Tables['gateway.nfts']>
/** Who owns most of an NFT, by the NFT's id; none where nobody owns any. */
export type Owners = ReadonlyMap<number, string>

export const NFT_ORDERS: Orders = { id: 'id', createTime: 'id', name: 'name' }

export function nftOf(row: NftRow, owners: Owners): Nft {
  return {
    chainId: row.chain_id,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    creator: row.creator,
    description: row.description,
    id: row.id,
    imgUrl: row.img_url,
    mediaFileType: row.media_file_type,
    mediaFileUrl: row.media_file_url,
    name: row.name,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftType: row.nft_type,
    owner: owners.get(row.id) ?? '',
    projectId: row.project_id,
    properties: row.properties,
    quantity: row.quantity,
    royaltyPercentage: Number(row.royalty_percentage),
    tokenUri: row.token_uri,
    updateTime: row.updated_at.toISOString(),
  }
}

/** Adds an NFT with its properties; undefined when its token is there. */
export async function add(
  trx: Db,
  nft: Insertable<Tables['gateway.nfts']>,
  traits: readonly Property[],
): Promise<NftRow | undefined> {
  const row = await trx
    .insertInto('gateway.nfts')
    .values(nft)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'nft_address', 'nft_id', 'chain_id'])
        .where('deleted', '=', sql.lit(false))
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined && traits.length > 0) {
    const key = { project_id: row.project_id, contract_id: row.contract_id, nft: row.id }
    await trx
      .insertInto('gateway.nft_traits')
      .values(traits.map((trait) => ({ ...key, ...trait })))
      .execute()
  }
  return row
}

export async function find(
  db: Db,
  project: number,
  nftAddress: string,
  nftId: string,
): Promise<NftRow | undefined> {
  return await db
    .selectFrom('gateway.nfts')
    .selectAll()
    .where('project_id', '=', project)
    .where('nft_address', '=', nftAddress)
    .where('nft_id', '=', nftId)
    .where('deleted', '=', sql.lit(false))
    .orderBy('contract_id')
    .limit(1)
    .executeTakeFirst()
}

/** Marks an NFT as removed and forgets its properties; false when it was removed already. */
export async function remove(trx: Db, project: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('gateway.nfts')
    .set({ deleted: true, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await trx.deleteFrom('gateway.nft_traits').where('project_id', '=', project).where('nft', '=', id).execute()
  return true
}

/** Who owns most of each NFT; of several with as many the one that came first. */
export async function ownersOf(db: Db, project: number, ids: readonly number[]): Promise<Owners> {
  const { rows } = await sql<{ id: number; owner: string }>`
    select n.id, a.owner
    from gateway.nfts n
    cross join lateral (
      select owner from gateway.assets
      where project_id = n.project_id and nft_address = n.nft_address and nft_id = n.nft_id and chain_id = n.chain_id
        and quantity > 0
      order by quantity desc, id limit 1) a
    where n.project_id = ${project} and n.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}

/** What lists of NFTs are filtered by; addresses in lower case. `''` filters nothing. */
export interface NftFilter {
  nftAddress?: string | undefined
  owner?: string | undefined
  creator?: string | undefined
  keyword?: string | undefined
  trait_type?: string | undefined
  value?: string | undefined
}

export async function page(
  db: Db,
  project: number,
  { nftAddress, owner, creator, keyword, trait_type, value }: NftFilter,
  query: PageQuery,
): Promise<FoundPage<NftRow>> {
  let nfts = db.selectFrom('gateway.nfts').selectAll().where('deleted', '=', sql.lit(false))
  // Ids that are found within the project decide alone: beside another condition, the planner may compare each NFT with every id.
  if (!owner && !trait_type && !value) nfts = nfts.where('project_id', '=', project)
  if (nftAddress) nfts = nfts.where('nft_address', '=', nftAddress)
  if (creator) nfts = nfts.where('creator', '=', creator)
  if (owner) {
    nfts = nfts.where(
      // Fenced by `offset 0`, each asset's NFT is looked up by an index whatever the planner knows of the tables.
      sql<boolean>`gateway.nfts.id = any(array(
        select n.id from gateway.assets a
        cross join lateral (
          select id from gateway.nfts
          where project_id = ${project} and nft_address = a.nft_address and nft_id = a.nft_id
            and chain_id = a.chain_id and not deleted
          offset 0) n
        where a.project_id = ${project} and a.owner = ${owner} and a.quantity > 0))`,
    )
  }
  if (trait_type || value) {
    let traits = db.selectFrom('gateway.nft_traits').select('nft').where('project_id', '=', project)
    if (trait_type) traits = traits.where('trait_type', '=', trait_type)
    if (value) traits = traits.where('value', '=', value)
    nfts = nfts.where(sql<boolean>`gateway.nfts.id = any(array(${traits}))`)
  }
  if (keyword) {
    const pattern = containing(keyword)
    nfts = nfts.where((or) =>
      or.or([
        or('name', 'ilike', pattern),
        or('description', 'ilike', pattern),
        or('nft_id', 'ilike', pattern),
      ]),
    )
  }
  return await findPage(db, 'gateway.nfts', nfts, query)
}
