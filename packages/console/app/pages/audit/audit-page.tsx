import { type AuditEntry, apiKeys, audit, people } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { type FiltersOf, useList } from '../../api/lists.ts'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { formatActor, type KnownActors } from './actors.ts'
import { AuditFilters, type AuditSearch } from './audit-filters.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { ActionBadge, ChangeSummary, formatRecord } from './entry-parts.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Verification } from './verification.tsx'

/** The audit log of a project. */
export function AuditPage(): ReactNode {
  const { projectName } = useProject()
  const [search, setSearch] = useSearchState('actor', 'type', 'record', 'action', 'from', 'to', 'page')
  const [entry, setEntry] = useState<AuditEntry>()
  const [isExporting, setIsExporting] = useState(false)
  const known = useKnownActors()
  const { page, ...filters } = search
  const query = useList(audit.list, toFilters(filters), { pageNumber: readPageNumber(page) })
  const onFilter = (changes: AuditSearch) => {
    setEntry(undefined)
    setSearch(changes)
  }
  return (
    <>
      <PageHeader
        title={auditTexts.title}
        context={projectName}
        description={auditTexts.description}
        actions={<Button onClick={() => setIsExporting(true)}>{auditTexts.export.action}</Button>}
      />
      <div className="section">
        <Verification />
      </div>
      <AuditFilters search={filters} known={known} onChange={onFilter} />
      <ListView
        label={auditTexts.title}
        query={query}
        columns={listColumns(known, setEntry)}
        getKey={({ sequence }) => sequence}
        empty={<EmptyState icon="audit" {...auditTexts.empty} />}
        isFiltered={Object.keys(filters).length > 0}
        onPage={(number) => setSearch({ page: String(number) })}
      />
      {entry !== undefined && (
        <EntryDialog entry={entry} known={known} onFilter={onFilter} onClose={() => setEntry(undefined)} />
      )}
      {isExporting && <ExportDialog filters={toFilters(filters)} onClose={() => setIsExporting(false)} />}
    </>
  )
}

/** Reads the names of people and keys. Without them, the page shows ids. */
function useKnownActors(): KnownActors {
  const { data: members = [] } = useOperation(people.list, {})
  const { data: keys = [] } = useOperation(apiKeys.list, {})
  return { people: members, keys }
}

/** Converts the address to the filters of the operation. */
function toFilters({ actor, type, record, action, from, to }: AuditSearch): FiltersOf<typeof audit.list> {
  return {
    ...(actor !== undefined && { actor }),
    ...(type !== undefined && { recordType: type }),
    ...(record !== undefined && { recordId: record }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function listColumns(known: KnownActors, onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] {
  const { columns } = auditTexts
  return [
    {
      key: 'record',
      header: columns.record,
      cell: (entry) => (
        <span className="row">
          <ActionBadge action={entry.action} />
          <button type="button" className="link-button row-link" onClick={() => onOpen(entry)}>
            {formatRecord(entry)}
          </button>
        </span>
      ),
    },
    { key: 'changes', header: columns.changes, cell: (entry) => <ChangeSummary entry={entry} /> },
    {
      key: 'actor',
      header: columns.actor,
      cell: ({ actor }) => (
        <span className="break" title={actor}>
          {formatActor(actor, known)}
        </span>
      ),
    },
    { key: 'time', header: columns.time, cell: ({ createTime }) => <Time value={createTime} /> },
    {
      key: 'sequence',
      header: columns.sequence,
      align: 'end',
      isWideOnly: true,
      cell: ({ sequence }) => formatCount(sequence),
    },
  ]
}
