import type { AuditEntry, audit, serverAudit } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { auditTexts } from '../../texts/audit.ts'
import type { Columns } from '../data-table.tsx'
import { openDialog } from '../open-dialog.tsx'
import { ResourcePage } from '../resource.tsx'
import { formatKnownActor, type KnownActors, listActorOptions } from './actors.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { ActionBadge, ChangeSummary, formatRecord } from './entry-parts.tsx'
import { ExportLog } from './export-log.tsx'
import { Verification } from './verification.tsx'

/** The log of a project, or that of the server. */
export interface AuditSource {
  /** The number of the log: that of the project, or 0. */
  readonly project: number
  readonly list: typeof audit.list | typeof serverAudit.list
  readonly verify: typeof audit.verify | typeof serverAudit.verify
}

interface AuditLogProps {
  readonly source: AuditSource
  readonly known: KnownActors
  /** The names of the kinds of records that the log can have. */
  readonly recordTypes: Readonly<Record<string, string>>
  readonly title: string
  readonly description: string
}

/** A page with an audit log: its verification, its entries by filters, and its export. */
export function AuditLog({ source, known, recordTypes, ...page }: AuditLogProps): ReactNode {
  const [, setSearch] = useSearchState('actor', 'type', 'record')
  const openEntry = (entry: AuditEntry) =>
    openDialog((close) => (
      <EntryDialog
        entry={entry}
        known={known}
        onFilter={(changes) => {
          setSearch(changes)
          close()
        }}
        onClose={() => close()}
      />
    ))
  return (
    <ResourcePage<AuditSource['list']>
      {...page}
      operation={source.list}
      actions={({ search }) => [
        {
          label: t('Export'),
          isForReaders: true,
          onSelect: () =>
            openDialog((close) => <ExportLog source={source} search={search} onClose={() => close()} />),
        },
      ]}
      above={
        <div className="section">
          <Verification source={source} />
        </div>
      }
      filters={{
        record: { label: t('Search by the id of a record'), toInput: (recordId) => ({ recordId }) },
        actor: {
          label: t('Who'),
          options: (selected) => listActorOptions(known, selected),
          toInput: (actor) => ({ actor }),
        },
        type: {
          label: t('Kind of record'),
          options: (selected) => toOptions(recordTypes, selected),
          toInput: (recordType) => ({ recordType }),
        },
        action: {
          label: t('Action'),
          options: (selected) => toOptions(auditTexts.actions, selected),
          toInput: (action) => ({ action }),
        },
        from: { label: t('From'), isTime: true, toInput: (from) => ({ from }) },
        to: { label: t('To'), isTime: true, toInput: (to) => ({ to }) },
      }}
      columns={listColumns(known)}
      getKey={({ sequence }) => sequence}
      onOpen={openEntry}
      empty={{
        icon: 'audit',
        title: t('No entries yet'),
        advice: t('An entry appears with the next change of a record, whoever makes it.'),
      }}
    />
  )
}

/** Lists values with their names. The selected value is always among them. */
function toOptions(names: Readonly<Record<string, string>>, selected: string) {
  const all = selected === '' || Object.hasOwn(names, selected) ? names : { [selected]: selected, ...names }
  return Object.entries(all).map(([value, label]) => ({ value, label }))
}

function listColumns(known: KnownActors): Columns<AuditEntry> {
  return {
    action: {
      label: t('Record'),
      cell: (entry) => (
        <span className="row" title={formatRecord(entry)}>
          <ActionBadge action={entry.action} />
          {formatRecord({ ...entry, recordId: shortenIdentifier(entry.recordId) })}
        </span>
      ),
    },
    changes: { label: t('Changes'), cell: (entry) => <ChangeSummary entry={entry} /> },
    actor: {
      label: t('Who'),
      cell: ({ actor }) => (
        <span className="break" title={actor}>
          {formatKnownActor(actor, known)}
        </span>
      ),
    },
    createTime: t('When'),
    sequence: { label: t('Number'), isWideOnly: true },
  }
}
