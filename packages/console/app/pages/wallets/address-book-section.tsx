import { type AddressBookEntry, addressBook } from '@mintmark/wallet'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { WalletLink } from '../../components/links.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { showToast } from '../../components/toast.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatQuantity } from '../../format/number.ts'
import { useMayChange } from '../../session/project-context.tsx'

const isRequired = true
/** The most addresses that one call imports. */
const MAX_IMPORTED = 2000

const fields = {
  name: { kind: 'text', isRequired, label: 'Name', description: 'At most 200 characters.' },
  address: { kind: 'address', isRequired, label: 'Address' },
  remark: { kind: 'multiline', sendsEmpty: true, label: 'Note' },
} as const

const addEntry = (owner: string) =>
  openForm({
    operation: addressBook.add,
    fields,
    fixed: { owner },
    title: 'Add address',
    done: ({ name }) => `${name} is in the address book`,
  })

const editEntry = (entry: AddressBookEntry) =>
  openForm({
    operation: addressBook.update,
    fields,
    fixed: { id: entry.id },
    initial: entry,
    title: `Edit ${nameEntry(entry)}`,
    action: 'Save',
    done: ({ name }) => `${name} is saved`,
  })

const removeEntry = (entry: AddressBookEntry) =>
  confirm({
    operation: addressBook.remove,
    input: { id: entry.id },
    title: `Remove ${nameEntry(entry)} from the address book?`,
    text: 'The name and the note are lost. You can add the address again.',
    action: 'Remove',
    done: `${nameEntry(entry)} is removed`,
  })

/** Names an entry: an imported one may have no name. */
function nameEntry({ name, address }: AddressBookEntry): string {
  return name === '' ? shortenIdentifier(address) : name
}

interface AddressBookProps {
  /** The wallet that owns the address book. */
  readonly owner: string
}

/** The address book of a wallet. */
export function AddressBookSection({ owner }: AddressBookProps): ReactNode {
  return (
    <ResourceSection
      operation={addressBook.list}
      input={{ owner }}
      title="Address book"
      actions={() => [
        { label: 'Add address', kind: 'primary', icon: 'plus', onSelect: () => addEntry(owner) },
      ]}
      view={<ImportButton owner={owner} />}
      filters={{
        q: { label: 'Search by name, note or address', toInput: (keyword) => ({ keyword }) },
      }}
      columns={{
        name: {
          label: 'Name',
          sort: true,
          cell: ({ name }) => (name === '' ? <span className="faint">No name</span> : name),
        },
        address: { label: 'Address', sort: true, cell: ({ address }) => <WalletLink address={address} /> },
        remark: 'Note',
        createTime: { label: 'Added', sort: true },
      }}
      nameOf={nameEntry}
      rowActions={(entry) => [
        { label: 'Edit', onSelect: () => editEntry(entry) },
        { label: 'Remove', isDangerous: true, onSelect: () => removeEntry(entry) },
      ]}
      empty={{
        icon: 'people',
        title: 'The address book is empty',
        advice: 'Add an address, or import the wallets that this wallet follows.',
        adviceToRead: 'The addresses that this wallet names appear here.',
      }}
    />
  )
}

/** Imports the wallets that the owner follows. */
function ImportButton({ owner }: AddressBookProps): ReactNode {
  const { mutate, isPending, error } = useWrite(addressBook.importFollowing)
  const mayChange = useMayChange()
  if (!mayChange) return null
  const onSuccess = ({ length }: { readonly length: number }) => {
    const count = formatQuantity(length, { one: 'address is imported', other: 'addresses are imported' })
    const more = length === MAX_IMPORTED ? '. There may be more: import again.' : ''
    showToast(length === 0 ? 'All followed wallets are in the address book already' : count + more)
  }
  return (
    <>
      <Button onClick={() => mutate({ owner }, { onSuccess })} isPending={isPending}>
        Import followed wallets
      </Button>
      <ErrorNotice error={error} />
    </>
  )
}
