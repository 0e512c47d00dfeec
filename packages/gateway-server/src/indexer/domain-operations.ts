import type { RawBuilder } from 'kysely'
import type { Db } from '../database/tables.ts'
import type { Tenant } from '../database/tenant.ts'

/** Identifies an asset of a project. */
export interface AssetKey {
  readonly project: number
  readonly asset: number
}

/** A locked order, as far as the indexer needs it. */
export interface LockedOrder {
  readonly id: number
  readonly project_id: number
  readonly status: number
  /** Null for an order of an auction or an offer. */
  readonly listing_id: number | null
}

/** How much of an order the chain has not delivered yet, and the event to record for that, if any. */
export interface DeliveryUpdate {
  readonly order: number
  readonly missing: bigint
  readonly event?: { readonly name: 'delivered' | 'delivery_undone'; readonly hash: string } | undefined
}

/**
 * What the indexer changes in the domains, whose tables only they write. The composition root registers it.
 */
export interface DomainOperations {
  /**
   * Builds the statement that writes balances as assets and returns the assets that changed.
   *
   * @param balances A query with project_id, chain_id, nft_address, nft_id, nft_type, owner and quantity.
   */
  writeIndexedAssets(balances: RawBuilder<unknown>): RawBuilder<AssetKey>
  /**
   * Marks the assets of at most `limit` newly registered contracts of a chain as written, and returns these
   * contracts.
   */
  markAssetsWritten(
    trx: Db,
    chainId: string,
    limit: number,
  ): Promise<readonly { project: number; id: number }[]>
  /** Locks all reservations of an asset, then the asset, and returns how many units its owner has. */
  lockReservations(tenant: Tenant, asset: number): Promise<{ owned: bigint }>
  /** Takes a listing out of sale while its seller owns too few tokens, and puts it back on sale. */
  setListingBacked(tenant: Tenant, id: number, backed: boolean): Promise<void>
  /** Suspends an auction while its seller owns too few tokens, and resumes it. */
  setAuctionBacked(tenant: Tenant, id: number, backed: boolean): Promise<void>
  /** Closes a listing for good. */
  closeListing(tenant: Tenant, id: number): Promise<void>
  /** Cancels a suspended auction and releases its token. */
  cancelAuction(tenant: Tenant, id: number): Promise<void>
  lockOrder(tenant: Tenant, id: number): Promise<LockedOrder | undefined>
  /** Cancels a locked, unpaid order whose token a transfer took from the seller. */
  cancelOrder(tenant: Tenant, order: LockedOrder): Promise<void>
  /** Records how much of an order is delivered. The missing units stay reserved for it. */
  recordDelivery(tenant: Tenant, update: DeliveryUpdate): Promise<void>
}
