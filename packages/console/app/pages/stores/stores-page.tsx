import { type Store, stores } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { getTimeZone } from '../../format/time.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { storesTexts as texts } from '../../texts/stores.ts'

const { name, code, address, timeZone, status } = texts.fields
const statusOptions = Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))

const columns: readonly Column<Store>[] = [
  { key: 'name', header: name.label, cell: (store) => <strong>{store.name}</strong> },
  {
    key: 'status',
    header: status.label,
    cell: (store) =>
      store.status === 'OPEN' ? (
        <Badge tone="success">{texts.statuses.OPEN}</Badge>
      ) : (
        <Badge tone="neutral">{texts.statuses.CLOSED}</Badge>
      ),
  },
  { key: 'code', header: code.label, cell: (store) => store.code || componentTexts.none },
  { key: 'address', header: address.label, cell: (store) => store.address || componentTexts.none },
  { key: 'timeZone', header: timeZone.label, cell: (store) => store.timeZone },
]

/** The stores of a project: creating, renaming and closing them. */
export function StoresPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const query = useOperation(stores.list, {})
  const [edited, setEdited] = useState<Store | 'new'>()
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
      {texts.create}
    </Button>
  )
  const toEdit = (store: Store) => (
    <Button kind="plain" aria-label={texts.editOf(store.name)} onClick={() => setEdited(store)}>
      Edit
    </Button>
  )
  return (
    <>
      <PageHeader
        title={texts.title}
        context={projectName}
        description="Where customers show their cards. Cards and scanners choose from these stores."
        actions={create}
      />
      <QueryTable
        label={texts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="store"
            title="No stores yet"
            advice="You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here."
            adviceToRead="Stores appear here when a manager adds them."
          />
        }
        actions={mayChange ? toEdit : undefined}
      />
      {edited !== undefined && <StoreDialog edited={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

interface StoreDialogProps {
  readonly edited: Store | 'new'
  readonly onClose: () => void
}

function StoreDialog({ edited, onClose }: StoreDialogProps): ReactNode {
  const isNew = edited === 'new'
  const fields = {
    name: { kind: 'text', isRequired: true, ...name },
    code: { kind: 'text', sendsEmpty: !isNew, ...code },
    address: { kind: 'text', sendsEmpty: !isNew, ...address },
    timeZone: { kind: 'text', isRequired: true, ...timeZone },
  } as const
  const onDone = (saved: Store) => {
    showToast(`${saved.name} is saved`)
    onClose()
  }
  const shared = { onDone, onCancel: onClose }
  const title = isNew ? texts.create : texts.editOf(edited.name)
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={false}>
      {isNew ? (
        <OperationForm
          {...shared}
          operation={stores.create}
          fields={fields}
          initial={{ timeZone: getTimeZone() }}
          action={texts.create}
        />
      ) : (
        <OperationForm
          {...shared}
          operation={stores.update}
          fields={{
            ...fields,
            status: { kind: 'select', isRequired: true, options: statusOptions, ...status },
          }}
          fixed={{ id: edited.id }}
          initial={edited}
          action={componentTexts.save}
        />
      )}
    </Dialog>
  )
}
