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

/** Formats a value of a column. A text has quotes only where it would look like another value without them. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return looksLikeOtherValue(value) ? JSON.stringify(value) : value
  return value === undefined ? auditTexts.nothing : JSON.stringify(value, undefined, 1)
}

/** Texts that look like no value or a truth value. */
const WORDS_OF_VALUES: readonly string[] = ['', 'null', 'true', 'false', auditTexts.nothing]

/** Whether a text without quotes looks like no value, a truth value, a list, an object or another text. */
function looksLikeOtherValue(text: string): boolean {
  return WORDS_OF_VALUES.includes(text) || /^["[{]/.test(text) || text.trim() !== text
}

/** Columns that say nothing about what was changed. */
const BOOKKEEPING: readonly string[] = ['created_at']

/** Columns by which people know a record, the best ones first. */
const NAMES: readonly string[] = ['name', 'order_no', 'email', 'url', 'status', 'role']

/** Selects the changes that say most about an entry, for one line of a list. */
export function selectTelling(changes: readonly FieldChange[], count: number): readonly FieldChange[] {
  const telling = changes.filter(({ field }) => !BOOKKEEPING.includes(field))
  const names = NAMES.flatMap((name) => telling.filter(({ field }) => field === name))
  const others = telling.filter((change) => !names.includes(change))
  return (telling.length > 0 ? [...names, ...others] : changes).slice(0, count)
}
