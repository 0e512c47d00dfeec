import type { AuditEntry } from '@mintmark/admin'
import type { AuditRow } from './audit-store.ts'

/** The most characters of changes whose values are not shortened. A page has 100 entries, and a response 8 MiB. */
const MAX_CHANGES = 32_768
/** The characters of a shortened value. */
const SHORTENED = 200

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    sequence: row.id,
    time: row.occurred_at.toISOString(),
    actor: row.actor,
    recordType: row.record_type,
    recordId: row.record_id,
    action: row.action,
    changes: toChanges(row.changes),
    hash: row.hash,
  }
}

function toChanges(text: string): AuditEntry['changes'] {
  const changes = parseExactly(text) as AuditEntry['changes']
  if (text.length <= MAX_CHANGES) return changes
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
