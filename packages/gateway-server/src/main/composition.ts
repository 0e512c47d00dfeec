import { type EventSource, withoutEvents } from '../database/event-source.ts'
import { TABLES_WITHOUT_EVENTS } from '../database/row-changes.ts'
import { cardEventSources } from '../domains/cards/card-events.ts'
import { contractEventSources } from '../domains/contracts/contract-events.ts'
import { markAssetsWritten } from '../domains/contracts/contracts/contracts-store.ts'
import type { Ownership } from '../domains/contracts/ownership.ts'
import type { AddTotals } from '../domains/events/sequencer.ts'
import { clear, issue, retire, writeIndexedAssets } from '../domains/inventory/assets-store.ts'
import type { FindInventory } from '../domains/inventory/order-inventory.ts'
import type { OrderPort } from '../domains/inventory/order-port.ts'
import { lockReservations } from '../domains/inventory/reservations-store.ts'
import * as auctions from '../domains/market/auctions/auctions-store.ts'
import { cancelInactive } from '../domains/market/auctions/close-auction.ts'
import { auctionInventory, offerInventory } from '../domains/market/award-inventory.ts'
import { listingInventory } from '../domains/market/listings/listing-inventory.ts'
import * as listings from '../domains/market/listings/listings-store.ts'
import { marketEventSources } from '../domains/market/market-events.ts'
import { productCardEventSources } from '../domains/market/product-cards/product-card-events.ts'
import { mintEventSources } from '../domains/minting/mint-events.ts'
import { presaleEventSources } from '../domains/minting/presale-events.ts'
import { mintInventory } from '../domains/minting/reservations/mint-inventory.ts'
import { cancelByTransfer, recordDelivery } from '../domains/orders/delivery.ts'
import { orderEventSources } from '../domains/orders/order-events.ts'
import { createOrderPort } from '../domains/orders/order-port.ts'
import { findPaidTime, lockById } from '../domains/orders/orders-store.ts'
import { createAddTotals } from '../domains/totals/add-totals.ts'
import { walletEventSources } from '../domains/wallet/wallet-events.ts'
import type { DomainOperations } from '../indexer/domain-operations.ts'

/*
 * The only place that connects domains against the direction of their imports: what orders sell, what sales
 * do with orders, who owns what, and when orders were paid.
 */

export const findInventory: FindInventory = (trx, order) => {
  if (order.listing_id !== null) return listingInventory(trx, order, order.listing_id)
  if (order.phase_id !== null) return mintInventory(trx, order, order.phase_id)
  if (order.auction_id !== null) return auctionInventory(trx, order, order.auction_id)
  if (order.offer_id !== null) return offerInventory(trx, order, order.offer_id)
  return undefined
}

export const orderPort: OrderPort = createOrderPort(findInventory)

export const ownership: Ownership = { issue, retire, clear }

/** What the indexer changes in the domains. */
export const domainOperations: DomainOperations = {
  writeIndexedAssets,
  markAssetsWritten,
  lockReservations,
  setListingBacked: listings.setBacked,
  setAuctionBacked: auctions.setBacked,
  async closeListing(trx, id) {
    await listings.close(trx, id, 'OFF')
  },
  cancelAuction: cancelInactive,
  lockOrder: lockById,
  cancelOrder: (trx, order) => cancelByTransfer(trx, findInventory, order),
  recordDelivery,
}

export const addTotals: AddTotals = createAddTotals(findPaidTime)

/** The events of every table whose changes are audited and reported. */
export const eventSources: readonly EventSource[] = [
  ...walletEventSources,
  ...contractEventSources,
  ...cardEventSources,
  ...mintEventSources,
  ...presaleEventSources,
  ...marketEventSources,
  ...productCardEventSources,
  ...orderEventSources,
  ...TABLES_WITHOUT_EVENTS.map(withoutEvents),
]
