import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import type { AssetKey, DomainOperations, LockedOrder } from '../domain-operations.ts'
import { selectCoveredReservations } from './collateral-rules.ts'
import {
  type AssetReservation,
  listUnpaidOrders,
  lockReservations,
  selectAssetsForSale,
} from './collateral-store.ts'

/**
 * Deactivates listings and auctions whose owners have too few tokens, and reactivates them when they have
 * enough again. Nothing is final, because the chain can be reorganized.
 */
export async function updateSaleStatuses(
  trx: Db,
  domains: DomainOperations,
  changed: readonly AssetKey[],
): Promise<void> {
  for (const key of await selectAssetsForSale(trx, changed)) await updateStatuses(trx, domains, key)
}

interface Coverage {
  readonly owned: bigint
  /** The reservations that the owned quantity does not cover. */
  readonly uncovered: readonly AssetReservation[]
}

async function updateStatuses(trx: Db, domains: DomainOperations, key: AssetKey): Promise<Coverage> {
  const tenant = new Tenant(trx, key.project)
  const { owned, reservations } = await lockReservations(trx, domains, key)
  const covered = selectCoveredReservations(owned, reservations)
  for (const { id, kind, saleId, status } of reservations) {
    const isBacked = covered.has(id)
    if (isBacked === (status !== 'INACTIVE')) continue
    if (kind === 'listing') await domains.setListingBacked(tenant, saleId, isBacked)
    if (kind === 'auction') await domains.setAuctionBacked(tenant, saleId, isBacked)
  }
  return { owned, uncovered: reservations.filter(({ id }) => !covered.has(id)) }
}

/**
 * Ends the sales of an asset that its owner can no longer deliver, after a final transfer. Auctions end
 * without a winner, and unpaid orders of auctions and offers are cancelled. When nothing is left, listings
 * are closed and their unpaid orders cancelled. Paid orders stay, because the transfer may be their delivery.
 */
export async function cancelUnbackedListings(
  trx: Db,
  domains: DomainOperations,
  key: AssetKey,
): Promise<void> {
  const tenant = new Tenant(trx, key.project)
  const unpaid = await lockUnpaidOrders(trx, domains, key)
  const { owned, uncovered } = await updateStatuses(trx, domains, key)
  const awarded = new Set(uncovered.filter(({ kind }) => kind === 'awarded').map(({ orderId }) => orderId))
  for (const order of unpaid) {
    const isOfEmptyListing = owned === 0n && order.listing_id !== null
    if (awarded.has(order.id) || isOfEmptyListing) await domains.cancelOrder(tenant, order)
  }
  for (const { kind, saleId: id } of uncovered) {
    if (kind === 'auction') await domains.cancelAuction(tenant, id)
    if (kind === 'listing' && owned === 0n) await domains.closeListing(tenant, id)
  }
}

/** Locks the unpaid orders of an asset. Orders are locked before their reservations, as everywhere. */
async function lockUnpaidOrders(trx: Db, domains: DomainOperations, key: AssetKey): Promise<LockedOrder[]> {
  const locked: LockedOrder[] = []
  for (const id of await listUnpaidOrders(trx, key)) {
    const order = await domains.lockOrder(new Tenant(trx, key.project), id)
    // If a payment was reported meanwhile, the verifier decides about the order.
    if (order?.status === OrderStatus.PRE) locked.push(order)
  }
  return locked
}
