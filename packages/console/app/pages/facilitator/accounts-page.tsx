import { type OperatorAccount, operatorAccounts } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { accountsTexts as texts } from '../../texts/facilitator.ts'
import { formatAccount, NATIVE_DECIMALS } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'

const columns: Columns<OperatorAccount> = {
  id: {
    label: 'Account',
    cell: (account) => (
      <FacilitatorLink to={`accounts/${account.id}`} className="row-link">
        <span className="break">{formatAccount(account)}</span>
      </FacilitatorLink>
    ),
  },
  payer: 'Wallet',
  balance: {
    label: 'Balance',
    align: 'end',
    cell: ({ balance }) => <Amount baseUnits={balance} decimals={NATIVE_DECIMALS} symbol="" />,
  },
  reserved: {
    label: 'Reserved',
    align: 'end',
    cell: ({ reserved }) => <Amount baseUnits={reserved} decimals={NATIVE_DECIMALS} symbol="" />,
  },
  _state: { label: 'State', cell: (account) => <AccountState account={account} /> },
  createTime: 'Created',
}

function AccountState({ account: { frozenReason, owed } }: { readonly account: OperatorAccount }): ReactNode {
  if (frozenReason !== undefined) return <Badge tone="danger">Frozen</Badge>
  if (owed !== '0') return <Badge tone="warning">Owes</Badge>
  return <Badge tone="success">Can pay</Badge>
}

const stateOptions = [
  { value: 'true', label: 'Frozen' },
  { value: 'false', label: 'Not frozen' },
]

/** The accounts of the facilitator: search, a filter, and creating one. */
export function AccountsPage(): ReactNode {
  const [{ q, frozen, page }, setSearch] = useSearchState('q', 'frozen', 'page')
  const [isCreating, setIsCreating] = useState(false)
  const filters = {
    ...(q !== undefined && { search: q }),
    ...(frozen !== undefined && { frozen: frozen === 'true' }),
  }
  const query = useList(operatorAccounts.list, filters, { pageNumber: readPageNumber(page) })
  const isFiltered = q !== undefined || frozen !== undefined
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description="Who pays for settlements. Amounts are in the native token of the chain on which the treasury is."
        actions={
          <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
            {texts.create}
          </Button>
        }
      />
      <Toolbar isFiltered={isFiltered} onClear={() => setSearch({ q: undefined, frozen: undefined })}>
        <SearchField
          label="Search by name, wallet or number"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label="State"
          value={frozen ?? ''}
          options={stateOptions}
          onChange={(value) => setSearch({ frozen: value })}
        />
      </Toolbar>
      <ListView
        label={texts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="account"
            title="No accounts yet"
            advice="Create one for each wallet that pays for settlements, then a key for its programs."
          />
        }
        isFiltered={isFiltered}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      />
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
    </>
  )
}

function CreateDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const onDone = (account: OperatorAccount) => {
    showToast(texts.created(formatAccount(account)))
    onClose()
  }
  return (
    <Dialog title={texts.create} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={operatorAccounts.create}
        fields={{
          payer: {
            kind: 'address',
            isRequired: true,
            label: 'Wallet',
            description: 'What this wallet deposits is credited to the account.',
          },
          name: { kind: 'text', ...texts.fields.name },
        }}
        action={texts.create}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}
