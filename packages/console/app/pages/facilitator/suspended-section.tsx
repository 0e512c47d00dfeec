import { type OperatorHealth, operatorAccounts } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import type { Columns } from '../../components/data-table.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatAccount } from './facilitator-format.ts'
import { NativeAmount } from './native-amount.tsx'

type SuspendedDeposit = NonNullable<OperatorHealth['suspendedDeposits']>[number]

const columns: Columns<SuspendedDeposit> = {
  payer: 'Wallet',
  chainId: 'Chain',
  amount: {
    label: 'Deposited',
    align: 'end',
    cell: ({ amount }) => <NativeAmount wei={amount} />,
  },
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
