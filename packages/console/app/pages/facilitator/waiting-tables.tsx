import { type OperatorHealth, operatorAccounts, operatorTransactions } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { defineTable, TableSection } from '../../components/table-section.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts } from '../../texts/facilitator.ts'
import { formatAccount } from './facilitator-format.ts'
import { NativeAmount } from './payment-amount.tsx'

type UnknownSettlement = OperatorHealth['unknownSettlements'][number]

/** The settlements whose outcome is unknown. */
export const UnknownSection = defineTable<UnknownSettlement>({
  title: 'Settlements without a known outcome',
  columns: {
    id: {
      label: 'Settlement',
      cell: ({ id }) => (
        <ProjectLink to={`facilitator/settlements/${id}`} className="row-link">
          {facilitatorTexts.settlement(String(id))}
        </ProjectLink>
      ),
    },
    orderNo: { label: 'Order', cell: ({ orderNo }) => <Identifier value={orderNo} /> },
    network: 'Chain',
    ageSeconds: 'Age',
  },
  empty: {
    icon: 'check',
    title: 'None',
    advice: 'The outcome of every settlement is known, or is being awaited.',
  },
})

/** The transactions that are not mined, with what to do. */
export function StuckSection(): ReactNode {
  return (
    <ResourceSection
      operation={operatorTransactions.listStuck}
      title="Transactions that are not mined"
      columns={{
        nonce: {
          label: 'Nonce',
          cell: ({ nonce, isBehindAnother }) => (
            <>
              <strong>{nonce}</strong>
              {isBehindAnother && <div className="muted">waits for a lower nonce</div>}
            </>
          ),
        },
        signer: 'Signer',
        settlementId: {
          label: 'Settlement',
          cell: ({ settlementId }) =>
            settlementId !== undefined && (
              <ProjectLink to={`facilitator/settlements/${settlementId}`}>{settlementId}</ProjectLink>
            ),
        },
        ageSeconds: 'Age',
        action: 'What to do',
      }}
      getKey={({ signer, nonce, chainId }) => `${chainId} ${signer} ${nonce}`}
      staleTime={0}
      empty={{ icon: 'check', title: 'None', advice: 'No transaction waits for more than 5 minutes.' }}
    />
  )
}

type SuspendedDeposit = NonNullable<OperatorHealth['suspendedDeposits']>[number]

const columns: Columns<SuspendedDeposit> = {
  payer: 'Wallet',
  chainId: 'Chain',
  amount: { label: 'Deposited', align: 'end', cell: ({ amount }) => <NativeAmount wei={amount} /> },
  deposits: 'Deposits',
  firstTime: 'Since',
}

interface SuspendedSectionProps {
  readonly rows: readonly SuspendedDeposit[]
  /** Called when an account was created. */
  readonly onCreated: () => void
}

/** The wallets that deposited without an account, with a button that creates one. Nothing without any. */
export function SuspendedSection({ rows, onCreated }: SuspendedSectionProps): ReactNode {
  const create = async (payer: string) => {
    const created = await openForm({
      operation: operatorAccounts.create,
      fixed: { payer },
      fields: { name: { kind: 'text', label: 'Name', description: 'Such as the name of the shop.' } },
      title: `Create account for ${shortenIdentifier(payer)}`,
      text: 'The account is credited with what the wallet deposited.',
      action: 'Create account',
      done: (account) => `${formatAccount(account)} is created`,
    })
    if (created !== undefined) onCreated()
  }
  return (
    <TableSection
      title="Deposits without an account"
      columns={columns}
      rows={rows}
      getKey={({ payer, chainId }) => `${payer} ${chainId}`}
      nameOf={({ payer }) => `for ${shortenIdentifier(payer)}`}
      rowActions={({ payer }) => [{ label: 'Create account', onSelect: () => create(payer) }]}
    />
  )
}
