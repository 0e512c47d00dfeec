import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { findListChanges, listRecordedTables } from '../postgres/list-changes.ts'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'

// Kysely's types cannot follow a query whose tables are unknown; a list needs of it only that it has an `id`.
export type ListQuery<Row> = SelectQueryBuilder<Record<string, { id: number }>, string, Row>

/** Counts are exact up to here; above, a count may be `COUNT_KEPT_MS` old. */
const EXACT_TO = 10_000
/** Counts up to here are cheaper to repeat than to keep. */
const REPEATED_TO = 1000
const COUNT_KEPT_MS = 10_000
/** What a list contains may also change because time passes; nobody records that. */
const CLOCK_KEPT_MS = 1000
/** A count that is read past this age is renewed in the background, so that callers do not wait for it. */
const COUNT_RENEWED_MS = 5000
/** Counts kept for one project. */
const COUNTS_KEPT = 200

interface KeptCount {
  total: number
  /** The snapshot of the database that it was counted in. */
  snapshot: string
  at: number
  renewing: boolean
}

/** By the Kysely instance, which belongs to one database and one project. */
const countsOf = new WeakMap<object, Map<string, KeptCount>>()

interface Count {
  readonly db: Kysely<never>
  readonly rows: ListQuery<object>
  readonly key: string
  readonly kept: Map<string, KeptCount>
  /** Tells whether one of the query's tables changed after a snapshot; undefined where that is not recorded. */
  readonly changedSince: ((snapshot: string) => RawBuilder<boolean>) | undefined
  readonly keptMs: number
}

/**
 * Counts the rows of a list: exactly up to 10,000, as all writes that were committed before the call left them; above, the count may be ten seconds old.
 * Counts above 1,000 are kept, and repeated when one of the query's tables has changed.
 */
export async function countList(db: Kysely<never>, query: ListQuery<object>): Promise<number> {
  const count = countOf(db, query)
  const known = db.isTransaction ? undefined : count.kept.get(count.key)
  const now = Date.now()
  if (known === undefined || now - known.at >= COUNT_KEPT_MS) return await countAnew(count)
  if (known.total > EXACT_TO) {
    if (now - known.at > COUNT_RENEWED_MS && !known.renewing) {
      known.renewing = true
      // Where it fails, the next caller past the count's time gets the error.
      void countAll(count).catch(() => count.kept.delete(count.key))
    }
    return known.total
  }
  if (count.changedSince === undefined || now - known.at >= count.keptMs) return await countAnew(count)
  return await countIfChanged(count, known, count.changedSince(known.snapshot))
}

function countOf(db: Kysely<never>, query: ListQuery<object>): Count {
  const rows = query.clearSelect().select(sql<number>`1`.as('one'))
  const { sql: text, parameters } = rows.compile()
  let kept = countsOf.get(db)
  if (kept === undefined) {
    kept = new Map()
    countsOf.set(db, kept)
  }
  const changes = findListChanges(db)
  const tables = changes && listRecordedTables(text, changes)
  const changedSince =
    changes &&
    tables &&
    ((snapshot: string) => sql<boolean>`exists (
      select from ${sql.table(`${changes.schema}.${changes.table}`)}
      where relation = any(${tables}::text[]) and transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
        and not pg_visible_in_snapshot(transaction, ${snapshot}::pg_snapshot))`)
  const keptMs = text.includes('clock_timestamp') ? CLOCK_KEPT_MS : COUNT_KEPT_MS
  return { db, rows, key: JSON.stringify([text, parameters]), kept, changedSince, keptMs }
}

interface Counted {
  readonly total: number | null
  readonly snapshot: string
}

async function countAnew(count: Count): Promise<number> {
  const at = Date.now()
  const counted = await runCount(count.db, countUpTo(count.rows, EXACT_TO + 1))
  const total = counted.total ?? 0
  if (total > EXACT_TO) return await countAll(count)
  keep(count, { total, snapshot: counted.snapshot, at, renewing: false })
  return total
}

/** Counts, in one statement, only where one of the tables has changed since the count that is known. */
async function countIfChanged(count: Count, known: KeptCount, changed: RawBuilder<boolean>): Promise<number> {
  const at = Date.now()
  const again = sql<number>`case when ${changed} then (${countUpTo(count.rows, EXACT_TO + 1)}) end`
  const { total, snapshot } = await runCount(count.db, again)
  if (total !== null && total > EXACT_TO) return await countAll(count)
  // The time since a count does not matter for one that depends on no clock: it holds in the new snapshot as well.
  const validSince = total === null && count.keptMs < COUNT_KEPT_MS ? known.at : at
  keep(count, { total: total ?? known.total, snapshot, at: validSince, renewing: false })
  return total ?? known.total
}

async function countAll(count: Count): Promise<number> {
  const at = Date.now()
  const { total, snapshot } = await runCount(count.db, sql<number>`(${countUpTo(count.rows)})`)
  keep(count, { total: total ?? 0, snapshot, at, renewing: false })
  return total ?? 0
}

function keep({ db, kept, key, changedSince }: Count, count: KeptCount): void {
  const worthwhile = count.total > EXACT_TO || (count.total > REPEATED_TO && changedSince !== undefined)
  // A transaction sees rows that others may never see.
  if (!worthwhile || db.isTransaction) {
    kept.delete(key)
    return
  }
  if (kept.size >= COUNTS_KEPT) kept.clear()
  kept.set(key, count)
}

const countUpTo = (rows: ListQuery<object>, limit?: number) =>
  sql<number>`select count(*)::int from (${limit === undefined ? rows : rows.limit(limit)}) as rows`

async function runCount(db: Kysely<never>, total: RawBuilder<number>): Promise<Counted> {
  const { rows } = await sql<Counted>`${sql.raw(PLANNED_EACH_TIME)}
    select (${total}) as total, pg_current_snapshot()::text as snapshot`.execute(db)
  return rows[0] ?? { total: 0, snapshot: '' }
}
