import { type Order, type OrderInfo, OrderStatus } from '@mintmark/orders'
import { type Reader, toReference } from '../../database/references.ts'
import type { AllFields } from '../../http/record-mapping.ts'
import type { OrderRow } from './orders-store.ts'
import { calendarOf, wholeTokens } from './state/order-rules.ts'

/** Converts an order to the specified record. A field without a value is '', 0, false or []. */
export function orderInfoOf(row: OrderRow): OrderInfo {
  return {
    chainId: row.chain_id,
    couponCode: row.coupon_code,
    couponLink: '',
    couponNftId: '',
    couponType: row.coupon_type,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    deleted: row.deleted,
    description: row.description,
    fileType: row.file_type,
    grade: 0,
    hash: row.hash,
    id: row.id,
    marketAddress: row.market_address,
    marketType: row.market_type,
    name: row.name,
    nftAddress: row.nft_address,
    nftId: row.nft_id,
    nftImg: row.nft_img,
    nftName: row.nft_name,
    nftType: row.nft_type,
    ...calendarOf(row.created_at),
    orderNo: row.order_no,
    orderPrice: wholeTokens(row.order_amount, row.pay_token_decimals),
    orderStatus: currentStatus(row),
    orderType: row.order_type,
    orderTypes: [],
    payPrice: wholeTokens(row.pay_amount, row.pay_token_decimals),
    payTokenAddress: row.pay_token_address,
    payTokenType: row.pay_token_type,
    projectId: row.project_id,
    quantity: row.quantity,
    recipient: row.recipient,
    recipientGrade: '',
    recipientIsNftImage: false,
    recipientName: row.recipient_name,
    recipientPhoto: row.recipient_photo,
    rewardAmount: '',
    rewardTokenAddress: '',
    rewardTokenType: '',
    searchKey: row.search_key,
    sender: row.sender,
    senderGrade: '',
    senderIsNftImage: false,
    senderName: row.sender_name,
    senderPhoto: row.sender_photo,
    serialNo: row.serial_no,
    txId: row.tx_id,
    updateTime: row.updated_at.toISOString(),
  }
}

/** The status as of now: an overdue order counts as EXPIRED before the job has written that. */
function currentStatus({ status, expired }: OrderRow): number {
  return status === OrderStatus.PRE && expired ? OrderStatus.EXPIRED : status
}

/** Converts an order to its record, with the fields that the specified record lacks. */
export function orderOf(row: OrderRow, reader: Reader): AllFields<Order> {
  return {
    ...orderInfoOf(row),
    reference: toReference(row, reader),
    orderAmount: row.order_amount,
    payAmount: row.pay_amount,
    payTokenDecimals: row.pay_token_decimals,
    expireTime: row.expires_at.toISOString(),
    listingId: row.listing_id ?? 0,
    phaseId: row.phase_id ?? 0,
    blockNumber: row.placed_at_block,
    partialPayments: row.partial_payments,
    paidAmount: row.paid_amount,
    paidBlock: row.paid_block,
    delivery: row.delivery,
    refundDue: row.refund_due,
    reason: row.reason,
  }
}
