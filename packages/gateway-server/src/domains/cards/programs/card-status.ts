import type { ListSearch } from '@mintmark/server-kit'
import { type RawBuilder, sql } from 'kysely'

export type CardStatus = 'NOT_YET_VALID' | 'ACTIVE' | 'EXHAUSTED' | 'EXPIRED' | 'REMOVED'

/** A card's status at this moment. Checking in exhausts an event card. */
export const cardStatus = sql<CardStatus>`case
  when deleted then 'REMOVED'
  when validity_period < clock_timestamp() then 'EXPIRED'
  when start_time > clock_timestamp() then 'NOT_YET_VALID'
  when is_exhausted then 'EXHAUSTED'
  else 'ACTIVE' end`

/** A range of an index of cards that contains all cards with a status. */
interface StatusRange {
  readonly column: 'validity_period' | 'start_time'
  readonly isExhausted?: boolean
  /** Whether the time has passed. */
  readonly isPast: boolean
}

const STATUS_RANGES: { readonly [Status in Exclude<CardStatus, 'REMOVED'>]: readonly StatusRange[] } = {
  EXPIRED: [
    { column: 'validity_period', isExhausted: false, isPast: true },
    { column: 'validity_period', isExhausted: true, isPast: true },
  ],
  NOT_YET_VALID: [{ column: 'start_time', isPast: false }],
  EXHAUSTED: [{ column: 'validity_period', isExhausted: true, isPast: false }],
  ACTIVE: [{ column: 'validity_period', isExhausted: false, isPast: false }],
}

/**
 * Searches for the cards with a status at present.
 *
 * @param condition The condition on the project, and that of the index.
 */
export function searchStatus(
  condition: RawBuilder<boolean>,
  program: string,
  requested: Exclude<CardStatus, 'REMOVED'>,
): ListSearch {
  const selectInRange = ({ column, isExhausted, isPast }: StatusRange, limit: number) => {
    const exhausted = isExhausted === undefined ? {} : { is_exhausted: sql.lit(isExhausted) }
    const row = sql.join(['program', ...Object.keys(exhausted), column].map((name) => sql.ref(name)))
    const bound = (time: RawBuilder<unknown>) => sql.join([program, ...Object.values(exhausted), time])
    // A subquery is evaluated once, so that it can limit an index.
    const now = sql`(select clock_timestamp())`
    const [from, to] = isPast ? [sql`'-infinity'`, now] : [now, sql`'infinity'`]
    return sql`(select id from gateway.cards
      where ${condition} and (${row}) >= (${bound(from)}) and (${row}) <= (${bound(to)}) order by ${row} limit ${limit})`
  }
  return {
    matches: sql<boolean>`${cardStatus} = ${requested}`,
    selectIds: (limit) =>
      sql.join(
        STATUS_RANGES[requested].map((range) => selectInRange(range, limit)),
        sql` union all `,
      ),
  }
}
