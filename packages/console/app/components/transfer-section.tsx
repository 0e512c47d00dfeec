import { assets } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { ProjectLink, toTokenPath } from '../navigation/project-link.tsx'
import { OrderLink, WalletLink } from './links.tsx'
import { ResourceSection } from './resource.tsx'

interface TransferSectionProps {
  readonly nftAddress: string
  /** The token whose transfers are listed. Default: all of the contract. */
  readonly nftId?: string
}

/** Lists transfers of tokens, newest first. */
export function TransferSection(token: TransferSectionProps): ReactNode {
  return (
    <ResourceSection
      operation={assets.transfers}
      input={token}
      title="Transfers"
      columns={{
        createTime: 'Time',
        nftAddress: {
          label: 'Token',
          cell: ({ nftAddress, nftId }) => (
            <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftId}</ProjectLink>
          ),
        },
        from: { label: 'From', cell: ({ from }) => <WalletLink address={from} /> },
        to: { label: 'To', cell: ({ to }) => <WalletLink address={to} /> },
        quantity: { label: 'Quantity', align: 'end' },
        orderNo: { label: 'Order', isWideOnly: true, cell: ({ orderNo }) => <OrderLink orderNo={orderNo} /> },
        hash: { label: 'Transaction', isWideOnly: true },
      }}
      pageParam="transfers"
      empty={{
        icon: 'facilitator',
        title: 'No transfers yet',
        advice: 'Sales and transfers on the chain appear here.',
      }}
    />
  )
}
