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
  { key: 'name', header: 'Name', cell: ({ name }) => <strong className="break">{name}</strong> },
  { key: 'id', header: 'Number', align: 'end', cell: ({ projectId }) => projectId },
  {
    key: 'people',
    header: 'People',
    align: 'end',
    cell: ({ people }) => (people === 0 ? <Badge tone="warning">Nobody yet</Badge> : formatCount(people)),
  },
  {
    key: 'keys',
    header: 'Active keys',
    align: 'end',
    cell: ({ activeKeys }) => formatCount(activeKeys),
  },
  { key: 'created', header: 'Created', cell: ({ createTime }) => <Time value={createTime} /> },
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
        context="Operator"
        description="All projects of this server. Each has its own people, keys and records."
        actions={
          <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
            {texts.create}
          </Button>
        }
      />
      <Toolbar isFiltered={q !== ''} onClear={() => setSearch({ q: undefined })}>
        <SearchField label="Search by name" value={q} onSearch={(text) => setSearch({ q: text })} />
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
            fields={{
              name: {
                kind: 'text',
                isRequired: true,
                label: 'Name',
                description: 'The name of the shop or the company, such as Corner Coffee.',
              },
            }}
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
  if (projects.length === 0)
    return (
      <EmptyState
        icon="project"
        title="No projects yet"
        advice="Create the first one, then invite its owner."
      />
    )
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
            Invite its owner
          </Button>
        )
      }
    />
  )
}
