import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import type { TokenKey } from '../balances/balances-store.ts'
import { delivers } from '../transfers/deliveries-store.ts'
import type { Claim } from './collateral-rules.ts'

/** What an owner has promised of an asset, and to what. */
export interface Hold {
  readonly id: number
  readonly claim: Claim
  readonly holds: bigint
  /** The listing's, auction's or offer's id. */
  readonly holder: number
  /** Of a listing or an auction that runs: ON and OPEN, or INACTIVE. */
  readonly status: string
  /** Of what is awarded: the order that can be paid. */
  readonly order: number
}

/** Locks all that is promised of an asset, and the asset; answers both as they are then. */
export async function lockPromises(
  trx: Db,
  { project, asset }: TokenKey,
): Promise<{ owned: bigint; promises: Hold[] }> {
  // Holds, then the asset: the order in which everybody locks.
  await trx
    .selectFrom('gateway.asset_holds')
    .select('id')
    .where('project_id', '=', project)
    .where('asset_id', '=', asset)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { quantity } = await trx
    .selectFrom('gateway.assets')
    .select('quantity')
    .where('project_id', '=', project)
    .where('id', '=', asset)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Omit<Hold, 'holds'> & { holds: string }>`
    select h.id, h.quantity as holds, h.holder_id as holder, coalesce(l.status, a.status, '') as status,
      coalesce(o.id, 0) as "order",
      case
        when l.status in ('ON', 'INACTIVE') then 'listing'
        when a.status in ('OPEN', 'INACTIVE') then 'auction'
        when o.status = ${OrderStatus.PRE} then 'awarded'
        else 'paid' end as claim
    from gateway.asset_holds h
    left join gateway.listings l on h.holder = 'listing' and l.project_id = h.project_id and l.id = h.holder_id
    left join gateway.auctions a on h.holder = 'auction' and a.project_id = h.project_id and a.id = h.holder_id
    left join gateway.orders o on o.project_id = h.project_id
      and (h.holder = 'auction' and o.auction_id = h.holder_id or h.holder = 'offer' and o.offer_id = h.holder_id)
    where h.project_id = ${project} and h.asset_id = ${asset} and h.quantity > 0`.execute(trx)
  return { owned: BigInt(quantity), promises: rows.map((row) => ({ ...row, holds: BigInt(row.holds) })) }
}

/** Of assets that changed those that are on a shelf, or up for auction: most are not. */
export async function promisedOf(db: Db, changed: readonly TokenKey[]): Promise<TokenKey[]> {
  const { rows } = await sql<TokenKey>`
    select distinct c.project, c.asset
    from unnest(${changed.map(({ project }) => project)}::bigint[], ${changed.map(({ asset }) => asset)}::bigint[])
      as c (project, asset)
    where exists (
        select from gateway.listings l
        where l.project_id = c.project and l.asset_id = c.asset and l.status in ('ON', 'INACTIVE'))
      or exists (
        select from gateway.auctions a
        where a.project_id = c.project and a.asset_id = c.asset and a.status in ('OPEN', 'INACTIVE'))
    order by 1, 2`.execute(db)
  return rows
}

/** What does not stand just now of the assets of a chain: how much of each waits, and the least of it. */
const waiting = (chainId: string) => sql`
  select i.project_id, i.asset_id, sum(h.quantity) as waits, min(h.quantity) as least
  from (
    select project_id, asset_id, 'listing' as holder, id from gateway.listings
    where chain_id = ${chainId} and status = 'INACTIVE'
    union all
    select project_id, asset_id, 'auction', id from gateway.auctions
    where chain_id = ${chainId} and status = 'INACTIVE') i
  join gateway.asset_holds h on h.project_id = i.project_id and h.holder = i.holder and h.holder_id = i.id
  group by i.project_id, i.asset_id`

/** Assets of a chain of which something is INACTIVE that could stand by now, something else having been let go of. */
export async function assetsWithRoom(db: Db, chainId: string): Promise<TokenKey[]> {
  const { rows } = await sql<TokenKey>`
    select a.project_id as project, a.id as asset
    from gateway.assets a
    join (${waiting(chainId)}) w on w.project_id = a.project_id and w.asset_id = a.id
    where a.quantity > 0 and a.quantity - (a.held - w.waits) >= w.least
    limit 100`.execute(db)
  return rows
}

/** An asset of which something was promised that can be kept no more, unless the chain turns back. */
export interface LostToken extends TokenKey {
  /** No block after this one has changed what its owner has. */
  readonly block: number
}

/**
 * Assets of a chain of which more is promised than their owners have, and something of that is to end: an auction that is INACTIVE, an
 * order of an auction or an offer that nobody has paid, and, where nothing is left, listings with their orders. An order whose token went
 * to its buyer is left to be paid.
 */
export async function lostTokens(db: Db, chainId: string): Promise<LostToken[]> {
  const { rows } = await sql<LostToken>`
    select a.project_id as project, a.id as asset, b.changed_block as block
    from gateway.assets a
    join gateway.chain_balances b on b.chain_id = a.chain_id and b.nft_address = a.nft_address
      and b.nft_id = a.nft_id and b.owner = a.owner
    left join (${waiting(chainId)}) w on w.project_id = a.project_id and w.asset_id = a.id
    where a.chain_id = ${chainId} and a.indexed and a.held > a.quantity and (
      exists (
        select from gateway.auctions u
        where u.project_id = a.project_id and u.asset_id = a.id and u.status = 'INACTIVE')
      or a.quantity = 0 and exists (
        select from gateway.listings l
        where l.project_id = a.project_id and l.asset_id = a.id and l.status = 'INACTIVE')
      or a.held - coalesce(w.waits, 0) > a.quantity and exists (${unpaidOf(sql`a.project_id`, sql`a.id`, AWARDED)})
      or a.quantity = 0 and exists (${unpaidOf(sql`a.project_id`, sql`a.id`, LISTED)}))
    order by b.changed_block limit 100`.execute(db)
  return rows
}

const AWARDED = sql`(h.holder = 'auction' and o.auction_id = h.holder_id or h.holder = 'offer' and o.offer_id = h.holder_id)`
const LISTED = sql`(h.holder = 'listing' and o.listing_id = h.holder_id)`

/** Orders of an asset that wait for their payment, and whose token did not go to their buyer. */
const unpaidOf = (
  project: ReturnType<typeof sql>,
  asset: ReturnType<typeof sql>,
  held: typeof AWARDED,
) => sql`
  select o.id from gateway.asset_holds h
  join gateway.orders o on o.project_id = h.project_id and ${held}
  where h.project_id = ${project} and h.asset_id = ${asset} and h.quantity > 0 and o.status = ${OrderStatus.PRE}
    and not exists (select from gateway.chain_transfers t where ${delivers})`

/** The same of one asset, in the order of their ids, in which several are locked. */
export async function unpaidOrders(db: Db, { project, asset }: TokenKey): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${unpaidOf(sql`${project}`, sql`${asset}`, sql`(${AWARDED} or ${LISTED})`)} order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
