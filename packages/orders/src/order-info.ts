import {
  Amount,
  Integer,
  type NftType,
  type PayTokenType,
  record,
  type Schema,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'

/** The values of `orderStatus`. The specification does not list them. */
export const OrderStatus = {
  PRE: 0,
  IN_PROGRESS: 1,
  SUCCESS: 2,
  FAILED: 3,
  CANCELLED: 4,
  EXPIRED: 5,
  UNRESOLVED: 6,
} as const
/** The status of an order. */
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus]

/** The values of `marketType`: how a token is sold. */
export const MarketType = {
  COMMON: 1,
  COUPON: 2,
  LIMITED_TIME_COUPON: 3,
  COUPON_CODE: 4,
  SPECIFIED: 5,
  AUCTION: 6,
  OFFER: 7,
  PRODUCT_CARD: 8,
  LAZY_MINTING: 9,
} as const
/** How a token is sold. */
export type MarketType = (typeof MarketType)[keyof typeof MarketType]

/**
 * The delivery of a paid order: `pending` until the chain confirms the mint or the transfer; `''` for an
 * unpaid order.
 */
export type OrderDelivery = '' | 'pending' | 'done'

/**
 * Why an order is FAILED or UNRESOLVED, or was cancelled by a transfer of the token (`not_owned`); `''`
 * otherwise.
 */
export type OrderReason =
  | ''
  | 'mined_before_order'
  | 'no_stock'
  | 'not_a_plain_transfer'
  | 'not_enough'
  | 'not_mined'
  | 'not_owned'
  | 'not_seen'
  | 'other_payer'
  | 'payment_used'
  | 'reorganized'
  | 'reverted'
  | 'unrelated'

