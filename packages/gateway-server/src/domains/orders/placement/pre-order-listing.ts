import { NotFoundError } from '@mintmark/envelope'
import type { DeclaredError, ErrorsOf, InputOf } from '@mintmark/operation'
import {
  COUPON_INVALID,
  COUPON_MINIMUM,
  COUPON_USED_UP,
  COUPON_WALLET_LIMIT,
  LISTING_NOT_OPEN,
  LISTING_RESERVED,
  type Order,
  OUT_OF_STOCK,
  type orders,
  TOO_MANY_OPEN_ORDERS,
} from '@mintmark/orders'
import type { Refuse } from '@mintmark/server-kit'
import { readNewestBlock } from '../../../chain/read-chain.ts'
import { toReferenceColumns } from '../../../database/references.ts'
import type { GatewayContext } from '../../../http/context.ts'
import { refuseViolation } from '../../../rule-violation.ts'
import * as listings from '../../market/listings/listings-store.ts'
import type { OrderPorts } from '../order-ports.ts'
import { orderOf } from '../order-records.ts'
import { type PlacementReason, placeOrder } from './place-order.ts'

export type PreOrderInput = InputOf<typeof orders.preOrder>
export type PreOrderContext = GatewayContext & OrderPorts & Refuse<ErrorsOf<typeof orders.preOrder>>

const REFUSALS = {
  not_open: LISTING_NOT_OPEN,
  out_of_stock: OUT_OF_STOCK,
  too_many_open: TOO_MANY_OPEN_ORDERS,
  coupon_invalid: COUPON_INVALID,
  coupon_used_up: COUPON_USED_UP,
  coupon_wallet_limit: COUPON_WALLET_LIMIT,
  coupon_minimum: COUPON_MINIMUM,
} as const satisfies Record<PlacementReason, DeclaredError>

/** The input of an order of a listing. */
type ListingInput = Extract<PreOrderInput, { listingId: number }>

/** Places a prepared order, in a call's transaction if it has one. */
export type PlaceOrder = (context: PreOrderContext) => Promise<Order>

/** Prepares an order of units of a listing. */
export async function prepareListingOrder(
  input: ListingInput,
  context: PreOrderContext,
): Promise<PlaceOrder> {
  const { tenant, refuse, invalid } = context
  for (const field of ['nftId', 'proof', 'limit'] as const)
    if (input[field] !== undefined) invalid(field, 'Only an order of a presale phase has this field')
  const { recipient } = input
  const listing = await listings.find(tenant, input.listingId)
  if (listing === undefined) return refuse(NotFoundError, 'There is no listing with this id')
  const { marketType = listing.market_type } = input
  if (listing.market_type !== marketType)
    invalid('marketType', `Expected the listing's own: ${listing.market_type}`)
  const { couponCode = '' } = input
  if (listing.coupon_id === null && couponCode !== '') invalid('couponCode', 'The listing takes no coupon')
  if (listing.seller === recipient) invalid('recipient', 'Expected another wallet than the seller')
  if (listing.reserved_for.length > 0 && !listing.reserved_for.includes(recipient)) refuse(LISTING_RESERVED)

  const block = await readNewestBlock(context, 'listingId', listing.chain_id)
  const request = {
    listing: listing.id,
    quantity: input.quantity,
    recipient,
    block,
    couponCode,
    references: toReferenceColumns(input.reference, context.caller.wallet),
  }
  return async (placing) => {
    const { findInventory, orderSettings } = placing
    const place = placing.tenant.transaction((trx) => placeOrder(trx, findInventory, request, orderSettings))
    return orderOf(await place.catch(refuseViolation(REFUSALS, placing)), placing)
  }
}
