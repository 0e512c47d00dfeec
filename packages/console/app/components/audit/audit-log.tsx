import type { AuditEntry, audit, serverAudit } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { type FiltersOf, useList } from '../../api/lists.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { Button } from '../button.tsx'
import type { Columns } from '../data-table.tsx'
import { ListView } from '../list-view.tsx'
import { PageHeader } from '../page-header.tsx'
import { EmptyState } from '../placeholders.tsx'
import { formatKnownActor, type KnownActors } from './actors.ts'
import { AuditFilters, type AuditSearch } from './audit-filters.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { ActionBadge, ChangeSummary, formatRecord } from './entry-parts.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { Verification } from './verification.tsx'

/** The log of a project, or that of the server. */
export interface AuditSource {
  /** The number of the log: that of the project, or 0. */
  readonly project: number
  readonly list: typeof audit.list | typeof serverAudit.list
  readonly verify: typeof audit.verify | typeof serverAudit.verify
}

/** The input of both lists without the fields that select a page. */
type AuditFilterInput = FiltersOf<typeof audit.list>

interface AuditLogProps {
  readonly source: AuditSource
  readonly known: KnownActors
  /** The names of the kinds of records that the log can have. */
  readonly recordTypes: Readonly<Record<string, string>>
  readonly title: string
  /** What the title belongs to, such as the name of the project. */
  readonly context: string
  readonly description: string
}

/** A page with an audit log: its verification, its entries by filters, and its export. */
export function AuditLog(props: AuditLogProps): ReactNode {
  const { source, known, recordTypes, title, context, description } = props
  const [search, setSearch] = useSearchState('actor', 'type', 'record', 'action', 'from', 'to', 'page')
  const [entry, setEntry] = useState<AuditEntry>()
  const [isExporting, setIsExporting] = useState(false)
  const { page, ...filters } = search
  const query = useList(source.list, toFilters(filters), { pageNumber: readPageNumber(page) })
  const onFilter = (changes: AuditSearch) => {
    setEntry(undefined)
    setSearch(changes)
  }
  return (
    <>
      <PageHeader
        title={title}
        context={context}
        description={description}
        actions={<Button onClick={() => setIsExporting(true)}>Export</Button>}
      />
      <div className="section">
        <Verification source={source} />
      </div>
      <AuditFilters search={filters} known={known} recordTypes={recordTypes} onChange={onFilter} />
      <ListView
        label={title}
        query={query}
        columns={listColumns(known, setEntry)}
        getKey={({ sequence }) => sequence}
        empty={
          <EmptyState
            icon="audit"
            title="No entries yet"
            advice="An entry appears with the next change of a record, whoever makes it."
          />
        }
        isFiltered={Object.keys(filters).length > 0}
        onPage={(number) => setSearch({ page: String(number) })}
      />
      {entry !== undefined && (
        <EntryDialog entry={entry} known={known} onFilter={onFilter} onClose={() => setEntry(undefined)} />
      )}
      {isExporting && (
        <ExportDialog source={source} filters={toFilters(filters)} onClose={() => setIsExporting(false)} />
      )}
    </>
  )
}

/** Converts the address to the filters of the operation. */
function toFilters({ actor, type, record, action, from, to }: AuditSearch): AuditFilterInput {
  return {
    ...(actor !== undefined && { actor }),
    ...(type !== undefined && { recordType: type }),
    ...(record !== undefined && { recordId: record }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function listColumns(known: KnownActors, onOpen: (entry: AuditEntry) => void): Columns<AuditEntry> {
  return {
    action: {
      label: 'Record',
      cell: (entry) => (
        <span className="row">
          <ActionBadge action={entry.action} />
          <button
            type="button"
            className="link-button row-link"
            title={formatRecord(entry)}
            onClick={() => onOpen(entry)}
          >
            {formatRecord({ ...entry, recordId: shortenIdentifier(entry.recordId) })}
          </button>
        </span>
      ),
    },
    changes: { label: 'Changes', cell: (entry) => <ChangeSummary entry={entry} /> },
    actor: {
      label: 'Who',
      cell: ({ actor }) => (
        <span className="break" title={actor}>
          {formatKnownActor(actor, known)}
        </span>
      ),
    },
    createTime: 'When',
    sequence: { label: 'Number', isWideOnly: true },
  }
}
