import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../postgres/statement-names.ts'
import { createTimedCache } from './timed-value.ts'

/** Totals up to this number are exact. */
export const MAX_EXACT_COUNT = 10_000
/** The result of a count with a limit that has found more than `MAX_EXACT_COUNT` rows. */
export const MANY_ROWS = MAX_EXACT_COUNT + 1

export interface ListCount {
  readonly totalRow: number
  /** Whether the total may be up to a minute old. Totals up to 10,000 never are. */
  readonly isEstimate: boolean
}

/** The two counts of a list. */
export interface CountQueries {
  /** Selects the number of rows, or `MANY_ROWS` if there are more than `MAX_EXACT_COUNT`. */
  readonly few: RawBuilder<number>
  /** Selects the number of all rows. */
  readonly all: RawBuilder<number>
}

const readTotal = createTimedCache<number>((total) => total > MAX_EXACT_COUNT)
/** Counts of long lists in progress, by Kysely instance, which belongs to one project, and list. */
const longCounts = new WeakMap<object, Map<string, Promise<number>>>()

/**
 * Counts the rows of a list. A total above 10,000 is an estimate: it is counted again in the background, and is
 * at most a minute old. The conditions of the queries include the project.
 */
export async function countList(db: Kysely<never>, { few, all }: CountQueries): Promise<ListCount> {
  const { sql: text, parameters } = all.compile(db)
  const key = JSON.stringify([text, parameters])
  const count = async () => {
    const total = await runCount(db, few)
    return total > MAX_EXACT_COUNT ? await countLong(db, key, all) : total
  }
  // A transaction sees its own uncommitted rows.
  const totalRow = db.isTransaction ? await count() : await readTotal(db, key, count)
  return { totalRow, isEstimate: totalRow > MAX_EXACT_COUNT }
}

/** Counts a long list. Concurrent calls share a count. */
async function countLong(db: Kysely<never>, key: string, all: RawBuilder<number>): Promise<number> {
  const counts = longCounts.get(db) ?? new Map<string, Promise<number>>()
  longCounts.set(db, counts)
  const counting = counts.get(key) ?? runCount(db, all).finally(() => counts.delete(key))
  counts.set(key, counting)
  return await counting
}

async function runCount(db: Kysely<never>, total: RawBuilder<number>): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(PLANNED_EACH_TIME)}
    select (${total}) as total`.execute(db)
  return rows[0]?.total ?? 0
}
