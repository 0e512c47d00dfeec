import { type OperatorChannel, operatorChannels } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../components/badge.tsx'
import { alignEnd, type Columns } from '../../components/data-table.tsx'
import { defineResource } from '../../components/resource.tsx'
import { Time } from '../../components/time.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { PaymentAmount } from './payment-amount.tsx'
import { readWallet } from './settlement-search.ts'

const states = {
  open: ['Open', 'success'],
  withdrawing: ['Withdrawal announced', 'warning'],
  used: ['Used up', 'neutral'],
  empty: ['Empty', 'neutral'],
  unreadable: ['Cannot be read', 'danger'],
} as const

const amount = ({ chainId, token }: OperatorChannel, baseUnits: string | undefined): ReactNode =>
  baseUnits === undefined ? (
    componentTexts.none
  ) : (
    <PaymentAmount settlement={{ network: `eip155:${chainId}`, asset: token, amount: baseUnits }} />
  )

/** The columns of the list of channels. */
const channelColumns: Columns<OperatorChannel> = {
  payer: 'Payer',
  receiver: 'Receiver',
  status: { label: 'State', cell: (channel) => <ChannelStatus channel={channel} /> },
  deposited: { label: 'Deposited', align: 'end', cell: (channel) => amount(channel, channel.deposited) },
  claimed: { label: 'Claimed', align: 'end', cell: (channel) => amount(channel, channel.claimed) },
  highestVoucher: alignEnd('Voucher', (channel) => amount(channel, channel.highestVoucher)),
  unclaimed: { label: 'To claim', align: 'end', cell: (channel) => amount(channel, channel.unclaimed) },
  unpaid: { label: 'To pay out', align: 'end', cell: (channel) => amount(channel, channel.unpaid) },
  settlementId: {
    label: 'Last change',
    cell: ({ settlementId, changeTime }) => (
      <ProjectLink to={`facilitator/settlements/${settlementId}`}>
        <Time value={changeTime} />
      </ProjectLink>
    ),
  },
}

function ChannelStatus({
  channel: { status, problem, withdrawTime },
}: {
  readonly channel: OperatorChannel
}): ReactNode {
  return (
    <>
      <StatusBadge status={status} statuses={states} note={problem} />
      {withdrawTime !== undefined && (
        <div className="muted">
          Payer can withdraw <Time value={withdrawTime} />
        </div>
      )}
    </>
  )
}

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
  staleTime: 0,
  empty: {
    icon: 'wallet',
    title: 'No channels',
    advice: 'A channel appears when a payer deposits by the scheme batch-settlement.',
  },
})
