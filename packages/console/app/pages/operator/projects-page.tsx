import { type OperatorProject, operatorProjects } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { formatCount } from '../../format/number.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { operatorProjectsTexts as texts } from '../../texts/operator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { InviteOwnerDialog } from './invite-owner-dialog.tsx'

const columns: readonly Column<OperatorProject>[] = [
  { key: 'name', header: texts.columns.name, cell: ({ name }) => <strong className="break">{name}</strong> },
  { key: 'id', header: texts.columns.id, align: 'end', cell: ({ projectId }) => projectId },
  {
    key: 'people',
    header: texts.columns.people,
    align: 'end',
    cell: ({ people }) =>
      people === 0 ? <Badge tone="warning">{texts.noOwner}</Badge> : formatCount(people),
  },
  {
    key: 'keys',
    header: texts.columns.keys,
    align: 'end',
    cell: ({ activeKeys }) => formatCount(activeKeys),
  },
  { key: 'created', header: texts.columns.created, cell: ({ createTime }) => <Time value={createTime} /> },
]

/** All projects of the server: creating one, and inviting its owner. */
export function ProjectsPage(): ReactNode {
  const { data, error, refetch, isFetching } = useOperation(operatorProjects.list, {})
  const [{ q = '' }, setSearch] = useSearchState('q')
  const [isCreating, setIsCreating] = useState(false)
  const [invited, setInvited] = useState<OperatorProject>()
  const onCreated = (project: OperatorProject) => {
    setIsCreating(false)
    setInvited(project)
  }
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
      <Toolbar isFiltered={q !== ''} onClear={() => setSearch({ q: undefined })}>
        <SearchField label={texts.search} value={q} onSearch={(text) => setSearch({ q: text })} />
      </Toolbar>
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data === undefined ? (
        error === null && <Skeleton lines={6} />
      ) : (
        <ProjectTable projects={data} search={q} onInvite={setInvited} />
      )}
      {isCreating && (
        <Dialog title={texts.create} isOpen onClose={() => setIsCreating(false)} isDismissable={false}>
          <OperationForm
            operation={operatorProjects.create}
            fields={{ name: { kind: 'text', isRequired: true, ...texts.fields.name } }}
            action={texts.create}
            onDone={onCreated}
            onCancel={() => setIsCreating(false)}
          />
        </Dialog>
      )}
      {invited !== undefined && <InviteOwnerDialog project={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}

interface ProjectTableProps {
  readonly projects: readonly OperatorProject[]
  /** A part of a name; `''` for all projects. */
  readonly search: string
  readonly onInvite: (project: OperatorProject) => void
}

function ProjectTable({ projects, search, onInvite }: ProjectTableProps): ReactNode {
  if (projects.length === 0) return <EmptyState icon="project" {...texts.empty} />
  const found = projects.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
  if (found.length === 0) {
    return (
      <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
    )
  }
  return (
    <DataTable
      label={texts.title}
      columns={columns}
      rows={found}
      getKey={({ projectId }) => projectId}
      actions={(project) =>
        project.people === 0 && (
          <Button kind="plain" onClick={() => onInvite(project)}>
            {texts.invite}
          </Button>
        )
      }
    />
  )
}
