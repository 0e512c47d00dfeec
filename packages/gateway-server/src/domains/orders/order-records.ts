import { Order, OrderInfo, OrderStatus } from '@mintmark/orders'
import { type Reader, toReference } from '../../database/references.ts'
import { toRecord } from '../../http/record-mapping.ts'
import type { OrderRow } from './orders-store.ts'
import { calendarOf, wholeTokens } from './state/order-rules.ts'

/** The fields of the specified record that have no value: '', 0, false or []. */
const WITHOUT_VALUE = {
  couponLink: '',
  couponNftId: '',
  grade: 0,
  orderTypes: [],
  recipientGrade: '',
  recipientIsNftImage: false,
  rewardAmount: '',
  rewardTokenAddress: '',
  rewardTokenType: '',
  senderGrade: '',
  senderIsNftImage: false,
}

/** Returns the fields of an order's records that no column has. */
function toOrderFields(row: OrderRow) {
  return {
    ...WITHOUT_VALUE,
    ...calendarOf(row.created_at),
    orderPrice: wholeTokens(row.order_amount, row.pay_token_decimals),
    orderStatus: currentStatus(row),
    payPrice: wholeTokens(row.pay_amount, row.pay_token_decimals),
  }
}

/** Converts an order to the specified record. */
export function orderInfoOf(row: OrderRow): OrderInfo {
  return toRecord(OrderInfo, row, toOrderFields(row))
}

/** The status as of now: an overdue order counts as EXPIRED before the job has written that. */
function currentStatus({ status, expired }: OrderRow): number {
  return status === OrderStatus.PRE && expired ? OrderStatus.EXPIRED : status
}

/** Converts an order to its record, with the fields that the specified record lacks. */
export function orderOf(row: OrderRow, reader: Reader): Order {
  return toRecord(Order, row, {
    ...toOrderFields(row),
    reference: toReference(row, reader),
    expireTime: row.expires_at.toISOString(),
    listingId: row.listing_id ?? 0,
    phaseId: row.phase_id ?? 0,
    blockNumber: row.placed_at_block,
  })
}
