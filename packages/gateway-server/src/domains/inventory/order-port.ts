import type { Order } from '@mintmark/orders'
import type { Insertable, Selectable } from 'kysely'
import type { Reader } from '../../database/references.ts'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

type OrderColumns = Insertable<Tables['gateway.orders']>

/** What an order sells and how it is paid. Listings, auctions and offers have these columns too. */
export type SoldItem = Pick<
  OrderColumns,
  'project_id' | 'chain_id' | 'nft_address' | 'nft_id' | 'nft_type' | 'nft_img' | 'pay_token_decimals'
> & { readonly nft_name: string; readonly pay_token_address: string; readonly pay_token_type: string }

/** Who sells (`sender`) to whom (`recipient`), at what price, and by which sale. */
export type OrderTerms = Pick<
  OrderColumns,
  'market_type' | 'quantity' | 'sender' | 'recipient' | 'order_amount' | 'pay_amount' | 'placed_at_block'
> &
  Partial<
    Pick<
      OrderColumns,
      | 'coupon_code'
      | 'coupon_type'
      | 'listing_id'
      | 'auction_id'
      | 'offer_id'
      | 'phase_id'
      | 'partial_payments'
      | 'reference'
      | 'reference_owner'
    >
  >

export type LockedOrder = Pick<
  Selectable<Tables['gateway.orders']>,
  'project_id' | 'id' | 'order_no' | 'status'
>

/**
 * What sales do with orders. Orders are above sales, so sales receive this port instead of importing them.
 */
export interface OrderPort {
  /** Creates an order that waits for its payment. The same transaction reserves what it sells. */
  create(
    trx: Tenant,
    item: SoldItem,
    terms: OrderTerms,
    options: { readonly expirySeconds: number; readonly reader?: Reader },
  ): Promise<Order>
  /** Locks an order until the transaction ends. Lock it before what it has reserved. */
  lock(trx: Tenant, id: number): Promise<LockedOrder | undefined>
  /** Expires overdue orders of a collection's mints, and returns how many. */
  expireMints(trx: Tenant, collection: number): Promise<number>
  /** Records that the token of a locked order was minted for its buyer. */
  completeMint(trx: Tenant, order: LockedOrder, minted: { tokenId: string; hash: string }): Promise<void>
  /** Records that the mint of a locked order was taken back. */
  revertMint(trx: Tenant, order: LockedOrder): Promise<void>
}
