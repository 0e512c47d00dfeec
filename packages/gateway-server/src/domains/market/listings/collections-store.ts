import {
  createTimedCache,
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import { inRange } from '../../../database/searches.ts'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'

export type ContractRow = Selectable<Tables['gateway.contracts']>

export const COLLECTION_ORDERS = { id: 'id', createTime: 'id', name: 'name' } as const satisfies SortColumns

/** Lists the contracts with open listings of a market type. */
export async function listCollections(
  tenant: Tenant,
  marketType: number,
  chainId: string | undefined,
  query: PageQuery,
): Promise<PageRows<ContractRow>> {
  let rows = tenant
    .selectFrom('gateway.contracts')
    .selectAll()
    .where('deleted', '=', false)
    .where(sql<boolean>`exists (
      select from gateway.listings l
      where l.project_id = ${tenant.project} and l.status = 'ON' and l.chain_id = gateway.contracts.chain_id
        and l.start_time <= clock_timestamp() and l.end_time > clock_timestamp()
        and ${inRange('l', 'gateway.contracts', ['market_type', 'nft_address'], { market_type: marketType })})`)
  if (chainId !== undefined) rows = rows.where('chain_id', '=', chainId)
  return await findPage(tenant.db, 'gateway.contracts', rows, query)
}

/** The statistics of one contract in one pay token. */
export interface TokenStatistics {
  readonly chainId: string
  readonly nftAddress: string
  readonly token: string
  readonly listed: number
  /** The sales of all contracts that are listed together, in all pay tokens. */
  readonly soldInAll: number
  readonly floorPrice: string
  readonly volume: string
}

/** Statistics are cached if they are computed from more open listings and sales than this. */
const MAX_EXACT_ITEMS = 10_000

const readCached = createTimedCache<readonly TokenStatistics[]>(
  (statistics) =>
    statistics.reduce((sum, { listed }) => sum + listed, statistics[0]?.soldInAll ?? 0) > MAX_EXACT_ITEMS,
)

/**
 * Returns the open listings and the sales of contracts by pay token, the one with most listings first. Those of more than 10,000 listings and sales may be ten seconds old, or ten times
 * as old as computing them took, at most a minute.
 */
export async function listTokenStatistics(
  tenant: Tenant,
  marketType: number,
  addresses: readonly string[],
): Promise<readonly TokenStatistics[]> {
  const key = JSON.stringify([marketType, ...addresses])
  return await readCached(tenant.db, key, () => readTokenStatistics(tenant, marketType, addresses))
}

async function readTokenStatistics(
  tenant: Tenant,
  marketType: number,
  addresses: readonly string[],
): Promise<readonly TokenStatistics[]> {
  const { rows } = await sql<TokenStatistics>`
    with shelf as (
      select chain_id, nft_address, pay_token_address, count(*)::int as listed, min(pay_price) as floor_price
      from gateway.listings
      where project_id = ${tenant.project} and market_type = ${marketType} and status = 'ON'
        and nft_address = any(${[...addresses]}::text[])
        and start_time <= clock_timestamp() and end_time > clock_timestamp()
      group by 1, 2, 3
    ), sales as (
      select chain_id, nft_address, pay_token_address, count(*)::int as sold, sum(amount) as volume
      from gateway.sales
      where project_id = ${tenant.project} and market_type = ${marketType} and nft_address = any(${[...addresses]}::text[])
      group by 1, 2, 3
    )
    select chain_id as "chainId", nft_address as "nftAddress", pay_token_address as token, listed,
      (select coalesce(sum(sold), 0)::int from sales) as "soldInAll",
      floor_price::text as "floorPrice", coalesce(volume, 0)::text as volume
    from shelf left join sales using (chain_id, nft_address, pay_token_address)
    order by listed desc, pay_token_address`.execute(tenant)
  return rows
}
