import { type Store, stores } from '@mintmark/cards'
import { Badge } from '../../components/badge.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { getTimeZone } from '../../format/time.ts'
import { t } from '../../language/translate.ts'

const statusOptions = [
  { value: 'OPEN', label: t('Open||store') },
  { value: 'CLOSED', label: t('Closed') },
]

const listFields = (sendsEmpty: boolean) =>
  ({
    name: {
      kind: 'text',
      isRequired: true,
      label: t('Name'),
      description: t('What staff choose at the scanner. Cards of the store follow it to another name.'),
    },
    code: {
      kind: 'text',
      sendsEmpty,
      label: t('Code'),
      description: t('A short code that can be used instead, such as BER1.'),
    },
    address: { kind: 'text', sendsEmpty, label: t('Address'), description: t('For your own information.') },
    timeZone: {
      kind: 'text',
      isRequired: true,
      label: t('Time zone'),
      description: t('Where its days begin, such as Europe/Berlin.'),
    },
  }) as const

const done = ({ name }: Store) => t('{name} is saved', { name })

const addStore = () =>
  openForm({
    operation: stores.create,
    fields: listFields(false),
    initial: { timeZone: getTimeZone() },
    title: t('Add store'),
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
        label: t('Status'),
        description: t('Closed: new cards cannot name it. Issued cards keep it.'),
      },
    },
    fixed: { id: store.id },
    initial: store,
    title: t('Edit {name}', { name: store.name }),
    action: t('Save'),
    done,
  })

/** The stores of a project: creating, renaming and closing them. */
export const StoresPage = defineResource(stores.list, {
  title: t('Stores'),
  description: t('Where customers show their cards. Cards and scanners choose from these stores.'),
  actions: () => [{ label: t('Add store'), kind: 'primary', icon: 'plus', onSelect: addStore }],
  columns: {
    name: { label: t('Name'), cell: ({ name }) => <strong>{name}</strong> },
    status: {
      label: t('Status'),
      cell: ({ status }) =>
        status === 'OPEN' ? (
          <Badge tone="success">{t('Open||store')}</Badge>
        ) : (
          <Badge tone="neutral">{t('Closed')}</Badge>
        ),
    },
    code: t('Code'),
    address: t('Address'),
    timeZone: t('Time zone'),
  },
  nameOf: ({ name }) => name,
  rowActions: (store) => [{ label: t('Edit'), onSelect: () => editStore(store) }],
  empty: {
    icon: 'store',
    title: t('No stores yet'),
    advice: t(
      'You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here.',
    ),
    adviceToRead: t('Stores appear here when a manager adds them.'),
  },
})
