import type { PayerQuota } from '@mintmark/facilitator'
import type { AccountDeposit } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { findExplorerLink } from '../../format/chains.ts'
import { accountTexts } from '../../texts/facilitator.ts'
import { NativeAmount } from './native-amount.tsx'

const { quotas: quotaTexts } = accountTexts

const quotaStatuses: Readonly<Record<string, string>> = quotaTexts.statuses

const quotaColumns: Columns<PayerQuota> = {
  status: {
    label: 'Status',
    cell: ({ status }) => (
      <Badge tone={status === 'ACTIVE' ? 'success' : 'neutral'}>{quotaStatuses[status] ?? status}</Badge>
    ),
  },
  limit: { label: 'Limit', align: 'end', cell: ({ limit }) => <NativeAmount wei={limit} /> },
  used: { label: 'Used', align: 'end', cell: ({ used }) => <NativeAmount wei={used} /> },
  remaining: { label: 'Left', align: 'end', cell: ({ remaining }) => <NativeAmount wei={remaining} /> },
  createTime: 'Created',
  endTime: 'Ended',
}

/** What the payer of an account allows to be charged. */
export function QuotasSection({ quotas }: { readonly quotas: readonly PayerQuota[] }): ReactNode {
  return (
    <TableSection
      title="Quotas"
      columns={quotaColumns}
      rows={quotas}
      getKey={({ id }) => id}
      empty={{ icon: 'info', title: 'No quotas', advice: 'The payer allows charges by signing a quota.' }}
    />
  )
}

const depositColumns: Columns<AccountDeposit> = {
  transaction: {
    label: 'Transaction',
    cell: ({ chainId, transaction }) => (
      <Identifier value={transaction} link={findExplorerLink(String(chainId), 'tx', transaction)} />
    ),
  },
  amount: { label: 'Amount', align: 'end', cell: ({ amount }) => <NativeAmount wei={amount} /> },
  blockNumber: { label: 'Block', align: 'end' },
  reverseTime: {
    label: 'State',
    cell: ({ reverseTime }) => (
      <Badge tone={reverseTime === undefined ? 'success' : 'danger'}>
        {reverseTime === undefined ? 'Credited' : 'Reversed'}
      </Badge>
    ),
  },
  createTime: 'Credited',
}

/** The deposits of an account's wallet. */
export function DepositsSection({ deposits }: { readonly deposits: readonly AccountDeposit[] }): ReactNode {
  return (
    <TableSection
      title="Deposits"
      columns={depositColumns}
      rows={deposits}
      getKey={({ id }) => id}
      empty={{ icon: 'info', title: 'No deposits', advice: 'A deposit is credited once its block is final.' }}
    />
  )
}
