import { type Asset, assets } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  findPage,
  type PageQuery,
  type PageRows,
  PLANNED_EACH_TIME,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import { inRange } from '../../../database/searches.ts'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

type AssetRow = Selectable<Tables['gateway.assets']>

export const ASSET_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

/** The names and images of assets that are NFTs, by the asset's id. */
export type Images = ReadonlyMap<number, { readonly name: string; readonly imgUrl: string }>

export function toAsset(row: AssetRow, images: Images): Asset {
  return toRecord(assets.Asset, row, images.get(row.id) ?? { name: '', imgUrl: '' })
}

export async function findImages(tenant: Tenant, assets: readonly AssetRow[]): Promise<Images> {
  const { rows } = await sql<{ id: number; name: string; imgUrl: string }>`${sql.raw(PLANNED_EACH_TIME)}
    select a.id, n.name, n.img_url as "imgUrl"
    from unnest(${assets.map(({ id }) => id)}::bigint[], ${assets.map(({ chain_id }) => chain_id)}::text[],
      ${assets.map(({ nft_address }) => nft_address)}::text[], ${assets.map(({ nft_id }) => nft_id)}::text[]
    ) as a (id, chain_id, nft_address, nft_id)
    cross join lateral (
      select t.name, t.img_url from gateway.nfts t
      where t.project_id = ${tenant.project} and not t.deleted
        and ${inRange('t', 'a', ['nft_address', 'nft_id', 'chain_id'])}) n`.execute(tenant)
  return new Map(rows.map(({ id, ...image }) => [id, image]))
}

/** Finds an asset that its wallet still owns. */
export async function find(tenant: Tenant, id: number): Promise<AssetRow | undefined> {
  return await tenant
    .selectFrom('gateway.assets')
    .selectAll()
    .where('id', '=', id)
    .where('quantity', '>', sql.lit('0'))
    .executeTakeFirst()
}

/** Lists assets. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  { owner, nftAddress, nftType, ...input }: InputOf<typeof assets.list>,
  query: PageQuery,
): Promise<PageRows<AssetRow>> {
  let rows = tenant.selectFrom('gateway.assets').selectAll().where('quantity', '>', sql.lit('0'))
  // An index has the assets of an owner, or of a contract. The other filters are compared.
  if (owner && nftAddress) rows = rows.where('nft_address', '=', nftAddress)
  if (nftType) rows = rows.where('nft_type', '=', nftType)
  const columns = owner ? { owner } : nftAddress ? { nft_address: nftAddress } : undefined
  const created = parseTimeRange(input)
  return await findPage(tenant.db, 'gateway.assets', rows, query, { index: { columns }, created })
}
