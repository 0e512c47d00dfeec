import { type AccountDetails, type OperatorAccount, operatorAccounts } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { ActionButtons, type Actions } from '../../components/actions.tsx'
import { BackLink } from '../../components/back-link.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { facilitatorTexts, accountTexts as texts } from '../../texts/facilitator.ts'
import { CreditDialog, openBatchDelay, openFreeze } from './account-dialogs.tsx'
import { DepositsSection, QuotasSection } from './account-tables.tsx'
import { DecisionsSection } from './decisions-section.tsx'
import { formatAccount } from './facilitator-format.ts'
import { KeysSection } from './keys-section.tsx'
import { NativeAmount } from './native-amount.tsx'
import { nameFreezer, useOperatorNames } from './operator-names.ts'
import { TransfersSection } from './transfers-section.tsx'

/** One account: its balance, keys, quotas, deposits and ledger, and what operators can do with it. */
export function AccountPage(): ReactNode {
  const accountId = usePathParam('accountId')
  const query = useOperation(operatorAccounts.get, { id: Number(accountId) })
  const account = query.data?.account
  return (
    <>
      <PageHeader
        title={account === undefined ? facilitatorTexts.account(accountId) : formatAccount(account)}
        context={facilitatorTexts.context}
        above={<BackLink to="facilitator/accounts">Accounts</BackLink>}
        actions={account !== undefined && <ActionButtons actions={listActions(account)} />}
      />
      <QueryView query={query} lines={10}>
        {(details) => <AccountContent details={details} />}
      </QueryView>
    </>
  )
}

function listActions(account: OperatorAccount): Actions {
  const credit = () => openDialog((close) => <CreditDialog account={account} onClose={() => close()} />)
  const isFrozen = account.frozenReason !== undefined
  return [
    { label: 'Change the delay', onSelect: () => openBatchDelay(account) },
    { label: isFrozen ? 'End the freeze' : 'Freeze', onSelect: () => openFreeze(account) },
    { label: 'Credit', kind: 'primary', icon: 'plus', onSelect: credit },
  ]
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
      <Section
        title="Account"
        actions={
          <ProjectLink to="facilitator/settlements" search={{ account: String(account.id) }}>
            Its settlements
          </ProjectLink>
        }
      >
        <div className="panel">
          <AccountFields account={account} />
        </div>
      </Section>
      <KeysSection accountId={account.id} keys={keys} />
      <QuotasSection quotas={quotas} />
      <DepositsSection deposits={deposits} />
      <TransfersSection transfers={transfers} />
      <DecisionsSection subject={`account/${account.id}`} />
    </>
  )
}

function AccountFields({ account }: { readonly account: OperatorAccount }): ReactNode {
  const { id, payer, name, balance, reserved, owed, batchDelayMs, createTime } = account
  return (
    <DetailList
      details={[
        { label: 'Number', value: id },
        { label: 'Name', value: name },
        { label: 'Wallet', value: <Identifier value={payer} /> },
        { label: 'Balance', value: <NativeAmount wei={balance} /> },
        { label: 'Reserved for settlements', value: <NativeAmount wei={reserved} /> },
        { label: 'Owed', value: <NativeAmount wei={owed} /> },
        {
          label: 'Shares transactions',
          value:
            batchDelayMs === 0 ? 'Never' : `Settles wait up to ${formatCount(batchDelayMs)} ms for others`,
        },
        { label: 'Created', value: <Time value={createTime} /> },
      ]}
    />
  )
}
