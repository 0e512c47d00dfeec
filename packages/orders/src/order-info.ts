import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

const orderInfoFields = {
  chainId: v.string(),
  couponCode: v.string(),
  couponLink: v.string(),
  couponNftId: v.string(),
  /** 1 percent (basis points), 2 amount off, 3 fixed price; 0 none. */
  couponType: v.number(),
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  deleted: v.boolean(),
  description: v.string(),
  fileType: v.string(),
  grade: v.number(),
  /** The transaction that paid; `''` before one is known. */
  hash: v.string(),
  id: Integer,
  marketAddress: v.string(),
  /** 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified, 6 auction, 7 offer, 8 product card, 9 lazy minting. */
  marketType: v.number(),
  name: v.string(),
  nftAddress: v.string(),
  nftId: v.string(),
  nftImg: v.string(),
  nftName: v.string(),
  nftType: v.string(),
  /** The day it was made, UTC, such as 20260115. */
  oday: v.number(),
  /** Such as 202601. */
  omonth: v.number(),
  /** Year and quarter, such as 20261. */
  oseason: v.number(),
  /** Year and ISO week, such as 202603. */
  oweek: v.number(),
  /** Such as 2026. */
  oyear: v.number(),
  orderNo: v.string(),
  /** The price before the coupon, in whole tokens. */
  orderPrice: v.number(),
  /** See `OrderStatus`. */
  orderStatus: v.number(),
  orderType: v.number(),
  orderTypes: v.array(v.number()),
  /** What is to be paid, in whole tokens. */
  payPrice: v.number(),
  /** The token to pay with; `''` for the chain's native one. */
  payTokenAddress: v.string(),
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  projectId: Integer,
  quantity: v.number(),
  /** The buyer's address. */
  recipient: v.string(),
  recipientGrade: v.string(),
  recipientIsNftImage: v.boolean(),
  recipientName: v.string(),
  recipientPhoto: v.string(),
  rewardAmount: v.string(),
  rewardTokenAddress: v.string(),
  rewardTokenType: v.string(),
  /** What lists find it by: the NFT's name in lower case. */
  searchKey: v.string(),
  /** The seller's address. */
  sender: v.string(),
  senderGrade: v.string(),
  senderIsNftImage: v.boolean(),
  senderName: v.string(),
  senderPhoto: v.string(),
  serialNo: v.string(),
  /** The payment's id on the chain, once it is confirmed. */
  txId: v.string(),
  updateTime: Timestamp,
}

const orderInfo = record(orderInfoFields)
/** An order (specification, "Order info"). Addresses are in lower case. */
export interface OrderInfo extends v.InferOutput<typeof orderInfo> {}
export const OrderInfo: Schema<OrderInfo> = orderInfo

const order = record({
  ...orderInfoFields,
  /** The price before the coupon, in base units of the pay token. */
  orderAmount: Amount,
  /** What must be paid by `recipient` to `sender` in one transaction, in base units of the pay token. */
  payAmount: Amount,
  /** The decimals of the pay token: `payPrice` is `payAmount` divided by ten to the power of this. */
  payTokenDecimals: Integer,
  /** Until when its payment can be reported. */
  expireTime: Timestamp,
  /** The listing it was made of; 0 for none. */
  listingId: Integer,
  /** The chain's newest block when it was made: its payment must be in a later one. */
  blockNumber: Integer,
  /** The block that holds its payment; 0 before one does. */
  paidBlock: Integer,
  /** Of a SUCCESS: `done`, or `pending` until the chain shows the transfer of an indexed contract; `''` otherwise. */
  delivery: v.string(),
  /** It was paid more than once: the seller owes a refund. */
  refundDue: v.boolean(),
  /** Why it is FAILED or UNRESOLVED, such as `not_enough`; `''` otherwise. See `docs/orders.md`. */
  reason: v.string(),
})
/** An order with its exact amounts and what is known of its payment. */
export interface Order extends v.InferOutput<typeof order> {}
export const Order: Schema<Order> = order

/** What `orderStatus` means; the specification shows no values. */
export const OrderStatus = {
  PRE: 0,
  IN_PROGRESS: 1,
  SUCCESS: 2,
  FAILED: 3,
  CANCELLED: 4,
  EXPIRED: 5,
  UNRESOLVED: 6,
} as const
