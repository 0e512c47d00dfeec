import type { SettlementTransaction, SolanaTransaction } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { DetailSection } from '../../components/detail-list.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink } from '../../format/chains.ts'
import { settlementTexts } from '../../texts/facilitator.ts'

const { transactions: texts } = settlementTexts

const columns: Columns<SettlementTransaction> = {
  nonce: { label: 'Nonce', cell: ({ nonce }) => <strong>{nonce}</strong> },
  signer: 'Signer',
  status: {
    label: texts.columns.state,
    cell: ({ status, succeeded }) => (
      <>
        {status}{' '}
        {succeeded !== undefined && (
          <Badge tone={succeeded ? 'success' : 'danger'}>{succeeded ? 'succeeded' : 'reverted'}</Badge>
        )}
      </>
    ),
  },
  attempts: {
    label: 'Attempts',
    cell: ({ chainId, attempts }) =>
      attempts.map(({ hash }) => (
        <div key={hash}>
          <Identifier value={hash} link={findExplorerLink(String(chainId), 'tx', hash)} />
        </div>
      )),
  },
  blockNumber: { label: 'Block', align: 'end', cell: ({ blockNumber }) => blockNumber ?? '' },
  createTime: texts.columns.time,
}

interface SignedTransactionsProps {
  readonly transactions: readonly SettlementTransaction[]
  readonly solanaTransaction: SolanaTransaction | undefined
}

/** The transactions that the facilitator signed for a payment. */
export function SignedTransactions({ transactions, solanaTransaction }: SignedTransactionsProps): ReactNode {
  if (solanaTransaction !== undefined) return <SignedOnSolana transaction={solanaTransaction} />
  return (
    <TableSection
      title={texts.title}
      columns={columns}
      rows={transactions}
      getKey={({ signer, nonce }) => `${signer} ${nonce}`}
      empty={{
        icon: 'info',
        title: 'No transactions',
        advice: 'This facilitator has signed none for this payment.',
      }}
    />
  )
}

function SignedOnSolana({ transaction }: { readonly transaction: SolanaTransaction }): ReactNode {
  const { signature, status, createTime } = transaction
  return (
    <DetailSection
      title={texts.title}
      details={{
        Signature: <Identifier value={signature} />,
        [texts.columns.state]: status,
        [texts.columns.time]: <Time value={createTime} />,
      }}
    />
  )
}
