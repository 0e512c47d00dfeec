import { Address, Amount, Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

/** Text of `0x` and hexadecimal digits. x402's packages and viem have this type for addresses and signatures. */
const Hex = v.string() as unknown as Schema<`0x${string}`>

const channelConfig = record({
  /** The wallet that deposits, in lower case. */
  payer: Hex,
  /** The address of the key that signs vouchers, in lower case. */
  payerAuthorizer: Hex,
  /** The address that receives what is claimed, in lower case. */
  receiver: Hex,
  /** The address of the seller's key that signs claims, in lower case. */
  receiverAuthorizer: Hex,
  /** The token's address, in lower case. */
  token: Hex,
  /** Seconds between the announcement of a withdrawal and its execution. */
  withdrawDelay: Integer,
  /** Distinguishes the channels of one payer and receiver, 32 bytes. */
  salt: Hex,
})
/** What identifies a payment channel: `ChannelConfig` of x402. */
export interface ChannelConfig extends v.InferOutput<typeof channelConfig> {}
export const ChannelConfig: Schema<ChannelConfig> = channelConfig

const channelState = record({
  /** What was deposited and not returned to the payer, in base units of the token. */
  balance: Amount,
  /** What was claimed of it, in base units of the token. */
  totalClaimed: Amount,
  /** When the payer announced a withdrawal, in Unix seconds; 0 if it did not. */
  withdrawRequestedAt: Integer,
  /** The nonce of the next refund. */
  refundNonce: Amount,
})
/** What a payment channel's chain shows: the state that stock x402 sellers read. */
export interface ChannelState extends v.InferOutput<typeof channelState> {}
export const ChannelState: Schema<ChannelState> = channelState

const channelVoucher = record({
  /** The voucher's id in the facilitator. Ids have the order in which the account first used the channels. */
  id: Integer,
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The channel's id in the contract, 32 bytes. */
  channelId: Hex,
  /** The channel's configuration, as a claim contains it. */
  channelConfig: ChannelConfig,
  /** The total that the payer has signed, in base units of the token. */
  maxClaimableAmount: Amount,
  /** The signature of the channel's `payerAuthorizer`, 65 bytes. */
  signature: Hex,
  /** What the chain shows now; absent if it cannot be read. */
  channelState: v.optional(ChannelState),
  /** When the account first presented a voucher of the channel. */
  createTime: Timestamp,
  /** When the account first presented this voucher. */
  changeTime: Timestamp,
})
/** The highest voucher of a payment channel, with what a claim of it requires. */
export interface ChannelVoucher extends v.InferOutput<typeof channelVoucher> {}
export const ChannelVoucher: Schema<ChannelVoucher> = channelVoucher

const channelVoucherList = record({
  /** The vouchers, that of the newest channel first. */
  vouchers: v.array(ChannelVoucher),
  /** The `before` of the next part of the list; absent at the end. */
  next: v.optional(Integer),
})
/** A part of the list of vouchers. */
export interface ChannelVoucherList extends v.InferOutput<typeof channelVoucherList> {}
export const ChannelVoucherList: Schema<ChannelVoucherList> = channelVoucherList

/**
 * Lists the highest voucher of each payment channel that the account's keys had verified, the newest channel
 * first. A seller that lost its own vouchers claims these, signed by its authorizer.
 *
 * A claim of several channels is refused if one of them cannot be claimed. `maxClaimableAmount` or
 * `channelState.balance` is the most that can be claimed, whichever is lower, and nothing is left if that is
 * not above `channelState.totalClaimed`.
 *
 * @example
 * const { vouchers, next } = await channelVouchers.list(facilitator, { receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * for (const { channelId, maxClaimableAmount } of vouchers) console.log(channelId, maxClaimableAmount)
 * if (next !== undefined) await channelVouchers.list(facilitator, { before: next })
 */
export const list = facilitatorOperation({
  id: 'channelVouchers.list',
  method: 'GET',
  path: '/channel-vouchers',
  source: 'own',
  scope: 'vouchers:read',
  query: {
    /** The wallet that deposits. */
    payer: v.optional(Address),
    /** The address that receives. */
    receiver: v.optional(Address),
    /** Only channels that are older than the one with this id. */
    before: v.optional(Id),
    /** How many vouchers to return, 1 to 100. Default: 20. */
    size: v.optional(Integer),
  },
  data: ChannelVoucherList,
})
export type ListChannelVouchersInput = InputOf<typeof list>
