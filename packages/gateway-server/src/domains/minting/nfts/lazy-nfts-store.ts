import type { LazyNft } from '@mintmark/contracts'
import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tables } from '../../../tables.ts'

export type LazyNftRow = Selectable<Tables['gateway.lazy_nfts']>

export const LAZY_NFT_ORDERS: Orders = { id: 'id', createTime: 'id', name: 'name' }

/** The NFT of an expired draw counts as displayed. */
const SHOWN = sql<string>`case when status = 'RESERVED' and reserved_until <= clock_timestamp() then 'DISPLAY' else status end`
const FREE = sql<boolean>`(status in ('HIDDEN', 'DISPLAY') or (status = 'RESERVED' and reserved_until <= clock_timestamp()))`

/** An NFT with its current status and the collection's royalty. */
export type ShownNft = LazyNftRow & { shown: string; collection_royalty: string }

export function lazyNftOf(row: ShownNft): LazyNft {
  return {
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    description: row.description,
    id: row.id,
    imgUrl: row.img_url,
    mediaFileUrl: row.media_file_url,
    name: row.name,
    nftAddress: row.nft_address,
    nftId: String(row.id),
    payTokenAddress: row.pay_token_address,
    price: row.price ?? '',
    projectId: row.project_id,
    properties: row.properties,
    royaltyPercentage: Number(row.royalty_percentage ?? row.collection_royalty),
    status: row.shown,
    tokenId: row.token_id,
    tokenUri: row.token_uri,
    updateTime: row.updated_at.toISOString(),
  }
}

export async function add(db: Db, nft: Insertable<Tables['gateway.lazy_nfts']>): Promise<number> {
  const row = await db.insertInto('gateway.lazy_nfts').values(nft).returning('id').executeTakeFirstOrThrow()
  return row.id
}

function shown(db: Db, project: number) {
  return db
    .selectFrom('gateway.lazy_nfts')
    .selectAll()
    .select(SHOWN.as('shown'))
    .select(
      sql<string>`coalesce((
        select c.royalty_percentage from gateway.mint_collections c
        where c.project_id = lazy_nfts.project_id and c.contract_id = lazy_nfts.contract_id and c.program = 'lazy'), 0)`.as(
        'collection_royalty',
      ),
    )
    .where('project_id', '=', project)
    .where('deleted', '=', sql.lit(false))
}

export async function find(db: Db, project: number, id: number): Promise<ShownNft | undefined> {
  return await shown(db, project).where('id', '=', id).executeTakeFirst()
}

/** Changes an NFT. Returns false if it is reserved, minted or missing. */
export async function update(
  db: Db,
  project: number,
  id: number,
  change: Updateable<Tables['gateway.lazy_nfts']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('gateway.lazy_nfts')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('id', '=', id)
    .where('deleted', '=', false)
    .where('status', 'in', ['HIDDEN', 'DISPLAY'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lists the NFTs of a contract, optionally of one status. */
export async function page(
  db: Db,
  project: number,
  contract: number,
  status: string | undefined,
  query: PageQuery,
): Promise<FoundPage<ShownNft>> {
  let nfts = shown(db, project).where('contract_id', '=', contract)
  if (status === 'DISPLAY') nfts = nfts.where(FREE).where('status', '<>', 'HIDDEN')
  else if (status === 'RESERVED')
    nfts = nfts
      .where('status', '=', status)
      .where(sql<boolean>`(reserved_until is null or reserved_until > clock_timestamp())`)
  else if (status !== undefined) nfts = nfts.where('status', '=', status)
  return await findPage(db, 'gateway.lazy_nfts', nfts, query)
}

/** Finds the collection of an NFT, whose expired reservations may prevent a change. */
export async function collectionOf(db: Db, project: number, contract: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('gateway.mint_collections')
    .select('id')
    .where('project_id', '=', project)
    .where('contract_id', '=', contract)
    .where('program', '=', 'lazy')
    .executeTakeFirst()
  return row?.id
}
