import type { AuditEntry } from '@mintmark/admin'
import { auditTexts } from '../../texts/audit.ts'

/** A field of a record with its values as texts. */
export interface FieldChange {
  readonly field: string
  /** Undefined if the record did not exist. */
  readonly before: string | undefined
  /** Undefined if the record no longer exists. */
  readonly after: string | undefined
}

/** Lists the changed fields of an entry by name. */
export function listChanges({ changes }: Pick<AuditEntry, 'changes'>): readonly FieldChange[] {
  return Object.entries(changes)
    .map(([field, change]) => ({
      field,
      before: 'before' in change ? formatValue(change.before) : undefined,
      after: 'after' in change ? formatValue(change.after) : undefined,
    }))
    .sort((one, other) => one.field.localeCompare(other.field))
}

/**
 * Formats a value of a column. Texts are shown without quotes; an empty text and no value are shown as such.
 */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value
  return value === undefined ? auditTexts.nothing : JSON.stringify(value, undefined, 1)
}

/** Columns that every change of a record writes. They say nothing about what was changed. */
const BOOKKEEPING: readonly string[] = ['created_at', 'updated_at', 'revision']

/** Columns by which people know a record, the best ones first. */
const NAMES: readonly string[] = ['name', 'order_no', 'email', 'url', 'status', 'role']

/** Selects the changes that say most about an entry, for one line of a list. */
export function selectTelling(changes: readonly FieldChange[], count: number): readonly FieldChange[] {
  const telling = changes.filter(({ field }) => !BOOKKEEPING.includes(field))
  const names = NAMES.flatMap((name) => telling.filter(({ field }) => field === name))
  const others = telling.filter((change) => !names.includes(change))
  return (telling.length > 0 ? [...names, ...others] : changes).slice(0, count)
}
