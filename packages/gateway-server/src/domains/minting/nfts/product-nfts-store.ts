import { ProductNft } from '@mintmark/market'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

export type ProductNftRow = Selectable<Tables['gateway.mintable_nfts']>

export function toProductNft(row: ProductNftRow): ProductNft {
  const royaltyPercentage = Number(row.royalty_percentage)
  return toRecord(ProductNft, row, { nftId: String(row.id), royaltyPercentage })
}

export async function add(
  tenant: Tenant,
  nft: Omit<NewRow<'gateway.mintable_nfts'>, 'program'>,
): Promise<void> {
  await tenant
    .insertInto('gateway.mintable_nfts')
    .values({ ...nft, program: 'product' })
    .execute()
}

export async function find(tenant: Tenant, id: number): Promise<ProductNftRow | undefined> {
  return await tenant
    .selectFrom('gateway.mintable_nfts')
    .selectAll()
    .where('id', '=', id)
    .where('program', '=', sql.lit('product'))
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirst()
}

/** Finds an NFT of a contract by its id in the API, a text. */
export async function findByNftId(
  tenant: Tenant,
  nftAddress: string,
  nftId: string,
): Promise<ProductNftRow | undefined> {
  if (!/^[1-9]\d{0,14}$/.test(nftId)) return undefined
  const row = await find(tenant, Number(nftId))
  return row?.nft_address === nftAddress ? row : undefined
}

/** Lists the newest NFTs of a contract. */
export async function listNewest(
  tenant: Tenant,
  nftAddress: string,
  limit: number,
): Promise<ProductNftRow[]> {
  return await tenant
    .selectFrom('gateway.mintable_nfts')
    .selectAll()
    .where('nft_address', '=', nftAddress)
    .where('program', '=', sql.lit('product'))
    .where('deleted', '=', sql.lit(false))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Changes an NFT. Returns undefined if it does not exist or is fully minted, if `limited` is below what is
 * minted and reserved, or if `tokenUri` is in a signature. A given status or limit updates the status.
 */
export async function update(
  tenant: Tenant,
  id: number,
  change: Updateable<Tables['gateway.mintable_nfts']>,
): Promise<ProductNftRow | undefined> {
  const { limited, status, token_uri: tokenUri } = change
  const limit = sql`coalesce(${limited ?? null}::bigint, limited)`
  let query = updateNft(tenant, id)
    .set({
      ...change,
      status: sql<string>`case
        when ${limit} > 0 and minted = ${limit} then 'MINTED'
        when coalesce(${status ?? null}::text, status) = 'HIDDEN' then 'HIDDEN'
        when ${limit} > 0 and reserved + minted = ${limit} then 'RESERVED'
        else 'DISPLAY' end`,
    })
    .where('status', '<>', 'MINTED')
    .where(sql<boolean>`(${limit} = 0 or reserved + minted <= ${limit})`)
  if (tokenUri !== undefined) query = query.where('reserved', '=', 0)
  return await query.returningAll().executeTakeFirst()
}

function updateNft(tenant: Tenant, id: number) {
  return tenant
    .updateTable('gateway.mintable_nfts')
    .set({ updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('program', '=', sql.lit('product'))
    .where('deleted', '=', false)
}

/** Removes an NFT. Returns false if some of it is reserved or minted, or if it does not exist. */
export async function remove(tenant: Tenant, id: number): Promise<boolean> {
  const { numUpdatedRows } = await updateNft(tenant, id)
    .set({ deleted: true })
    .where('reserved', '=', 0)
    .where('minted', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
