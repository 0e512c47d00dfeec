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
import { t } from '../../language/translate.ts'
import { useMayChange } from '../../session/project-context.tsx'

const isRequired = true
/** The most addresses that one call imports. */
const MAX_IMPORTED = 2000

const fields = {
  name: { kind: 'text', isRequired, label: t('Name'), description: t('At most 200 characters.') },
  address: { kind: 'address', isRequired, label: t('Address') },
  remark: { kind: 'multiline', sendsEmpty: true, label: t('Note') },
} as const

const addEntry = (owner: string) =>
  openForm({
    operation: addressBook.add,
    fields,
    fixed: { owner },
    title: t('Add address'),
    done: ({ name }) => t('{name} is in the address book', { name }),
  })

const editEntry = (entry: AddressBookEntry) =>
  openForm({
    operation: addressBook.update,
    fields,
    fixed: { id: entry.id },
    initial: entry,
    title: t('Edit {name}', { name: nameEntry(entry) }),
    action: t('Save'),
    done: ({ name }) => t('{name} is saved', { name }),
  })

const removeEntry = (entry: AddressBookEntry) =>
  confirm({
    operation: addressBook.remove,
    input: { id: entry.id },
    title: t('Remove {name} from the address book?', { name: nameEntry(entry) }),
    text: t('The name and the note are lost. You can add the address again.'),
    action: t('Remove'),
    done: t('{name} is removed', { name: nameEntry(entry) }),
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
      title={t('Address book')}
      actions={() => [
        { label: t('Add address'), kind: 'primary', icon: 'plus', onSelect: () => addEntry(owner) },
      ]}
      view={<ImportButton owner={owner} />}
      filters={{
        q: { label: t('Search by name, note or address'), toInput: (keyword) => ({ keyword }) },
      }}
      columns={{
        name: {
          label: t('Name'),
          sort: true,
          cell: ({ name }) => (name === '' ? <span className="faint">{t('No name')}</span> : name),
        },
        address: { label: t('Address'), sort: true, cell: ({ address }) => <WalletLink address={address} /> },
        remark: t('Note'),
        createTime: { label: t('Added'), sort: true },
      }}
      nameOf={nameEntry}
      rowActions={(entry) => [
        { label: t('Edit'), onSelect: () => editEntry(entry) },
        { label: t('Remove'), isDangerous: true, onSelect: () => removeEntry(entry) },
      ]}
      empty={{
        icon: 'people',
        title: t('The address book is empty'),
        advice: t('Add an address, or import the wallets that this wallet follows.'),
        adviceToRead: t('The addresses that this wallet names appear here.'),
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
    if (length === 0) return showToast(t('All followed wallets are in the address book already'))
    const done = t('{count, plural, one {# address is imported} other {# addresses are imported}}', {
      count: length,
    })
    showToast(length === MAX_IMPORTED ? t('{done}. There may be more: import again.', { done }) : done)
  }
  return (
    <>
      <Button onClick={() => mutate({ owner }, { onSuccess })} isPending={isPending}>
        {t('Import followed wallets')}
      </Button>
      <ErrorNotice error={error} />
    </>
  )
}
