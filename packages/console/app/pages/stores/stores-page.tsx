import { type Store, stores } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { getTimeZone } from '../../format/time.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { storesTexts as texts } from '../../texts/stores.ts'

const columns: readonly Column<Store>[] = [
  { key: 'name', header: texts.fields.name.label, cell: ({ name }) => <strong>{name}</strong> },
  {
    key: 'status',
    header: texts.fields.status.label,
    cell: ({ status }) =>
      status === 'OPEN' ? (
        <Badge tone="success">{texts.statuses.OPEN}</Badge>
      ) : (
        <Badge tone="neutral">{texts.statuses.CLOSED}</Badge>
      ),
  },
  { key: 'code', header: texts.fields.code.label, cell: ({ code }) => code || componentTexts.none },
  {
    key: 'address',
    header: texts.fields.address.label,
    cell: ({ address }) => address || componentTexts.none,
  },
  { key: 'timeZone', header: texts.fields.timeZone.label, cell: ({ timeZone }) => timeZone },
]

/** The stores of a project: creating, renaming and closing them. */
export function StoresPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const query = useOperation(stores.list, {})
  const [isCreating, setIsCreating] = useState(false)
  const [edited, setEdited] = useState<Store>()
  const close = () => {
    setIsCreating(false)
    setEdited(undefined)
  }
  return (
    <>
      <PageHeader
        title={texts.title}
        context={projectName}
        description={texts.description}
        actions={
          mayChange && (
            <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
              {texts.create}
            </Button>
          )
        }
      />
      <QueryView query={query}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="store" {...texts.empty} />
          ) : (
            <DataTable
              label={texts.title}
              columns={columns}
              rows={list}
              getKey={({ id }) => id}
              actions={mayChange ? (store) => <EditButton store={store} onEdit={setEdited} /> : undefined}
            />
          )
        }
      </QueryView>
      {(isCreating || edited !== undefined) && <StoreDialog store={edited} onClose={close} />}
    </>
  )
}

interface EditButtonProps {
  readonly store: Store
  readonly onEdit: (store: Store) => void
}

function EditButton({ store, onEdit }: EditButtonProps): ReactNode {
  return (
    <Button kind="plain" aria-label={texts.editOf(store.name)} onClick={() => onEdit(store)}>
      {texts.edit}
    </Button>
  )
}

const statusOptions = [
  { value: 'OPEN', label: texts.statuses.OPEN },
  { value: 'CLOSED', label: texts.statuses.CLOSED },
]

interface StoreDialogProps {
  /** The store that is changed. Undefined for a new one. */
  readonly store: Store | undefined
  readonly onClose: () => void
}

function StoreDialog({ store, onClose }: StoreDialogProps): ReactNode {
  const { name, code, address, timeZone, status } = texts.fields
  const fields = {
    name: { kind: 'text', isRequired: true, ...name },
    code: { kind: 'text', sendsEmpty: store !== undefined, ...code },
    address: { kind: 'text', sendsEmpty: store !== undefined, ...address },
    timeZone: { kind: 'text', isRequired: true, ...timeZone },
  } as const
  const shared = {
    onDone: (saved: Store) => {
      showToast(texts.saved(saved.name))
      onClose()
    },
    onCancel: onClose,
  }
  return (
    <Dialog
      title={store ? texts.editOf(store.name) : texts.create}
      isOpen
      onClose={onClose}
      isDismissable={false}
    >
      {store === undefined ? (
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
          fixed={{ id: store.id }}
          initial={store}
          action={componentTexts.save}
        />
      )}
    </Dialog>
  )
}
