import { Address, Amount, Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const channel = record({
  /** The channel's id in the facilitator. */
  id: Integer,
  /** The chain's id. */
  chainId: Integer,
  /** The channel's id in the contract, 32 bytes. */
  channelId: v.string(),
  /** The wallet that deposits, in lower case. */
  payer: v.string(),
  /** The address that receives what is claimed, in lower case. */
  receiver: v.string(),
  /** The token's address. */
  token: v.string(),
  /**
   * `open`; `withdrawing` if the payer has announced a withdrawal; `used` if everything was claimed; `empty`
   * if nothing is deposited; `unreadable` if the chain cannot be read.
   */
  status: v.picklist(['open', 'withdrawing', 'used', 'empty', 'unreadable']),
  /** What was deposited and not returned to the payer, in base units; absent if the chain cannot be read. */
  deposited: v.optional(Amount),
  /** What was claimed of it, in base units; absent if the chain cannot be read. */
  claimed: v.optional(Amount),
  /**
   * The largest total that the payer has signed, in base units, of the vouchers that the facilitator sent.
   * Sellers may have larger ones.
   */
  highestVoucher: Amount,
  /** What could be claimed by that voucher and was not, in base units; absent if the chain cannot be read. */
  unclaimed: v.optional(Amount),
  /**
   * What was claimed for the receiver in this token, in all channels, and not paid out, in base units; absent
   * if the chain cannot be read.
   */
  unpaid: v.optional(Amount),
  /** When the payer can withdraw; absent unless a withdrawal was announced. */
  withdrawTime: v.optional(Timestamp),
  /** Why the chain cannot be read; `''` if it can. */
  problem: v.string(),
  /** The id of the newest settlement of the channel: a deposit, a claim or a refund. */
  settlementId: Integer,
  /** When the first transaction of the channel was signed. */
  createTime: Timestamp,
  /** When the newest transaction of the channel was signed. */
  changeTime: Timestamp,
})
/** A payment channel, with what its chain shows now. */
export interface OperatorChannel extends v.InferOutput<typeof channel> {}
export const OperatorChannel: Schema<OperatorChannel> = channel

const channelList = record({
  /** The channels, newest first. */
  channels: v.array(OperatorChannel),
  /** The `before` of the next part of the list; absent at the end. */
  next: v.optional(Integer),
})
/** A part of the list of channels. */
export interface ChannelList extends v.InferOutput<typeof channelList> {}
export const ChannelList: Schema<ChannelList> = channelList

/**
 * Lists the payment channels for which the facilitator signed transactions, newest first, with what their
 * chains show now.
 *
 * @example
 * const { channels } = await operatorChannels.list(operator, { receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 */
export const list = facilitatorOperation({
  id: 'operatorChannels.list',
  method: 'GET',
  path: '/operator/v1/channels',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** The wallet that deposits. */
    payer: v.optional(Address),
    /** The address that receives. */
    receiver: v.optional(Address),
    /** Only channels that are older than the one with this id. */
    before: v.optional(Id),
    /** How many channels to return, 1 to 100. Default: 20. */
    size: v.optional(Integer),
  },
  data: ChannelList,
})
export type ListOperatorChannelsInput = InputOf<typeof list>
