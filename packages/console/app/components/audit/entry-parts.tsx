import { type AuditEntry, audit } from '@mintmark/admin'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { mayOpen } from '../../navigation/areas.ts'
import { useProject } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { Badge, type Tone } from '../badge.tsx'
import { type FieldChange, listChanges, selectTelling } from './changes.ts'

const tones: Readonly<Record<string, Tone>> = { CREATED: 'success', UPDATED: 'info', DELETED: 'danger' }

/** Shows what a change did to a record. */
export function ActionBadge({ action }: Pick<AuditEntry, 'action'>): ReactNode {
  const names: Readonly<Record<string, string>> = auditTexts.actions
  return <Badge tone={tones[action] ?? 'neutral'}>{names[action] ?? action}</Badge>
}

/** Formats the record of an entry: its kind in words, and its id. */
export function formatRecord({ recordType, recordId }: Pick<AuditEntry, 'recordType' | 'recordId'>): string {
  const names: Readonly<Record<string, string>> = {
    ...auditTexts.recordTypes,
    ...auditTexts.serverRecordTypes,
  }
  return `${names[recordType] ?? recordType} ${recordId}`
}

/** A list shows so many fields of an entry. */
const SHOWN_FIELDS = 2

/**
 * Shows the fields of an entry in a line or two: of a changed record with their values, otherwise their
 * names.
 */
export function ChangeSummary({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const changes = listChanges(entry)
  const shown = selectTelling(changes, SHOWN_FIELDS)
  const others = changes.length - shown.length
  return (
    <div className="change-summary">
      {shown.map((change) => (
        <div key={change.field} className="truncate">
          {formatChange(change)}
        </div>
      ))}
      {others > 0 && <div className="faint">{t('and {others} more', { others: formatCount(others) })}</div>}
    </div>
  )
}

function formatChange({ field, before, after }: FieldChange): string {
  if (before === undefined || after === undefined) {
    return `${field}: ${before ?? after ?? auditTexts.nothing}`
  }
  return `${field}: ${before} → ${after}`
}

/** Reads what the audit log has about a record, if the person may read it. */
export function useRecordLog(recordType: string, id: number) {
  const { role } = useProject()
  const mayRead = mayOpen(role, 'audit')
  const input = { recordType, recordId: String(id), pageSize: MAX_PAGE_SIZE }
  const { data, error, isPending } = useOperation(audit.list, input, { enabled: mayRead })
  return { mayRead, entries: data?.list ?? [], error, isPending: mayRead && isPending }
}
