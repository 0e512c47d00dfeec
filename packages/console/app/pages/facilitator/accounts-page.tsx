import { type OperatorAccount, operatorAccounts } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { accountsTexts as texts } from '../../texts/facilitator.ts'
import { formatAccount, NATIVE_DECIMALS } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'

const columns: readonly Column<OperatorAccount>[] = [
  {
    key: 'account',
    header: texts.columns.account,
    cell: (account) => (
      <FacilitatorLink to={`accounts/${account.id}`} className="row-link">
        <span className="break">{formatAccount(account)}</span>
      </FacilitatorLink>
    ),
  },
  { key: 'wallet', header: texts.columns.wallet, cell: ({ payer }) => <Identifier value={payer} /> },
  {
    key: 'balance',
    header: texts.columns.balance,
    align: 'end',
    cell: ({ balance }) => <Amount baseUnits={balance} decimals={NATIVE_DECIMALS} symbol="" />,
  },
  {
    key: 'reserved',
    header: texts.columns.reserved,
    align: 'end',
    cell: ({ reserved }) => <Amount baseUnits={reserved} decimals={NATIVE_DECIMALS} symbol="" />,
  },
  { key: 'state', header: texts.columns.state, cell: (account) => <AccountState account={account} /> },
  { key: 'created', header: texts.columns.created, cell: ({ createTime }) => <Time value={createTime} /> },
]

function AccountState({ account: { frozenReason, owed } }: { readonly account: OperatorAccount }): ReactNode {
  if (frozenReason !== undefined) return <Badge tone="danger">{texts.states.frozen}</Badge>
  if (owed !== '0') return <Badge tone="warning">{texts.states.owes}</Badge>
  return <Badge tone="success">{texts.states.open}</Badge>
}

const stateOptions = [
  { value: 'true', label: texts.filters.frozen },
  { value: 'false', label: texts.filters.open },
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
        description={texts.description}
        actions={
          <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
            {texts.create}
          </Button>
        }
      />
      <Toolbar isFiltered={isFiltered} onClear={() => setSearch({ q: undefined, frozen: undefined })}>
        <SearchField label={texts.search} value={q ?? ''} onSearch={(text) => setSearch({ q: text })} />
        <FilterSelect
          label={texts.filters.state}
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
        empty={<EmptyState icon="account" {...texts.empty} />}
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
          payer: { kind: 'address', isRequired: true, ...texts.fields.payer },
          name: { kind: 'text', ...texts.fields.name },
        }}
        action={texts.create}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}
