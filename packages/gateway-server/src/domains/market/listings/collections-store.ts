import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'

export type ContractRow = Selectable<Tables['gateway.contracts']>

export const COLLECTION_ORDERS: Orders = { id: 'id', createTime: 'id', name: 'name' }

/** The contracts that have something of a kind on the shelf. */
export async function pageOfCollections(
  db: Db,
  project: number,
  marketType: number,
  chainId: string | undefined,
  query: PageQuery,
): Promise<FoundPage<ContractRow>> {
  let rows = db
    .selectFrom('gateway.contracts')
    .selectAll()
    .where('project_id', '=', project)
    .where('deleted', '=', false)
    // Fenced by `offset 0`, each contract's listings are looked up by an index: a plain join may compare all contracts with all listings.
    .where(sql<boolean>`exists (
      select from gateway.listings l
      where l.project_id = ${project} and l.market_type = ${marketType} and l.status = 'ON'
        and l.nft_address = gateway.contracts.nft_address and l.chain_id = gateway.contracts.chain_id
        and l.start_time <= clock_timestamp() and l.end_time > clock_timestamp()
      offset 0)`)
  if (chainId !== undefined) rows = rows.where('chain_id', '=', chainId)
  return await findPage(db, 'gateway.contracts', rows, query)
}

/** One contract's figures in one pay token. */
export interface TokenFigures {
  readonly chainId: string
  readonly nftAddress: string
  readonly token: string
  readonly listed: number
  readonly floorPrice: string
  readonly volume: string
}

/** What is on the shelf and what was sold of contracts, by pay token; the token most listings ask for comes first. */
export async function figuresOf(
  db: Db,
  project: number,
  marketType: number,
  addresses: readonly string[],
): Promise<TokenFigures[]> {
  const { rows } = await sql<TokenFigures>`
    with shelf as (
      select chain_id, nft_address, pay_token_address, count(*)::int as listed, min(pay_price) as floor_price
      from gateway.listings
      where project_id = ${project} and market_type = ${marketType} and status = 'ON'
        and nft_address = any(${[...addresses]}::text[])
        and start_time <= clock_timestamp() and end_time > clock_timestamp()
      group by 1, 2, 3
    ), sold as (
      select chain_id, nft_address, pay_token_address, sum(amount) as volume
      from gateway.sales
      where project_id = ${project} and market_type = ${marketType} and nft_address = any(${[...addresses]}::text[])
      group by 1, 2, 3
    )
    select chain_id as "chainId", nft_address as "nftAddress", pay_token_address as token, listed,
      floor_price::text as "floorPrice", coalesce(volume, 0)::text as volume
    from shelf left join sold using (chain_id, nft_address, pay_token_address)
    order by listed desc, pay_token_address`.execute(db)
  return rows
}
