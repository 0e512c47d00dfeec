import type { PayerQuota } from '@mintmark/facilitator'
import type { AccountDeposit } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink } from '../../format/chains.ts'
import { accountTexts } from '../../texts/facilitator.ts'
import { NATIVE_DECIMALS } from './facilitator-format.ts'

const { quotas: quotaTexts, deposits: depositTexts } = accountTexts

const quotaStatuses: Readonly<Record<string, string>> = quotaTexts.statuses

const native = (baseUnits: string) => <Amount baseUnits={baseUnits} decimals={NATIVE_DECIMALS} symbol="" />

const quotaColumns: readonly Column<PayerQuota>[] = [
  {
    key: 'status',
    header: quotaTexts.columns.status,
    cell: ({ status }) => (
      <Badge tone={status === 'ACTIVE' ? 'success' : 'neutral'}>{quotaStatuses[status] ?? status}</Badge>
    ),
  },
  { key: 'limit', header: quotaTexts.columns.limit, align: 'end', cell: ({ limit }) => native(limit) },
  { key: 'used', header: quotaTexts.columns.used, align: 'end', cell: ({ used }) => native(used) },
  { key: 'left', header: quotaTexts.columns.left, align: 'end', cell: ({ remaining }) => native(remaining) },
  {
    key: 'created',
    header: quotaTexts.columns.created,
    cell: ({ createTime }) => <Time value={createTime} />,
  },
  { key: 'ended', header: quotaTexts.columns.ended, cell: ({ endTime }) => <Time value={endTime} /> },
]

/** What the payer of an account allows to be charged. */
export function QuotasSection({ quotas }: { readonly quotas: readonly PayerQuota[] }): ReactNode {
  return (
    <Section title={quotaTexts.title}>
      {quotas.length === 0 ? (
        <EmptyState icon="info" {...quotaTexts.empty} />
      ) : (
        <DataTable label={quotaTexts.title} columns={quotaColumns} rows={quotas} getKey={({ id }) => id} />
      )}
    </Section>
  )
}

const depositColumns: readonly Column<AccountDeposit>[] = [
  {
    key: 'transaction',
    header: depositTexts.columns.transaction,
    cell: ({ chainId, transaction }) => (
      <Identifier value={transaction} link={findExplorerLink(String(chainId), 'tx', transaction)} />
    ),
  },
  {
    key: 'amount',
    header: depositTexts.columns.amount,
    align: 'end',
    cell: ({ amount }) => native(amount),
  },
  {
    key: 'block',
    header: depositTexts.columns.block,
    align: 'end',
    cell: ({ blockNumber }) => blockNumber,
  },
  {
    key: 'state',
    header: depositTexts.columns.state,
    cell: ({ reverseTime }) => (
      <Badge tone={reverseTime === undefined ? 'success' : 'danger'}>
        {reverseTime === undefined ? depositTexts.credited : depositTexts.reversed}
      </Badge>
    ),
  },
  { key: 'time', header: depositTexts.columns.time, cell: ({ createTime }) => <Time value={createTime} /> },
]

/** The deposits of an account's wallet. */
export function DepositsSection({ deposits }: { readonly deposits: readonly AccountDeposit[] }): ReactNode {
  return (
    <Section title={depositTexts.title}>
      {deposits.length === 0 ? (
        <EmptyState icon="info" {...depositTexts.empty} />
      ) : (
        <DataTable
          label={depositTexts.title}
          columns={depositColumns}
          rows={deposits}
          getKey={({ id }) => id}
        />
      )}
    </Section>
  )
}
