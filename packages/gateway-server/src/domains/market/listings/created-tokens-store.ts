import type { CreatedTokens } from '@mintmark/market'
import { findPage, type PageQuery, type PageRows, type SortColumns } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tenant } from '../../../database/tenant.ts'
import { RESPONSE_ITEMS } from '../../../http/field-limits.ts'

export const CREATOR_ORDERS = { creator: 'creator' } as const satisfies SortColumns

interface CreatorRow {
  /** The id of the creator's first token, which makes the order of creators total. */
  id: number
  creator: string
  tokens: CreatedTokens['tokens']
  token_count: number
}

/** Lists the tokens that a wallet owns, by their creator. */
export async function listCreators(
  tenant: Tenant,
  owner: string,
  query: PageQuery,
): Promise<PageRows<CreatorRow>> {
  const creators = sql<CreatorRow>`(
    select min(o.id) as id, o.creator, count(*)::int as token_count,
      (array_agg(o.token order by o.id))[:${sql.lit(RESPONSE_ITEMS.tokensOfCreator)}] as tokens
    from (
      select a.id, coalesce(nullif(n.creator, ''), c.owner, '') as creator,
        json_build_object(
          'chainId', a.chain_id, 'imgUrl', coalesce(n.img_url, ''), 'name', coalesce(n.name, ''),
          'nftAddress', a.nft_address, 'nftId', a.nft_id, 'nftType', a.nft_type, 'quantity', a.quantity::text, 'reserved', a.reserved::text) as token
      from gateway.assets a
      left join gateway.nfts n on n.project_id = a.project_id and n.nft_address = a.nft_address
        and n.nft_id = a.nft_id and n.chain_id = a.chain_id and not n.deleted
      left join gateway.contracts c on c.project_id = a.project_id and c.nft_address = a.nft_address
        and c.chain_id = a.chain_id and not c.deleted
      where a.project_id = ${tenant.project} and a.owner = ${owner} and a.quantity > 0
    ) o
    group by o.creator)`.as('creators')
  // Kysely's types know the alias in this query only. A page requires no more of a row than an id.
  const rows = tenant.db.selectFrom(creators).selectAll()
  return await findPage(tenant as never, 'creators' as never, rows as never, query, {
    readsByKey: false,
  })
}
