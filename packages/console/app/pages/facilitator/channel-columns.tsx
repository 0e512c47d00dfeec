import type { OperatorChannel } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Time } from '../../components/time.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { channelsTexts as texts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { findName } from './facilitator-format.ts'
import { PaymentAmount } from './payment-amount.tsx'

const tones = {
  open: 'success',
  withdrawing: 'warning',
  used: 'neutral',
  empty: 'neutral',
  unreadable: 'danger',
} as const

const amount = ({ chainId, token }: OperatorChannel, baseUnits: string | undefined): ReactNode =>
  baseUnits === undefined ? (
    componentTexts.none
  ) : (
    <PaymentAmount settlement={{ network: `eip155:${chainId}`, asset: token, amount: baseUnits }} />
  )

/** The columns of the list of channels. */
export const channelColumns: Columns<OperatorChannel> = {
  payer: 'Payer',
  receiver: 'Receiver',
  status: { label: 'State', cell: (channel) => <ChannelStatus channel={channel} /> },
  deposited: { label: 'Deposited', align: 'end', cell: (channel) => amount(channel, channel.deposited) },
  claimed: { label: 'Claimed', align: 'end', cell: (channel) => amount(channel, channel.claimed) },
  highestVoucher: {
    label: 'Voucher',
    align: 'end',
    cell: (channel) => amount(channel, channel.highestVoucher),
  },
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
      <Badge tone={tones[status]}>{findName(texts.states, status)}</Badge>
      {problem !== '' && <div className="muted break">{problem}</div>}
      {withdrawTime !== undefined && (
        <div className="muted">
          Payer can withdraw <Time value={withdrawTime} />
        </div>
      )}
    </>
  )
}
