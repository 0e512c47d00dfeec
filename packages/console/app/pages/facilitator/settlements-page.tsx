import { type OperatorSettlement, operatorSettlements } from '@mintmark/facilitator/operator'
import { Badge, createStatusFilter } from '../../components/badge.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { defineResource } from '../../components/resource.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { PaymentAmount } from './payment-amount.tsx'
import { readId, readSettlementSearch } from './settlement-search.ts'
import { SettlementStatus, settlementStatuses } from './settlement-status.tsx'

/** The settlements of all accounts: search and filters. */
export const SettlementsPage = defineResource(operatorSettlements.list, {
  title: 'Settlements',
  description: 'The payments of all accounts, newest first.',
  filters: {
    q: { label: 'Search by order, transaction or wallet', toInput: readSettlementSearch },
    status: createStatusFilter(settlementStatuses),
    account: {
      note: (account) => <Badge tone="info">{`Account ${account}`}</Badge>,
      toInput: (account) => ({ accountId: readId(account) }),
    },
  },
  rows: 'settlements',
  hasParts: true,
  columns: {
    id: 'Settlement',
    status: { label: 'Status', cell: (settlement) => <SettlementStatus settlement={settlement} /> },
    amount: alignEnd('Amount', (settlement: OperatorSettlement) => <PaymentAmount settlement={settlement} />),
    payer: 'Payer',
    accountId: {
      label: 'Account',
      cell: ({ accountId }) => (
        <ProjectLink to={`facilitator/accounts/${accountId}`}>{`Account ${accountId}`}</ProjectLink>
      ),
    },
    network: 'Chain',
    createTime: 'Requested',
  },
  link: ({ id }) => `facilitator/settlements/${id}`,
  staleTime: 0,
  empty: {
    icon: 'facilitator',
    title: 'No settlements',
    advice: 'Payments appear here once a program settles one.',
  },
  emptyPart: {
    title: 'None in this part of the list',
    advice: 'The facilitator has searched a part of all settlements. Older ones may match.',
  },
})
