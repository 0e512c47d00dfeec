import { type Store, stores } from '@mintmark/cards'
import { Badge } from '../../components/badge.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { getTimeZone } from '../../format/time.ts'

const statusOptions = [
  { value: 'OPEN', label: 'Open' },
  { value: 'CLOSED', label: 'Closed' },
]

const listFields = (sendsEmpty: boolean) =>
  ({
    name: {
      kind: 'text',
      isRequired: true,
      label: 'Name',
      description: 'What staff choose at the scanner. Cards of the store follow it to another name.',
    },
    code: {
      kind: 'text',
      sendsEmpty,
      label: 'Code',
      description: 'A short code that can be used instead, such as BER1.',
    },
    address: { kind: 'text', sendsEmpty, label: 'Address', description: 'For your own information.' },
    timeZone: {
      kind: 'text',
      isRequired: true,
      label: 'Time zone',
      description: 'Where its days begin, such as Europe/Berlin.',
    },
  }) as const

const done = ({ name }: Store) => `${name} is saved`

const addStore = () =>
  openForm({
    operation: stores.create,
    fields: listFields(false),
    initial: { timeZone: getTimeZone() },
    title: 'Add store',
    done,
  })

const editStore = (store: Store) =>
  openForm({
    operation: stores.update,
    fields: {
      ...listFields(true),
      status: {
        kind: 'select',
        isRequired: true,
        options: statusOptions,
        label: 'Status',
        description: 'Closed: new cards cannot name it. Issued cards keep it.',
      },
    },
    fixed: { id: store.id },
    initial: store,
    title: `Edit ${store.name}`,
    action: 'Save',
    done,
  })

/** The stores of a project: creating, renaming and closing them. */
export const StoresPage = defineResource(stores.list, {
  title: 'Stores',
  description: 'Where customers show their cards. Cards and scanners choose from these stores.',
  actions: () => [{ label: 'Add store', kind: 'primary', icon: 'plus', onSelect: addStore }],
  columns: {
    name: { label: 'Name', cell: ({ name }) => <strong>{name}</strong> },
    status: {
      label: 'Status',
      cell: ({ status }) =>
        status === 'OPEN' ? <Badge tone="success">Open</Badge> : <Badge tone="neutral">Closed</Badge>,
    },
    code: 'Code',
    address: 'Address',
    timeZone: 'Time zone',
  },
  nameOf: ({ name }) => name,
  rowActions: (store) => [{ label: 'Edit', onSelect: () => editStore(store) }],
  empty: {
    icon: 'store',
    title: 'No stores yet',
    advice:
      'You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here.',
    adviceToRead: 'Stores appear here when a manager adds them.',
  },
})
