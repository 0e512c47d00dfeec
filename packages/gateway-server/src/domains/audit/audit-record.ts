import type { AuditEntry } from '@mintmark/admin'
import type { AuditRow } from './audit-store.ts'

/** The most bytes of changes whose values are not shortened. */
const MAX_WHOLE_BYTES = 32_768
/** The characters of a shortened value. The control characters of JSON have six bytes each. */
const SHORTENED = 100
/** The most bytes of the changes of an entry in a response: 60 columns with two values. */
export const MAX_CHANGES_BYTES = 60 * 2 * (SHORTENED * 6 + 30)

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    sequence: row.id,
    createTime: row.occurred_at.toISOString(),
    actor: row.actor,
    recordType: row.record_type,
    recordId: row.record_id,
    action: row.action,
    changes: toChanges(row.changes),
    hash: row.hash.toString('hex'),
  }
}

function toChanges(text: string): AuditEntry['changes'] {
  const changes = parseExactly(text) as AuditEntry['changes']
  if (Buffer.byteLength(text) <= MAX_WHOLE_BYTES) return changes
  for (const change of Object.values(changes)) {
    if ('before' in change) change.before = shorten(change.before)
    if ('after' in change) change.after = shorten(change.after)
  }
  return changes
}

function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= SHORTENED ? value : `${text.slice(0, SHORTENED - 1)}…`
}

/** Parses JSON. Numbers that JavaScript would round are their text. */
function parseExactly(text: string): unknown {
  const revive = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && isRounded(value, context.source)
      ? context.source
      : value
  return JSON.parse(text, revive)
}

const isRounded = (value: number, source: string): boolean =>
  Number.isInteger(value) ? !Number.isSafeInteger(value) : String(value) !== source
