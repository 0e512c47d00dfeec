import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

type OrderColumns = Selectable<Tables['gateway.orders']>

/** What an inventory needs to know of an order. */
export type OrderItem = Pick<
  OrderColumns,
  | 'project_id'
  | 'id'
  | 'order_no'
  | 'chain_id'
  | 'nft_address'
  | 'nft_id'
  | 'nft_type'
  | 'quantity'
  | 'sender'
  | 'recipient'
  | 'coupon_type'
  | 'stock'
  | 'listing_id'
  | 'auction_id'
  | 'offer_id'
  | 'phase_id'
>

/** Whether the buyer has the token, or waits for the chain to show its transfer or its mint. */
export type Delivery = 'done' | 'pending'

/**
 * Why an order releases what it reserved: the seller lost the token, somebody cancelled the order, or the
 * order was not paid.
 */
export type ReleaseCause = 'token_lost' | 'cancelled' | 'unpaid'

/**
 * What an order sells, whatever kind of sale it comes from: a listing, an award of an auction or an offer, or
 * a mint. The order's state machine decides when each operation runs.
 */
export interface Inventory {
  /** Locks the reservation. Runs before every other operation. */
  lock(): Promise<void>
  /** Reserves again what was released. Returns false if others have it by now: the caller then rolls back. */
  reserve(): Promise<boolean>
  /** Gives what was reserved to the buyer, who has paid by the transaction with this hash. */
  commit(hash: string): Promise<Delivery>
  /** Releases what was reserved: the order ended without a payment. */
  release(cause: ReleaseCause): Promise<void>
  /** Takes back what was committed but not delivered. Returns false if there is nothing to take back. */
  revert(): Promise<boolean>
}

/** Finds the inventory of an order. Returns undefined for an order that never reserved anything. */
export type FindInventory = (trx: Tenant, order: OrderItem) => Inventory | undefined
