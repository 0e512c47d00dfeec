import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

const orderInfoFields = {
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The coupon's code; `''` for none. */
  couponCode: v.string(),
  /** `''`: nothing gives it a value yet. */
  couponLink: v.string(),
  /** `''`: nothing gives it a value yet. */
  couponNftId: v.string(),
  /** 1 percent (basis points), 2 amount off, 3 fixed price; 0 none. */
  couponType: v.number(),
  /** When it was placed. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Whether it was removed. */
  deleted: v.boolean(),
  /** `''`: nothing gives it a value yet. */
  description: v.string(),
  /** `''`: nothing gives it a value yet. */
  fileType: v.string(),
  /** 0: nothing gives it a value yet. */
  grade: v.number(),
  /** The transaction that paid; `''` before one is known. */
  hash: v.string(),
  /** The order's id; calls name it by `orderNo`. */
  id: Integer,
  /** `''`: nothing gives it a value yet. */
  marketAddress: v.string(),
  /** 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified, 6 auction, 7 offer, 8 product card, 9 lazy minting. */
  marketType: v.number(),
  /** What is bought: as `nftName`. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** URL of the token's picture; `''` for none. */
  nftImg: v.string(),
  /** The token's name. */
  nftName: v.string(),
  /** `ERC721` or `ERC1155`. */
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
  /** The order's number, which calls name it by. */
  orderNo: v.string(),
  /** The price before the coupon, in whole tokens. */
  orderPrice: v.number(),
  /** See `OrderStatus`. */
  orderStatus: v.number(),
  /** 0: nothing gives it a value yet. */
  orderType: v.number(),
  /** `[]`: nothing gives it a value yet. */
  orderTypes: v.array(v.number()),
  /** What is to be paid, in whole tokens. */
  payPrice: v.number(),
  /** The token to pay with; `''` for the chain's native one. */
  payTokenAddress: v.string(),
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** How many are bought. */
  quantity: v.number(),
  /** The buyer's address. */
  recipient: v.string(),
  /** `''`: nothing gives it a value yet. */
  recipientGrade: v.string(),
  /** Whether the buyer's photo is of an NFT; false: nothing says so yet. */
  recipientIsNftImage: v.boolean(),
  /** `''`: nothing gives it a value yet. */
  recipientName: v.string(),
  /** `''`: nothing gives it a value yet. */
  recipientPhoto: v.string(),
  /** `''`: nothing gives it a value yet. */
  rewardAmount: v.string(),
  /** `''`: nothing gives it a value yet. */
  rewardTokenAddress: v.string(),
  /** `''`: nothing gives it a value yet. */
  rewardTokenType: v.string(),
  /** What lists find it by: the NFT's name in lower case. */
  searchKey: v.string(),
  /** The seller's address. */
  sender: v.string(),
  /** `''`: nothing gives it a value yet. */
  senderGrade: v.string(),
  /** Whether the seller's photo is of an NFT; false: nothing says so yet. */
  senderIsNftImage: v.boolean(),
  /** `''`: nothing gives it a value yet. */
  senderName: v.string(),
  /** `''`: nothing gives it a value yet. */
  senderPhoto: v.string(),
  /** The first twelve characters of `orderNo`. */
  serialNo: v.string(),
  /** The payment's id on the chain, once it is confirmed. */
  txId: v.string(),
  /** When it was last changed. */
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
  /** The listing it was made of, or the phase of a presale; 0 for none. */
  listingId: Integer,
  /** The chain's newest block when it was made: its payment must be in a later one. */
  blockNumber: Integer,
  /** The block that holds its payment; 0 before one does. */
  paidBlock: Integer,
  /** Of a SUCCESS: `done`, or `pending` until the chain shows the mint, or the transfer of an indexed contract; `''` otherwise. */
  delivery: v.string(),
  /** It was paid more than once, or when nothing was left: the seller owes a refund. */
  refundDue: v.boolean(),
  /** Why it is FAILED or UNRESOLVED, such as `not_enough`, or was cancelled by nobody: `not_owned`; `''` otherwise. See `docs/orders.md`. */
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
