import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { letGo } from '../../domains/inventory/assets-store.ts'
import * as auctions from '../../domains/market/auctions/auctions-store.ts'
import * as listings from '../../domains/market/listings/listings-store.ts'
import * as orders from '../../domains/orders/orders-store.ts'
import { advance } from '../../domains/orders/state/transition.ts'
import type { AssetKey } from '../balances/balances-store.ts'
import { selectCoveredReservations } from './collateral-rules.ts'
import {
  type AssetReservation,
  listUnpaidOrders,
  lockReservations,
  selectAssetsForSale,
} from './collateral-store.ts'

/** The reason of orders that were cancelled because the seller no longer owns the token. */
const NOT_OWNED = 'not_owned'

/**
 * Deactivates listings and auctions whose owners have too few tokens, and reactivates them when they have enough again. Nothing is final,
 * because the chain can be reorganized.
 */
export async function updateSaleStatuses(trx: Db, changed: readonly AssetKey[]): Promise<void> {
  for (const key of await selectAssetsForSale(trx, changed)) await updateStatuses(trx, key)
}

interface Coverage {
  readonly owned: bigint
  /** The reservations that the owned quantity does not cover. */
  readonly uncovered: readonly AssetReservation[]
}

async function updateStatuses(trx: Db, key: AssetKey): Promise<Coverage> {
  const { owned, reservations } = await lockReservations(trx, key)
  const covered = selectCoveredReservations(owned, reservations)
  for (const reservation of reservations) {
    if (reservation.kind === 'listing')
      await setSaleStatus(
        trx,
        key,
        reservation,
        'gateway.listings',
        covered.has(reservation.id) ? 'ON' : 'INACTIVE',
      )
    if (reservation.kind === 'auction')
      await setSaleStatus(
        trx,
        key,
        reservation,
        'gateway.auctions',
        covered.has(reservation.id) ? 'OPEN' : 'INACTIVE',
      )
  }
  return { owned, uncovered: reservations.filter(({ id }) => !covered.has(id)) }
}

async function setSaleStatus(
  trx: Db,
  { project }: AssetKey,
  { saleId, status }: AssetReservation,
  table: 'gateway.listings' | 'gateway.auctions',
  newStatus: 'ON' | 'OPEN' | 'INACTIVE',
): Promise<void> {
  if (status === newStatus) return
  const running = table === 'gateway.listings' ? 'ON' : 'OPEN'
  // A bid or a job locks only the auction, so it may have ended meanwhile. Then its status stays.
  await sql`
    update ${sql.table(table)} set status = ${newStatus}, updated_at = clock_timestamp()
    where project_id = ${project} and id = ${saleId} and status in (${running}, 'INACTIVE')`.execute(trx)
}

/**
 * Ends the sales of an asset that its owner can no longer deliver, after a final transfer. Auctions end without a winner, and unpaid orders of
 * auctions and offers are cancelled. When nothing is left, listings are closed and their unpaid orders cancelled. Paid orders stay, because
 * the transfer may be their delivery.
 */
export async function cancelUnbackedListings(trx: Db, key: AssetKey): Promise<void> {
  const { project } = key
  const unpaid = await lockUnpaidOrders(trx, key)
  const { owned, uncovered } = await updateStatuses(trx, key)
  const awarded = new Set(uncovered.filter(({ kind }) => kind === 'awarded').map(({ orderId }) => orderId))
  for (const order of unpaid) {
    const isOfEmptyListing = owned === 0n && order.listing_id !== null
    if (!awarded.has(order.id) && !isOfEmptyListing) continue
    await advance(trx, order, 'withdrawn', { reason: NOT_OWNED })
    await orders.lookAgain(trx, order, undefined)
  }
  for (const { kind, saleId: id } of uncovered) {
    if (kind === 'auction' && (await auctions.endInactive(trx, project, id)))
      await letGo(trx, project, { kind: 'auction', id })
    if (kind === 'listing' && owned === 0n) await listings.close(trx, project, id, 'OFF')
  }
}

/** Locks the unpaid orders of an asset. Orders are locked before their reservations, as everywhere. */
async function lockUnpaidOrders(trx: Db, key: AssetKey): Promise<orders.OrderRow[]> {
  const locked: orders.OrderRow[] = []
  for (const id of await listUnpaidOrders(trx, key)) {
    const order = await orders.lockById(trx, key.project, id)
    // If a payment was reported meanwhile, the verifier decides about the order.
    if (order?.status === OrderStatus.PRE) locked.push(order)
  }
  return locked
}
