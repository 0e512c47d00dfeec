import type { OperatorChannel } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Time } from '../../components/time.tsx'
import { channelsTexts as texts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { findName } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'
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
export const channelColumns: readonly Column<OperatorChannel>[] = [
  { key: 'payer', header: 'Payer', cell: ({ payer }) => <Identifier value={payer} /> },
  {
    key: 'receiver',
    header: 'Receiver',
    cell: ({ receiver }) => <Identifier value={receiver} />,
  },
  { key: 'status', header: 'State', cell: (channel) => <ChannelStatus channel={channel} /> },
  {
    key: 'deposited',
    header: 'Deposited',
    align: 'end',
    cell: (channel) => amount(channel, channel.deposited),
  },
  {
    key: 'claimed',
    header: 'Claimed',
    align: 'end',
    cell: (channel) => amount(channel, channel.claimed),
  },
  {
    key: 'voucher',
    header: 'Voucher',
    align: 'end',
    cell: (channel) => amount(channel, channel.highestVoucher),
  },
  {
    key: 'unclaimed',
    header: 'To claim',
    align: 'end',
    cell: (channel) => amount(channel, channel.unclaimed),
  },
  {
    key: 'unpaid',
    header: 'To pay out',
    align: 'end',
    cell: (channel) => amount(channel, channel.unpaid),
  },
  {
    key: 'changed',
    header: 'Last change',
    cell: ({ settlementId, changeTime }) => (
      <FacilitatorLink to={`settlements/${settlementId}`}>
        <Time value={changeTime} />
      </FacilitatorLink>
    ),
  },
]

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
