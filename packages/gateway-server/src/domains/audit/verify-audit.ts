import { setImmediate as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import { type Entry, hashEntry, OCCURRED_AT_FORMAT } from './entry-hash.ts'

/** The number and the hash of an entry. The hash covers all entries before it too. */
export interface AuditHead {
  readonly sequence: number
  readonly hash: string
}

/** The first place at which a log is wrong. */
export interface AuditProblem {
  readonly sequence: number
  /** A sentence. */
  readonly reason: string
}

export interface VerificationOptions {
  /** An earlier head. The log must still have this entry with this hash. */
  readonly expected?: AuditHead | undefined
  /** Runs after each pause. What it throws ends the verification. */
  readonly onTurn?: () => void
}

/** Hashes between two pauses, in which other calls continue. They take a few milliseconds. */
const HASHES_PER_TURN = 100

export interface AuditVerification {
  /**
   * The number of entries before the first that is wrong or missing, or of all entries. Archived ones do not
   * count.
   */
  readonly entries: number
  /** The last entry that was archived, with the number 0 for none. The first entry must follow it. */
  readonly archived: AuditHead
  /** The newest entry. Undefined for an empty log. */
  readonly head: AuditHead | undefined
  /** Undefined if the log is complete and unchanged. */
  readonly problem: AuditProblem | undefined
}

/**
 * Verifies the log of a project: that no entry was changed, moved, removed or inserted, and that it ends at
 * the newest entry. Entries that are added meanwhile are not verified. Whoever can write both tables can also
 * replace the end of a log together with its hashes. Only an earlier head, which was kept elsewhere, shows
 * that.
 *
 * @param db Connections that see the project's rows.
 */
export async function verifyAudit(
  db: Db,
  project: number,
  { expected, onTurn }: VerificationOptions = {},
): Promise<AuditVerification> {
  const bounds = await readBounds(db, project)
  let last = bounds.archived
  let hashed = 0
  for await (const entry of streamEntries(db, project, bounds.newest)) {
    if (hashed % HASHES_PER_TURN === 0) {
      await pause()
      onTurn?.()
    }
    hashed += 1
    const reason = findProblem(entry, last, expected)
    if (reason !== undefined) return toVerification(bounds, { sequence: last.sequence + 1, reason }, last)
    last = { sequence: entry.sequence, hash: entry.hash }
  }
  return toVerification(bounds, findProblemAtEnd(last, bounds, expected), last)
}

function toVerification(
  { head, archived }: Bounds,
  problem: AuditProblem | undefined,
  last: AuditHead,
): AuditVerification {
  const verified = problem === undefined ? last.sequence : problem.sequence - 1
  return { entries: Math.max(0, verified - archived.sequence), archived, head, problem }
}

/** Says why an entry does not follow the one before. */
export function findProblem(
  entry: Entry,
  last: AuditHead,
  expected: AuditHead | undefined,
): string | undefined {
  const { sequence, hash } = entry
  if (sequence <= last.sequence) return `Another entry with the number ${sequence} was inserted`
  if (sequence !== last.sequence + 1) return `The entry is missing. The next one has the number ${sequence}`
  if (hash !== hashEntry(entry))
    return 'The entry was changed, or moved here from another place: its hash is not that of its fields'
  if (entry.previousHash !== last.hash)
    return 'The entry was inserted or replaced: it does not follow the entry before'
  if (sequence === expected?.sequence && hash !== expected.hash)
    return 'The log was rewritten: the entry does not have the expected hash'
  return undefined
}

/** Says why the log does not end where it should. */
function findProblemAtEnd(
  last: AuditHead,
  { head, newest, archived }: Bounds,
  expected: AuditHead | undefined,
): AuditProblem | undefined {
  const next = last.sequence + 1
  const recorded = head?.sequence ?? 0
  if (last.sequence < newest)
    return { sequence: next, reason: 'The entry was removed during the verification' }
  if (last.sequence < recorded)
    return { sequence: next, reason: `The entry is missing. The log ends at the number ${recorded}` }
  if (last.sequence > recorded) {
    return { sequence: recorded + 1, reason: `The log ends at the number ${recorded}, but it has this entry` }
  }
  if (head !== undefined && head.hash !== last.hash)
    return { sequence: last.sequence, reason: 'The entry does not have the hash at which the log ends' }
  if (expected !== undefined && expected.sequence > last.sequence)
    return { sequence: next, reason: `The entry is missing. The number ${expected.sequence} is expected` }
  if (expected !== undefined && expected.sequence < archived.sequence)
    return {
      sequence: expected.sequence,
      reason: 'The entry is archived, so its archive must be verified too',
    }
  if (expected?.sequence === archived.sequence && expected.hash !== archived.hash)
    return {
      sequence: expected.sequence,
      reason: 'The log was rewritten: the entry does not have the expected hash',
    }
  return undefined
}

interface Bounds {
  readonly archived: AuditHead
  /** Where the log ends, as the head says. */
  readonly head: AuditHead | undefined
  /** The largest number of an entry; 0 without entries. */
  readonly newest: number
}

/** Reads the head and the newest entry at the same moment. */
export async function readBounds(db: Db, project: number): Promise<Bounds> {
  const { rows } = await sql<{
    newest: number
    sequence: number | null
    hash: string | null
    archived_sequence: number
    archived_hash: string
  }>`
    select coalesce((
        select e.id from gateway.audit_entries e where e.project_id = ${project} order by e.id desc limit 1), 0) as newest,
      h.sequence, encode(h.hash, 'hex') as hash, coalesce(h.archived_sequence, 0) as archived_sequence,
      coalesce(encode(h.archived_hash, 'hex'), '') as archived_hash
    from (values (${project}::bigint)) p (id) left join gateway.audit_heads h on h.project_id = p.id`.execute(
    db,
  )
  const {
    newest = 0,
    sequence = null,
    hash = null,
    archived_sequence = 0,
    archived_hash = '',
  } = rows[0] ?? {}
  const archived = { sequence: archived_sequence, hash: archived_hash }
  return { newest, archived, head: sequence === null || hash === null ? undefined : { sequence, hash } }
}

/** How many entries one statement reads. */
const BATCH_SIZE = 1000

/** The place before an entry. Owners can insert any number, so the first place is before all of them. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER

/**
 * Streams the entries of a project in their order: those with larger numbers than `after`, up to `upTo`. If
 * two have the same number, which only the owner could insert, it streams both.
 */
export async function* streamEntries(
  db: Db,
  project: number,
  upTo: number,
  after: number = BEFORE_ALL,
): AsyncGenerator<Entry> {
  for (let last = { sequence: after, recordedAt: 'infinity' }; ; ) {
    const { rows }: { rows: (Entry & { recordedAt: string })[] } = await sql<Entry & { recordedAt: string }>`
      select project_id as project, id as sequence,
        to_char(occurred_at at time zone 'UTC', ${OCCURRED_AT_FORMAT}) as "occurredAt", actor,
        record_type as "recordType", record_id as "recordId", action, changes::text as changes,
        encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash,
        recorded_at::text as "recordedAt"
      from gateway.audit_entries
      where project_id = ${project} and (id, recorded_at) > (${last.sequence}, ${last.recordedAt}::timestamptz) and id <= ${upTo}
      order by id, recorded_at limit ${BATCH_SIZE}`.execute(db)
    for (const { recordedAt: _, ...entry } of rows) yield entry
    const newest = rows.at(-1)
    if (newest === undefined || rows.length < BATCH_SIZE) return
    last = newest
  }
}
