import { type ChannelVoucher, channelVouchers } from '@mintmark/facilitator'
import { asHex } from '../../chains/evm/reads/transfer.ts'
import { toStruct } from '../../schemes/evm/batch-settlement/channel-contracts.ts'
import type { ChannelState } from '../../schemes/evm/batch-settlement/channel-terms.ts'
import { readStates } from '../../schemes/evm/batch-settlement/channels.ts'
import { listVouchers, type StoredVoucher } from '../../schemes/evm/batch-settlement/voucher-store.ts'
import type { SettleContext } from '../../schemes/scheme.ts'
import { implement, requireAccount } from '../context/context.ts'
import { toListPart } from '../context/list-part.ts'

/** The vouchers of a list if a call names no number. */
const DEFAULT_LIST_SIZE = 20

/** Creates the routes of the vouchers that the facilitator stores for sellers. */
export const channelVoucherRoutes = (settleContext: SettleContext) =>
  implement(channelVouchers, {
    async list({ payer, receiver, before, size = DEFAULT_LIST_SIZE }, context) {
      const { id } = requireAccount(context)
      const found = await listVouchers(context.db, id, { payer, receiver }, { before, size: size + 1 })
      const { listed, more } = toListPart(found, size)
      const states = await readStates(settleContext, listed)
      return {
        vouchers: listed.map((voucher) => toChannelVoucher(voucher, states.get(voucher))),
        ...more,
      }
    },
  })

function toChannelVoucher(voucher: StoredVoucher, state: ChannelState | undefined): ChannelVoucher {
  const { id, chainId, channelId, config, maximum, signature, createdAt, changedAt } = voucher
  return {
    id,
    network: `eip155:${chainId}`,
    channelId: asHex(channelId),
    channelConfig: toStruct(config),
    maxClaimableAmount: maximum,
    signature: asHex(signature),
    ...(state && { channelState: toChannelState(state) }),
    createTime: createdAt.toISOString(),
    changeTime: changedAt.toISOString(),
  }
}

const toChannelState = ({ balance, totalClaimed, withdrawal, refundNonce }: ChannelState) => ({
  balance: balance.toString(),
  totalClaimed: totalClaimed.toString(),
  withdrawRequestedAt: Number(withdrawal.requestedAt),
  refundNonce: refundNonce.toString(),
})