// A newer server may return further values, and an operator can write a reason, so the types of the record
// are open. Their schemas are part of the record, because shared ones would add to programs with an order.
const orderInfoFields = {
  /** The chain as a decimal text, such as `84532`. */
  chainId: v.string(),
  /** The coupon's code; `''` if the order has no coupon. */
  couponCode: v.string(),
  /** Reserved. Always empty. */
  couponLink: v.string(),
  /** Reserved. Always empty. */
  couponNftId: v.string(),
  /**
   * The coupon's type: 1 percent (basis points), 2 amount off, 3 fixed price; 0 if the order has no coupon.
   */
  couponType: v.number(),
  /** When the order was placed. */
  createTime: Timestamp,
  /** The creation time in milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Whether the order was removed. */
  deleted: v.boolean(),
  /** Reserved. Always empty. */
  description: v.string(),
  /** Reserved. Always empty. */
  fileType: v.string(),
  /** Reserved. Always 0. */
  grade: v.number(),
  /** The hash of the payment's transaction; `''` until one is known. */
  hash: v.string(),
  /** The order's id. Operations identify an order by `orderNo`. */
  id: Integer,
  /** Reserved. Always empty. */
  marketAddress: v.string(),
  /**
   * 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified, 6 auction, 7 offer, 8 product
   * card, 9 lazy minting.
   */
  marketType: v.number() as Schema<MarketType | (number & {})>,
  /** The same as `nftName`. */
  name: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The token's id in its contract. */
  nftId: v.string(),
  /** URL of the token's image; `''` if not set. */
  nftImg: v.string(),
  /** The token's name. */
  nftName: v.string(),
  /** `ERC721` or `ERC1155`. */
  nftType: v.string() as Schema<NftType | (string & {})>,
  /** The UTC date of the order, such as 20260115. */
  oday: v.number(),
  /** The year and month of the order, such as 202601. */
  omonth: v.number(),
  /** The year and quarter of the order, such as 20261. */
  oseason: v.number(),
  /** The year and ISO week of the order, such as 202603. */
  oweek: v.number(),
  /** The year of the order, such as 2026. */
  oyear: v.number(),
  /** The order's number, which identifies the order in calls. */
  orderNo: v.string(),
  /** The price before the coupon, in whole tokens. */
  orderPrice: v.number(),
  /** See `OrderStatus`. `findOrderStatusName` returns the name. */
  orderStatus: v.number() as Schema<OrderStatus | (number & {})>,
  /** Reserved. Always 0. */
  orderType: v.number(),
  /** Reserved. Always empty. */
  orderTypes: v.array(v.number()),
  /** The amount to pay, in whole tokens. */
  payPrice: v.number(),
  /** The pay token's address; `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** `NATIVE` or `ERC20`. */
  payTokenType: v.string() as Schema<PayTokenType | (string & {})>,
  /** The project that the order belongs to. */
  projectId: Integer,
  /** The number of units. */
  quantity: v.number(),
  /** The buyer's address. */
  recipient: v.string(),
  /** Reserved. Always empty. */
  recipientGrade: v.string(),
  /** Reserved. Always false. */
  recipientIsNftImage: v.boolean(),
  /** Reserved. Always empty. */
  recipientName: v.string(),
  /** Reserved. Always empty. */
  recipientPhoto: v.string(),
  /** Reserved. Always empty. */
  rewardAmount: v.string(),
  /** Reserved. Always empty. */
  rewardTokenAddress: v.string(),
  /** Reserved. Always empty. */
  rewardTokenType: v.string(),
  /** The text that `list` searches: the NFT's name in lower case. */
  searchKey: v.string(),
  /** The seller's address. */
  sender: v.string(),
  /** Reserved. Always empty. */
  senderGrade: v.string(),
  /** Reserved. Always false. */
  senderIsNftImage: v.boolean(),
  /** Reserved. Always empty. */
  senderName: v.string(),
  /** Reserved. Always empty. */
  senderPhoto: v.string(),
  /** The first twelve characters of `orderNo`. */
  serialNo: v.string(),
  /** The hash of the confirmed payment's transaction; `''` until it is confirmed. */
  txId: v.string(),
  /** When the order was last changed. */
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
  /**
   * The amount that `recipient` must pay to `sender`, in base units of the pay token: in one transaction, unless
   * the order allows partial payments.
   */
  payAmount: Amount,
  /**
   * The decimals of the pay token: `payPrice` is `payAmount` divided by 10 to the power of
   * `payTokenDecimals`.
   */
  payTokenDecimals: Integer,
  /** The time until which the payment can be reported. */
  expireTime: Timestamp,
  /** The id of the listing; 0 if the order has none. */
  listingId: Integer,
  /** The id of the presale's phase; 0 if the order has none. */
  phaseId: Integer,
  /** The chain's newest block when the order was placed. The payment must be in a later block. */
  blockNumber: Integer,
  /**
   * Your own reference. Omitted if it is not set, or if a key with another wallet set it. Events do not
   * contain it.
   */
  reference: v.optional(v.string()),
  /** Whether several payments may pay the price together until `expireTime`. */
  partialPayments: v.boolean(),
  /**
   * What the final payments of the buyer have paid so far, in base units of the pay token: `payAmount` less
   * this is still to be paid.
   */
  paidAmount: Amount,
  /** The block that contains the payment; 0 until it is mined. */
  paidBlock: Integer,
  /**
   * For an order with the status SUCCESS: `done`, or `pending` until the chain confirms the mint, or the
   * transfer of an indexed contract's token; `''` otherwise.
   */
  delivery: v.string() as Schema<OrderDelivery | (string & {})>,
  /**
   * Whether the seller owes a refund, because the order was paid more than once, too much, when nothing was
   * left, or in part and then declined.
   */
  refundDue: v.boolean(),
  /**
   * Why the order is FAILED or UNRESOLVED, such as `not_enough`; `not_owned` if it was cancelled because the
   * seller no longer owns the token; `''` otherwise. See `docs/orders.md`.
   */
  reason: v.string() as Schema<OrderReason | (string & {})>,
})
/** An order with its exact amounts and the state of its payment. */
export interface Order extends v.InferOutput<typeof order> {}
export const Order: Schema<Order> = order
