import type { PayerQuota } from '@mintmark/facilitator'
import type { AccountDeposit } from '@mintmark/facilitator/operator'
import { Badge } from '../../components/badge.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { accountTexts } from '../../texts/facilitator.ts'
import { NativeAmount } from './native-amount.tsx'

const { quotas: quotaTexts } = accountTexts

const quotaStatuses: Readonly<Record<string, string>> = quotaTexts.statuses

/** What the payer of an account allows to be charged. */
export const QuotasSection = defineTable<PayerQuota>({
  title: 'Quotas',
  columns: {
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
  },
  getKey: ({ id }) => id,
  empty: { icon: 'info', title: 'No quotas', advice: 'The payer allows charges by signing a quota.' },
})

/** The deposits of an account's wallet. */
export const DepositsSection = defineTable<AccountDeposit>({
  title: 'Deposits',
  columns: {
    transaction: 'Transaction',
    amount: { label: 'Amount', align: 'end', cell: ({ amount }) => <NativeAmount wei={amount} /> },
    blockNumber: 'Block',
    reverseTime: {
      label: 'State',
      cell: ({ reverseTime }) => (
        <Badge tone={reverseTime === undefined ? 'success' : 'danger'}>
          {reverseTime === undefined ? 'Credited' : 'Reversed'}
        </Badge>
      ),
    },
    createTime: 'Credited',
  },
  getKey: ({ id }) => id,
  empty: { icon: 'info', title: 'No deposits', advice: 'A deposit is credited once its block is final.' },
})
