import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import type { AssetKey, DomainOperations } from '../domain-operations.ts'
import { isDelivery } from '../transfers/deliveries-store.ts'
import type { Reservation } from './collateral-rules.ts'

/** A reservation of an asset, with the sale that it belongs to. */
export interface AssetReservation extends Reservation {
  /** The id of the listing, auction or offer. */
  readonly saleId: number
  /** The status of a running listing or auction: ON, OPEN or INACTIVE. */
  readonly status: string
  /** The unpaid order of an awarded reservation. */
  readonly orderId: number
}

/** Locks the reservations of an asset and then the asset. Returns the owned quantity and the reservations. */
export async function lockReservations(
  trx: Db,
  domains: DomainOperations,
  { project, asset }: AssetKey,
): Promise<{ owned: bigint; reservations: AssetReservation[] }> {
  const { owned } = await domains.lockReservations(new Tenant(trx, project), asset)
  const { rows } = await sql<Omit<AssetReservation, 'quantity'> & { quantity: string }>`
    select h.id, h.quantity, h.holder_id as "saleId", coalesce(l.status, a.status, '') as status,
      coalesce(o.id, 0) as "orderId",
      case
        when l.status in ('ON', 'INACTIVE') then 'listing'
        when a.status in ('OPEN', 'INACTIVE') then 'auction'
        when o.status = ${OrderStatus.PRE} then 'awarded'
        else 'paid' end as kind
    from gateway.asset_reservations h
    left join gateway.listings l on h.holder = 'listing' and l.project_id = h.project_id and l.id = h.holder_id
    left join gateway.auctions a on h.holder = 'auction' and a.project_id = h.project_id and a.id = h.holder_id
    left join gateway.orders o on o.project_id = h.project_id
      and (h.holder = 'auction' and o.auction_id = h.holder_id or h.holder = 'offer' and o.offer_id = h.holder_id)
    where h.project_id = ${project} and h.asset_id = ${asset} and h.quantity > 0`.execute(trx)
  const reservations = rows.map((row) => ({ ...row, quantity: BigInt(row.quantity) }))
  return { owned, reservations }
}

/** Selects the changed assets that are listed or up for auction. Most are not. */
export async function selectAssetsForSale(db: Db, changed: readonly AssetKey[]): Promise<AssetKey[]> {
  const { rows } = await sql<AssetKey>`
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

/** The inactive listings and auctions of a chain by asset: their total quantity and the smallest one. */
const inactiveSales = (chainId: string) => sql`
  select i.project_id, i.asset_id, sum(h.quantity) as total, min(h.quantity) as smallest
  from (
    select project_id, asset_id, 'listing' as holder, id from gateway.listings
    where chain_id = ${chainId} and status = 'INACTIVE'
    union all
    select project_id, asset_id, 'auction', id from gateway.auctions
    where chain_id = ${chainId} and status = 'INACTIVE') i
  join gateway.asset_reservations h on h.project_id = i.project_id and h.holder = i.holder and h.holder_id = i.id
  group by i.project_id, i.asset_id`

/**
 * Lists assets with an inactive listing or auction that is covered again, because another reservation was
 * released.
 */
export async function listReactivatableAssets(db: Db, chainId: string): Promise<AssetKey[]> {
  const { rows } = await sql<AssetKey>`
    select a.project_id as project, a.id as asset
    from gateway.assets a
    join (${inactiveSales(chainId)}) w on w.project_id = a.project_id and w.asset_id = a.id
    where a.quantity > 0 and a.quantity - (a.reserved - w.total) >= w.smallest
    limit 100`.execute(db)
  return rows
}

/** An asset whose owner has fewer units than are reserved. */
export interface Shortfall extends AssetKey {
  /** The block that last changed the owner's balance. */
  readonly block: number
}

/**
 * Lists assets of a chain whose owners have reserved more than they own, if that must end a sale: an inactive
 * auction, an unpaid order of an auction or an offer, and, when nothing is left, listings with their unpaid
 * orders. Orders whose token went to the buyer can still be paid.
 *
 * Leaves out contracts of which blocks are read again, or for the first time: later blocks can give the units
 * back. The order is random, because some shortfalls end no sale until a buyer has paid: they must not keep
 * the others from their turn.
 */
export async function listShortfalls(db: Db, chainId: string): Promise<Shortfall[]> {
  const { rows } = await sql<Shortfall>`
    select a.project_id as project, a.asset_id as asset, a.changed_block as block
    from gateway.short_assets(${chainId}) a
    join gateway.chain_cursors c on c.chain_id = ${chainId} and c.next_block > a.changed_block
    join gateway.indexed_contracts i on i.chain_id = ${chainId} and i.nft_address = a.nft_address
      and i.next_block >= c.next_block
    left join (${inactiveSales(chainId)}) w on w.project_id = a.project_id and w.asset_id = a.asset_id
    where exists (
        select from gateway.auctions u
        where u.project_id = a.project_id and u.asset_id = a.asset_id and u.status = 'INACTIVE')
      or a.quantity = 0 and exists (
        select from gateway.listings l
        where l.project_id = a.project_id and l.asset_id = a.asset_id and l.status = 'INACTIVE')
      or a.reserved - coalesce(w.total, 0) > a.quantity
        and exists (${selectUnpaidOrders(sql`a.project_id`, sql`a.asset_id`, AWARDED)})
      or a.quantity = 0 and exists (${selectUnpaidOrders(sql`a.project_id`, sql`a.asset_id`, LISTED)})
    order by random() limit 100`.execute(db)
  return rows
}

const AWARDED = sql`(h.holder = 'auction' and o.auction_id = h.holder_id or h.holder = 'offer' and o.offer_id = h.holder_id)`
const LISTED = sql`(h.holder = 'listing' and o.listing_id = h.holder_id)`

/** Unpaid orders with a reservation of an asset whose token did not go to the buyer. */
const selectUnpaidOrders = (
  project: ReturnType<typeof sql>,
  asset: ReturnType<typeof sql>,
  isReservedFor: typeof AWARDED,
) => sql`
  select o.id from gateway.asset_reservations h
  join gateway.orders o on o.project_id = h.project_id and ${isReservedFor}
  where h.project_id = ${project} and h.asset_id = ${asset} and h.quantity > 0 and o.status = ${OrderStatus.PRE}
    and not exists (select from gateway.chain_transfers t where ${isDelivery})`

/** Lists the unpaid orders of an asset by id, the order in which they are locked. */
export async function listUnpaidOrders(db: Db, { project, asset }: AssetKey): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${selectUnpaidOrders(sql`${project}`, sql`${asset}`, sql`(${AWARDED} or ${LISTED})`)} order by 1`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
