import { type AddressBookEntry, addressBook } from '@mintmark/wallet'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatQuantity } from '../../format/number.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { bookTexts } from '../../texts/wallets.ts'

const isRequired = true
/** The most addresses that one call imports. */
const MAX_IMPORTED = 2000

const fields = {
  name: { kind: 'text', isRequired, label: 'Name', description: 'At most 200 characters.' },
  address: { kind: 'address', isRequired, label: 'Address' },
  remark: { kind: 'multiline', sendsEmpty: true, label: 'Note' },
} as const

const columns: readonly Column<AddressBookEntry>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ name }) => (name === '' ? <span className="faint">No name</span> : name),
  },
  {
    key: 'address',
    header: 'Address',
    sort: 'address',
    cell: ({ address }) => <WalletLink address={address} />,
  },
  { key: 'remark', header: 'Note', cell: ({ remark }) => remark },
  {
    key: 'added',
    header: 'Added',
    sort: 'createTime',
    cell: ({ createTime }) => <Time value={createTime} />,
  },
]

type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly entry: AddressBookEntry }

interface AddressBookProps {
  /** The wallet that owns the address book. */
  readonly owner: string
}

/** The address book of a wallet. */
export function AddressBookSection({ owner }: AddressBookProps): ReactNode {
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<OpenDialog>()
  const { run, isPending, error } = useImport(owner)
  const actions = mayChange && (
    <div className="button-group">
      <Button onClick={run} isPending={isPending}>
        Import followed wallets
      </Button>
      <Button kind="primary" icon="plus" onClick={() => setDialog({ kind: 'add' })}>
        {bookTexts.add}
      </Button>
    </div>
  )
  return (
    <Section title={bookTexts.title} actions={actions}>
      <ErrorNotice error={error} />
      <EntryList owner={owner} onOpen={setDialog} />
      <EntryDialog owner={owner} dialog={dialog} onClose={() => setDialog(undefined)} />
    </Section>
  )
}

/** Imports the wallets that the owner follows. */
function useImport(owner: string) {
  const { mutate, isPending, error } = useWrite(addressBook.importFollowing)
  const run = () =>
    mutate(
      { owner },
      {
        onSuccess: ({ length }) => {
          const count = formatQuantity(length, bookTexts.imported)
          const more = length === MAX_IMPORTED ? `. ${'There may be more: import again.'}` : ''
          showToast(length === 0 ? 'All followed wallets are in the address book already' : count + more)
        },
      },
    )
  return { run, isPending, error }
}

interface EntryListProps extends AddressBookProps {
  readonly onOpen: (dialog: OpenDialog) => void
}

function EntryList({ owner, onOpen }: EntryListProps): ReactNode {
  const mayChange = useMayChange()
  const [{ q, sort, page }, setSearch] = useSearchState('q', 'sort', 'page')
  const filters = { owner, ...(q !== undefined && { keyword: q }) }
  const query = useList(addressBook.list, filters, { pageNumber: readPageNumber(page), orderBy: sort })
  return (
    <div>
      <Toolbar isFiltered={q !== undefined} onClear={() => setSearch({ q: undefined })}>
        <SearchField
          label="Search by name, note or address"
          value={q ?? ''}
          onSearch={(text) => setSearch({ q: text })}
        />
      </Toolbar>
      <ListView
        label={bookTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="people"
            title="The address book is empty"
            advice="Add an address, or import the wallets that this wallet follows."
            adviceToRead="The addresses that this wallet names appear here."
          />
        }
        isFiltered={q !== undefined}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
        {...(mayChange && {
          actions: (entry: AddressBookEntry) => <EntryMenu entry={entry} onOpen={onOpen} />,
        })}
      />
    </div>
  )
}

/** Names an entry: an imported one may have no name. */
function nameEntry({ name, address }: AddressBookEntry): string {
  return name === '' ? shortenIdentifier(address) : name
}

interface EntryMenuProps {
  readonly entry: AddressBookEntry
  readonly onOpen: (dialog: OpenDialog) => void
}

function EntryMenu({ entry, onOpen }: EntryMenuProps): ReactNode {
  return (
    <LazyMenu
      label={`Actions for ${nameEntry(entry)}`}
      entries={[
        { key: 'edit', label: 'Edit', onSelect: () => onOpen({ kind: 'edit', entry }) },
        {
          key: 'remove',
          label: bookTexts.remove,
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'remove', entry }),
        },
      ]}
    />
  )
}

interface EntryDialogProps extends AddressBookProps {
  readonly dialog: OpenDialog | undefined
  readonly onClose: () => void
}

function EntryDialog({ owner, dialog, onClose }: EntryDialogProps): ReactNode {
  const finish = (message: string) => {
    showToast(message)
    onClose()
  }
  switch (dialog?.kind) {
    case 'add':
      return (
        <Dialog title={bookTexts.add} isOpen onClose={onClose} isDismissable={false}>
          <OperationForm
            operation={addressBook.add}
            fields={fields}
            fixed={{ owner }}
            action={bookTexts.add}
            onDone={({ name }) => finish(`${name} is in the address book`)}
            onCancel={onClose}
          />
        </Dialog>
      )
    case 'edit':
      return (
        <Dialog title={`Edit ${nameEntry(dialog.entry)}`} isOpen onClose={onClose} isDismissable={false}>
          <OperationForm
            operation={addressBook.update}
            fields={fields}
            fixed={{ id: dialog.entry.id }}
            initial={dialog.entry}
            action={componentTexts.save}
            onDone={({ name }) => finish(`${name} is saved`)}
            onCancel={onClose}
          />
        </Dialog>
      )
    case 'remove':
      return <RemoveEntryDialog entry={dialog.entry} onRemoved={finish} onClose={onClose} />
    default:
      return null
  }
}

interface RemoveEntryDialogProps {
  readonly entry: AddressBookEntry
  readonly onRemoved: (message: string) => void
  readonly onClose: () => void
}

function RemoveEntryDialog({ entry, onRemoved, onClose }: RemoveEntryDialogProps): ReactNode {
  const remove = useWrite(addressBook.remove)
  const name = nameEntry(entry)
  const onSuccess = () => onRemoved(`${name} is removed`)
  return (
    <ConfirmDialog
      title={`Remove ${name} from the address book?`}
      action={bookTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: entry.id }, { onSuccess })}
      onClose={onClose}
    >
      <p>The name and the note are lost. You can add the address again.</p>
    </ConfirmDialog>
  )
}
