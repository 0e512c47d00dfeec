import { type OperatorAccount, operatorAccounts } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { formatAccount } from './facilitator-format.ts'
import { NativeAmount } from './payment-amount.tsx'

const createAccount = () =>
  openForm({
    operation: operatorAccounts.create,
    fields: {
      payer: {
        kind: 'address',
        isRequired: true,
        label: 'Wallet',
        description: 'What this wallet deposits is credited to the account.',
      },
      name: { kind: 'text', label: 'Name', description: 'Such as the name of the shop.' },
    },
    title: 'Create account',
    done: (account) => `${formatAccount(account)} is created`,
  })

/** The accounts of the facilitator: search, a filter, and creating one. */
export const AccountsPage = defineResource(operatorAccounts.list, {
  title: 'Accounts',
  description:
    'Who pays for settlements. Amounts are in the native token of the chain on which the treasury is.',
  actions: () => [{ label: 'Create account', kind: 'primary', icon: 'plus', onSelect: createAccount }],
  filters: {
    q: { label: 'Search by name, wallet or number', toInput: (search) => ({ search }) },
    frozen: {
      label: 'State',
      options: { true: 'Frozen', false: 'Not frozen' },
      toInput: (frozen) => ({ frozen: frozen === 'true' }),
    },
  },
  columns: {
    name: { label: 'Account', cell: (account) => <span className="break">{formatAccount(account)}</span> },
    payer: 'Wallet',
    balance: { label: 'Balance', align: 'end', cell: ({ balance }) => <NativeAmount wei={balance} /> },
    reserved: { label: 'Reserved', align: 'end', cell: ({ reserved }) => <NativeAmount wei={reserved} /> },
    _state: { label: 'State', cell: (account) => <AccountState account={account} /> },
    createTime: 'Created',
  },
  link: ({ id }) => `facilitator/accounts/${id}`,
  empty: {
    icon: 'account',
    title: 'No accounts yet',
    advice: 'Create one for each wallet that pays for settlements, then a key for its programs.',
  },
})

function AccountState({ account: { frozenReason, owed } }: { readonly account: OperatorAccount }): ReactNode {
  if (frozenReason !== undefined) return <Badge tone="danger">Frozen</Badge>
  if (owed !== '0') return <Badge tone="warning">Owes</Badge>
  return <Badge tone="success">Can pay</Badge>
}
