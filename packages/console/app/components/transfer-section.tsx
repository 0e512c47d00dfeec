import { assets } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
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
      title={t('Transfers')}
      columns={{
        createTime: t('Time'),
        nftAddress: {
          label: t('Token'),
          cell: ({ nftAddress, nftId }) => (
            <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftId}</ProjectLink>
          ),
        },
        from: { label: t('From'), cell: ({ from }) => <WalletLink address={from} /> },
        to: { label: t('To||wallet'), cell: ({ to }) => <WalletLink address={to} /> },
        quantity: { label: t('Quantity'), align: 'end' },
        orderNo: {
          label: t('Order'),
          isWideOnly: true,
          cell: ({ orderNo }) => <OrderLink orderNo={orderNo} />,
        },
        hash: { label: t('Transaction'), isWideOnly: true },
      }}
      pageParam="transfers"
      empty={{
        icon: 'facilitator',
        title: t('No transfers yet'),
        advice: t('Sales and transfers on the chain appear here.'),
      }}
    />
  )
}
