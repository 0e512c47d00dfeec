import type { PayerQuota } from '@mintmark/facilitator'
import {
  type AccountDeposit,
  type AccountDetails,
  type OperatorAccount,
  operatorAccounts,
} from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge, createStatusColumn } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailSection } from '../../components/detail-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { facilitatorTexts, accountTexts as texts } from '../../texts/facilitator.ts'
import { openBatchDelay, openCredit, openFreeze } from './account-dialogs.tsx'
import { DecisionsSection } from './decisions-section.tsx'
import { formatAccount } from './facilitator-format.ts'
import { KeysSection } from './keys-section.tsx'
import { nameFreezer, useOperatorNames } from './operator-names.ts'
import { NativeAmount } from './payment-amount.tsx'
import { TransfersSection } from './transfers-section.tsx'

const quotaStatuses = {
  ACTIVE: ['Active', 'success'],
  PENDING: ['Not valid yet', 'neutral'],
  EXPIRED: ['Expired', 'neutral'],
  REPLACED: ['Replaced', 'neutral'],
  REVOKED: ['Revoked', 'neutral'],
} as const

/** What the payer of an account allows to be charged. */
const QuotasSection = defineTable<PayerQuota>({
  title: 'Quotas',
  columns: {
    status: createStatusColumn(quotaStatuses),
    limit: { label: 'Limit', align: 'end', cell: ({ limit }) => <NativeAmount wei={limit} /> },
    used: { label: 'Used', align: 'end', cell: ({ used }) => <NativeAmount wei={used} /> },
    remaining: { label: 'Left', align: 'end', cell: ({ remaining }) => <NativeAmount wei={remaining} /> },
    createTime: 'Created',
    endTime: 'Ended',
  },
  empty: { icon: 'info', title: 'No quotas', advice: 'The payer allows charges by signing a quota.' },
})

/** The deposits of an account's wallet. */
const DepositsSection = defineTable<AccountDeposit>({
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
  empty: { icon: 'info', title: 'No deposits', advice: 'A deposit is credited once its block is final.' },
})

/** One account: its balance, keys, quotas, deposits and ledger, and what operators can do with it. */
export function AccountPage(): ReactNode {
  const accountId = usePathParam('accountId')
  return (
    <RecordPage
      query={useOperation(operatorAccounts.get, { id: Number(accountId) })}
      list={{ to: 'facilitator/accounts', title: 'Accounts' }}
      title={({ account }) => formatAccount(account)}
      titleFirst={facilitatorTexts.account(accountId)}
      actions={({ account }) => [
        { label: 'Change the delay', onSelect: () => openBatchDelay(account) },
        {
          label: account.frozenReason === undefined ? 'Freeze' : 'End the freeze',
          onSelect: () => openFreeze(account),
        },
        {
          label: 'Credit',
          kind: 'primary',
          icon: 'plus',
          onSelect: () => openCredit(account),
        },
      ]}
    >
      {(details) => <AccountContent details={details} />}
    </RecordPage>
  )
}

function AccountContent({ details }: { readonly details: AccountDetails }): ReactNode {
  const { account, keys, quotas, deposits, transfers } = details
  const nameOperator = useOperatorNames()
  return (
    <>
      {account.frozenReason !== undefined && (
        <div className="section">
          <Notice tone="danger" {...texts.frozen(nameFreezer(account.frozenReason, nameOperator))} />
        </div>
      )}
      <AccountFields account={account} />
      <KeysSection accountId={account.id} keys={keys} />
      <QuotasSection rows={quotas} />
      <DepositsSection rows={deposits} />
      <TransfersSection rows={transfers} />
      <DecisionsSection subject={`account/${account.id}`} />
    </>
  )
}

function AccountFields({ account }: { readonly account: OperatorAccount }): ReactNode {
  const { id, payer, name, balance, reserved, owed, batchDelayMs, createTime } = account
  return (
    <DetailSection
      title="Account"
      actions={
        <ProjectLink to="facilitator/settlements" search={{ account: String(id) }}>
          Its settlements
        </ProjectLink>
      }
      details={{
        Number: id,
        Name: name,
        Wallet: <Identifier value={payer} />,
        Balance: <NativeAmount wei={balance} />,
        'Reserved for settlements': <NativeAmount wei={reserved} />,
        Owed: <NativeAmount wei={owed} />,
        'Shares transactions':
          batchDelayMs === 0 ? 'Never' : `Settles wait up to ${formatCount(batchDelayMs)} ms for others`,
        Created: <Time value={createTime} />,
      }}
    />
  )
}
