import { Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

const orderInfo = record({
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
})
/** An order (specification, "Order info"). Addresses are in lower case. */
export interface OrderInfo extends v.InferOutput<typeof orderInfo> {}
export const OrderInfo: Schema<OrderInfo> = orderInfo

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
