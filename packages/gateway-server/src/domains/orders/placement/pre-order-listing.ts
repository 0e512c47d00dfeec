import { LISTING_RESERVED, type Order, type PreOrderInput } from '@mintmark/orders'
import { type Refuse, refusal } from '@mintmark/server-kit'
import { readNewestBlock } from '../../../chain/read-chain.ts'
import { toReferenceColumns } from '../../../database/references.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import * as listings from '../../market/listings/listings-store.ts'
import type { OrderPorts } from '../order-ports.ts'
import { orderOf } from '../order-records.ts'
import { placeOrder } from './place-order.ts'

export type PreOrderContext = GatewayContext & OrderPorts & Refuse

/** The input of an order of a listing. */
type ListingInput = Extract<PreOrderInput, { listingId: number }>

/** Places a prepared order, in a call's transaction if it has one. */
export type PlaceOrder = (context: PreOrderContext) => Promise<Order>

/** Prepares an order of units of a listing. */
export async function prepareListingOrder(
  input: ListingInput,
  context: PreOrderContext,
): Promise<PlaceOrder> {
  const { tenant, invalid } = context
  for (const field of ['nftId', 'proof', 'limit'] as const)
    if (input[field] !== undefined) invalid(field, 'Only an order of a presale phase has this field')
  const { recipient } = input
  const listing = ensureFound(
    await listings.find(tenant, input.listingId),
    'There is no listing with this id',
  )
  const { marketType = listing.market_type } = input
  if (listing.market_type !== marketType)
    invalid('marketType', `Expected the listing's own: ${listing.market_type}`)
  const { couponCode = '' } = input
  if (listing.coupon_id === null && couponCode !== '') invalid('couponCode', 'The listing takes no coupon')
  if (listing.seller === recipient) invalid('recipient', 'Expected another wallet than the seller')
  if (listing.reserved_for.length > 0 && !listing.reserved_for.includes(recipient))
    throw refusal(LISTING_RESERVED)

  const block = await readNewestBlock(context, 'listingId', listing.chain_id)
  const request = {
    listing: listing.id,
    quantity: input.quantity,
    recipient,
    block,
    couponCode,
    partialPayments: input.partialPayments ?? false,
    references: toReferenceColumns(input.reference, context.caller.wallet),
  }
  return async (placing) => {
    const { findInventory, orderSettings } = placing
    const order = await placing.tenant.transaction((trx) =>
      placeOrder(trx, findInventory, request, orderSettings),
    )
    return orderOf(order, placing)
  }
}
