import { createHash } from 'node:crypto'

/** All fields of an entry except its hash, as texts that do not depend on the settings of a connection. */
export interface HashedEntry {
  readonly project: number
  /** The number of the entry in its project. */
  readonly sequence: number
  /** In UTC with microseconds, in `OCCURRED_AT_FORMAT`. */
  readonly occurredAt: string
  readonly actor: string
  readonly recordType: string
  readonly recordId: string
  readonly action: string
  /** As PostgreSQL writes jsonb. */
  readonly changes: string
  /** The hash of the entry before; '' for the first one. */
  readonly previousHash: string
}

/**
 * The format of a time in SQL. JavaScript's times have milliseconds, and the hash must cover the microseconds
 * too.
 */
export const OCCURRED_AT_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'

/**
 * Returns the SHA-256 of an entry in hexadecimal digits. It covers the hash of the entry before, and
 * therefore all earlier entries.
 */
export function hashEntry(entry: HashedEntry): string {
  // A JSON array, so that no two entries have the same text.
  const text = JSON.stringify([
    entry.project,
    entry.sequence,
    entry.occurredAt,
    entry.actor,
    entry.recordType,
    entry.recordId,
    entry.action,
    entry.changes,
    entry.previousHash,
  ])
  return createHash('sha256').update(text).digest('hex')
}

/** An entry with its hash. */
export type Entry = HashedEntry & { readonly hash: string }

/**
 * Formats an entry as JSON. Its changes are exactly the text that the hash covers: parsed and written again,
 * numbers would be rounded.
 */
export function formatEntry({ changes, ...entry }: Entry): string {
  return `${JSON.stringify(entry).slice(0, -1)},"changes":${changes}}`
}
