import type { ListSearch } from '@mintmark/server-kit'
import { type RawBuilder, sql } from 'kysely'

export type CardStatus = 'NOT_YET_VALID' | 'ACTIVE' | 'EXHAUSTED' | 'EXPIRED' | 'REMOVED'

/** A card's status at this moment. Checking in exhausts an event card. */
export const cardStatus = sql<CardStatus>`case
  when deleted then 'REMOVED'
  when validity_period < clock_timestamp() then 'EXPIRED'
  when start_time > clock_timestamp() then 'NOT_YET_VALID'
  when used_count >= total_issued or is_checked_in then 'EXHAUSTED'
  else 'ACTIVE' end`

/** The times that decide a status, and the ranges of them. The other statuses depend on how often a card was used, which no index has: each use would write every index. */
const STATUS_TIMES: Partial<Record<CardStatus, { readonly column: string; readonly isPast: boolean }>> = {
  EXPIRED: { column: 'validity_period', isPast: true },
  NOT_YET_VALID: { column: 'start_time', isPast: false },
}

/**
 * Searches for the cards with a status at present.
 *
 * @param condition The condition on the project, and that of the index.
 */
export function searchStatus(
  condition: RawBuilder<boolean>,
  program: string,
  requested: CardStatus,
): ListSearch {
  const matches = sql<boolean>`${cardStatus} = ${requested}`
  const times = STATUS_TIMES[requested]
  if (times === undefined) return { matches, selectIds: undefined }
  const row = sql`program, ${sql.ref(times.column)}`
  // A subquery is evaluated once, so that it can limit an index.
  const now = sql`(select clock_timestamp())`
  const [from, to] = times.isPast ? [sql`'-infinity'`, now] : [now, sql`'infinity'`]
  return {
    matches,
    selectIds: (limit) => sql`
      select id from gateway.cards
      where ${condition} and (${row}) >= (${program}, ${from}) and (${row}) <= (${program}, ${to}) order by ${row} limit ${limit}`,
  }
}
