import { NotFoundError } from '@mintmark/envelope'
import {
  COUPON_INVALID,
  COUPON_MINIMUM,
  COUPON_USED_UP,
  COUPON_WALLET_LIMIT,
  LISTING_NOT_OPEN,
  LISTING_RESERVED,
  ORDER_NOT_CANCELLABLE,
  ORDER_NOT_PAYABLE,
  ORDER_RECIPIENT_MISMATCH,
  OrderStatus,
  OUT_OF_STOCK,
  orders,
  PAYMENT_HASH_TAKEN,
  PAYMENT_MINED,
  TOO_MANY_OPEN_ORDERS,
  TOO_MANY_PAYMENTS,
} from '@mintmark/orders'
import { pageOf, readPageQuery, transaction } from '@mintmark/server-kit'
import { askChain } from '../../chain/ask-chain.ts'
import { implementWithLimits } from '../../context.ts'
import { HASH, NAME } from '../field-limits.ts'
import * as listings from '../market/listings-store.ts'
import { walletOf } from '../market/sale-input.ts'
import { LAZY_MINTING, PRODUCT_CARD } from '../market/sale-rules.ts'
import { advance } from './advance.ts'
import { orderInfoOf, orderOf } from './order-records.ts'
import { isTransactionHash } from './order-rules.ts'
import * as store from './orders-store.ts'
import { placeOrder } from './place-order.ts'
import { preOrderMint } from './pre-order-mint.ts'
import { reportPayment } from './report-payment.ts'

const NO_ORDER = 'There is no order with this number'

const NOT_PLACED = {
  not_open: LISTING_NOT_OPEN,
  out_of_stock: OUT_OF_STOCK,
  too_many_open: TOO_MANY_OPEN_ORDERS,
  coupon_invalid: COUPON_INVALID,
  coupon_used_up: COUPON_USED_UP,
  coupon_wallet_limit: COUPON_WALLET_LIMIT,
  coupon_minimum: COUPON_MINIMUM,
} as const

export const orderRoutes = implementWithLimits({ hash: HASH, searchKey: NAME })(orders, {
  async preOrder(input, context) {
    if (input.marketType === PRODUCT_CARD || input.marketType === LAZY_MINTING)
      return await preOrderMint(input, context)
    const { db, project, chains, orderSettings, refuse, invalid } = context
    for (const field of ['nftId', 'proof', 'limit'] as const)
      if (input[field] !== undefined) invalid(field, 'Only a phase of a presale takes it')
    const recipient = walletOf('recipient', input.recipient, invalid)
    const listing = await listings.find(db, project, input.listingId)
    if (listing === undefined) return refuse(NotFoundError, 'There is no listing with this id')
    if (listing.market_type !== input.marketType)
      invalid('marketType', `Expected the listing's own: ${listing.market_type}`)
    const { couponCode = '' } = input
    if (listing.coupon_id === null && couponCode !== '') invalid('couponCode', 'The listing takes no coupon')
    if (listing.seller === recipient) invalid('recipient', 'Expected another wallet than the seller')
    if (listing.reserved_for.length > 0 && !listing.reserved_for.includes(recipient)) refuse(LISTING_RESERVED)

    const block = await askChain(context, 'newestBlock', () => chains.newestBlock(listing.chain_id))
    const asked = { project, listing: listing.id, quantity: input.quantity, recipient, block, couponCode }
    const placed = await transaction(db, (trx) => placeOrder(trx, asked, orderSettings))
    return typeof placed === 'string' ? refuse(NOT_PLACED[placed]) : orderOf(placed)
  },

  async payOrder(input, { db, project, refuse, invalid }) {
    if (!isTransactionHash(input.hash)) invalid('hash', 'Expected 0x and 64 hexadecimal digits')
    const payment = { hash: input.hash.toLowerCase(), recipient: input.recipient.toLowerCase() }
    const reported = await transaction(db, (trx) => reportPayment(trx, project, input.orderNo, payment))
    switch (reported.answer) {
      case 'unknown':
        return refuse(NotFoundError, NO_ORDER)
      case 'recipient_mismatch':
        return refuse(ORDER_RECIPIENT_MISMATCH)
      case 'not_payable':
        return refuse(ORDER_NOT_PAYABLE)
      case 'expired':
        return refuse(ORDER_NOT_PAYABLE, 'The order has expired')
      case 'mined':
        return refuse(PAYMENT_MINED)
      case 'taken':
        return refuse(PAYMENT_HASH_TAKEN)
      case 'full':
        return refuse(TOO_MANY_PAYMENTS)
      case 'accepted':
        return orderInfoOf(reported.order)
    }
  },

  async cancel({ orderNo }, { db, project, refuse }) {
    return await transaction(db, async (trx) => {
      const order = await store.lock(trx, project, orderNo)
      if (order === undefined) return refuse(NotFoundError, NO_ORDER)
      // Again is the same answer.
      if (order.status === OrderStatus.CANCELLED) return orderOf(order)
      if (order.expired && order.status === OrderStatus.PRE)
        refuse(ORDER_NOT_CANCELLABLE, 'The order has expired')
      const done = await advance(trx, order, 'cancelled', { actor: 'caller' })
      if (done === undefined || 'blocked' in done) return refuse(ORDER_NOT_CANCELLABLE)
      await store.lookAgain(trx, order, undefined)
      return orderOf(done.order)
    })
  },

  async removeUnsuccessful({ recipient }, { db, project }) {
    return { count: await store.removeUnsuccessful(db, project, recipient.toLowerCase()) }
  },

  async get({ orderNo }, { db, project, refuse }) {
    const order = await store.find(db, project, orderNo)
    return order === undefined ? refuse(NotFoundError, NO_ORDER) : orderOf(order)
  },

  async list(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    const filter = { ...input, recipient: input.recipient?.toLowerCase() }
    if (filter.orderStatus !== undefined && !STATUSES.has(filter.orderStatus))
      invalid('orderStatus', 'Expected a number from 0 to 6')
    if (filter.marketType !== undefined && (filter.marketType < 1 || filter.marketType > 9))
      invalid('marketType', 'Expected a number from 1 to 9')
    return pageOf(query, await store.pageOfOrders(db, project, filter, query), orderOf)
  },

  async nftHistory(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    const nft = { nftAddress: input.nftAddress.toLowerCase(), nftId: input.nftId }
    return pageOf(query, await store.pageOfNft(db, project, nft, query), orderOf)
  },

  async soldList(input, { db, project, invalid }) {
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    return pageOf(query, await store.pageOfSold(db, project, input.sender.toLowerCase(), query), orderOf)
  },
})

const STATUSES: ReadonlySet<number> = new Set(Object.values(OrderStatus))
