import { OrderStatus, orders } from '@mintmark/orders'
import { parseTimeRange, readPageQuery, toPage, withPreparation } from '@mintmark/server-kit'
import { toReferenceFilter } from '../../database/references.ts'
import { implementWithLimits } from '../../http/context.ts'
import { HASH, SEARCH } from '../../http/field-limits.ts'
import { findOrder } from './find-order.ts'
import type { OrderPorts } from './order-ports.ts'
import { orderInfoOf, orderOf } from './order-records.ts'
import { readRefunds } from './order-refunds.ts'
import * as store from './orders-store.ts'
import { prepareListingOrder } from './placement/pre-order-listing.ts'
import { prepareMintOrder } from './placement/pre-order-mint.ts'
import { cancelOrder } from './state/cancel-order.ts'
import { declineOrder } from './state/decline-order.ts'
import { isTransactionHash } from './state/order-rules.ts'
import { proveRefund, recordRefund } from './state/record-refund.ts'
import { reportPayment } from './state/report-payment.ts'

export const orderRoutes = implementWithLimits<OrderPorts>({ hash: HASH, searchKey: SEARCH })(orders, {
  preOrder: withPreparation(
    (input, context) =>
      input.listingId === undefined ? prepareMintOrder(input, context) : prepareListingOrder(input, context),
    (_, context, place) => place(context),
  ),

  async payOrder(input, { tenant, findInventory, invalid }) {
    if (!isTransactionHash(input.hash)) invalid('hash', 'Expected 0x and 64 hexadecimal digits')
    const payment = { hash: input.hash.toLowerCase(), recipient: input.recipient.toLowerCase() }
    const report = await tenant.transaction((trx) =>
      reportPayment(trx, findInventory, input.orderNo, payment),
    )
    if (report.kind === 'accepted') return orderInfoOf(report.order)
    throw report.error
  },

  async cancel({ orderNo }, context) {
    const { tenant, findInventory } = context
    return orderOf(await tenant.transaction((trx) => cancelOrder(trx, findInventory, orderNo)), context)
  },

  async decline({ orderNo }, context) {
    const { tenant, findInventory } = context
    return orderOf(await tenant.transaction((trx) => declineOrder(trx, findInventory, orderNo)), context)
  },

  async getRefunds({ orderNo }, { tenant }) {
    return await readRefunds(tenant, await findOrder(tenant, orderNo))
  },

  recordRefund: withPreparation(proveRefund, async ({ orderNo }, { tenant }, refund) => {
    return await tenant.transaction(async (trx) => readRefunds(trx, await recordRefund(trx, orderNo, refund)))
  }),

  async removeUnsuccessful({ recipient }, { tenant }) {
    return { count: await store.removeUnsuccessful(tenant, recipient.toLowerCase()) }
  },

  async get({ orderNo }, context) {
    return orderOf(await findOrder(context.tenant, orderNo), context)
  },

  async list(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    const { orderStatus, marketType, refundDue, searchKey, reference } = input
    const recipient = input.recipient?.toLowerCase()
    const filter = {
      recipient,
      orderStatus,
      marketType,
      refundDue,
      searchKey,
      references: toReferenceFilter(reference, context),
      ...parseTimeRange(input),
    }
    if (orderStatus !== undefined && !STATUSES.has(orderStatus))
      invalid('orderStatus', 'Expected a number from 0 to 6')
    if (marketType !== undefined && (marketType < 1 || marketType > 9))
      invalid('marketType', 'Expected a number from 1 to 9')
    return toPage(query, await store.pageOfOrders(tenant, filter, query), (row) => orderOf(row, context))
  },

  async nftHistory(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    const nft = {
      nftAddress: input.nftAddress.toLowerCase(),
      nftId: input.nftId,
      ...parseTimeRange(input),
    }
    return toPage(query, await store.pageOfNft(tenant, nft, query), (row) => orderOf(row, context))
  },

  async soldList(input, context) {
    const { tenant, invalid } = context
    const query = readPageQuery(input, store.ORDER_ORDERS, invalid)
    const filter = { sender: input.sender.toLowerCase(), ...parseTimeRange(input) }
    return toPage(query, await store.pageOfSold(tenant, filter, query), (row) => orderOf(row, context))
  },
})

const STATUSES: ReadonlySet<number> = new Set(Object.values(OrderStatus))
