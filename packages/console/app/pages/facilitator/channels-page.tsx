import { operatorChannels } from '@mintmark/facilitator/operator'
import { defineResource } from '../../components/resource.tsx'
import { channelColumns } from './channel-columns.tsx'
import { readWallet } from './settlement-search.ts'

/** The payment channels of the facilitator, with what their chains show now. */
export const ChannelsPage = defineResource(operatorChannels.list, {
  title: 'Channels',
  description:
    'Payment channels for which this facilitator signed transactions, newest first. The amounts are what the chains show now. A seller may have a higher voucher than the one here.',
  filters: {
    q: {
      label: 'Search by wallet',
      // Nothing else than a wallet can be searched for.
      toInput: (text, { role }) => {
        const wallet = readWallet(text)
        if (wallet === undefined) return undefined
        return role === 'receiver' ? { receiver: wallet } : { payer: wallet }
      },
    },
    role: { label: 'The wallet is', options: { payer: 'The payer', receiver: 'The receiver' } },
  },
  rows: 'channels',
  hasParts: true,
  columns: channelColumns,
  getKey: ({ id }) => id,
  staleTime: 0,
  empty: {
    icon: 'wallet',
    title: 'No channels',
    advice: 'A channel appears when a payer deposits by the scheme batch-settlement.',
  },
})
