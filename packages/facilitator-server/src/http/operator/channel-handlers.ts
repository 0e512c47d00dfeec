import { type OperatorChannel, operatorChannels } from '@mintmark/facilitator/operator'
import { type KnownChannel, listChannels } from '../../schemes/evm/batch-settlement/channel-store.ts'
import type { ChannelState } from '../../schemes/evm/batch-settlement/channel-terms.ts'
import { type ObservedChannel, readChannels } from '../../schemes/evm/batch-settlement/read-channels.ts'
import { toListPart } from '../context/list-part.ts'
import { DEFAULT_LIST_SIZE, implement } from './operator-context.ts'

/** The operations of payment channels. */
export const operatorChannelRoutes = implement(operatorChannels, {
  async list({ payer, receiver, before, size = DEFAULT_LIST_SIZE }, { port }) {
    const found = await listChannels(port.db, { payer, receiver }, { before, size: size + 1 })
    const { listed, more } = toListPart(found, size)
    const observed = await readChannels(port.payments.chains, listed)
    return {
      channels: listed.map((channel) => toOperatorChannel(channel, observed.get(channel.id))),
      ...more,
    }
  },
})

function toOperatorChannel(channel: KnownChannel, observed: ObservedChannel | undefined): OperatorChannel {
  const { withdrawDelay, createdAt, changedAt, ...known } = channel
  const times = { createTime: createdAt.toISOString(), changeTime: changedAt.toISOString() }
  if (observed?.state === undefined)
    return { ...known, ...times, status: 'unreadable', problem: observed?.problem ?? '' }
  const { balance, totalClaimed, withdrawal } = observed.state
  const isAnnounced = withdrawal.requestedAt > 0n
  const withdrawSeconds = Number(withdrawal.requestedAt) + withdrawDelay
  return {
    ...known,
    ...times,
    status: getStatus(observed.state),
    deposited: String(balance),
    claimed: String(totalClaimed),
    unclaimed: String(getUnclaimed(observed.state, BigInt(known.highestVoucher))),
    unpaid: String(observed.unpaid),
    ...(isAnnounced && { withdrawTime: new Date(withdrawSeconds * 1000).toISOString() }),
    problem: '',
  }
}

function getStatus({ balance, totalClaimed, withdrawal }: ChannelState): OperatorChannel['status'] {
  if (balance === 0n) return 'empty'
  if (totalClaimed >= balance) return 'used'
  return withdrawal.requestedAt > 0n ? 'withdrawing' : 'open'
}

/**
 * Returns what a voucher allows beyond what was claimed. A voucher may exceed what is left after a
 * withdrawal.
 */
function getUnclaimed({ balance, totalClaimed }: ChannelState, voucher: bigint): bigint {
  const limit = voucher < balance ? voucher : balance
  return limit > totalClaimed ? limit - totalClaimed : 0n
}
