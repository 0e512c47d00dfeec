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

/** A range of the index of validity that contains all cards with a status. */
interface StatusRange {
  readonly isExhausted: boolean
  /** Whether the end of the validity has passed. */
  readonly isPast: boolean
}

/** No index has the start of cards, so those that are not yet valid are read in the order of the list. */
const STATUS_RANGES: {
  readonly [Status in Exclude<CardStatus, 'REMOVED'>]: readonly StatusRange[] | undefined
} = {
  EXPIRED: [
    { isExhausted: false, isPast: true },
    { isExhausted: true, isPast: true },
  ],
  NOT_YET_VALID: undefined,
  EXHAUSTED: [{ isExhausted: true, isPast: false }],
  ACTIVE: [{ isExhausted: false, isPast: false }],
}

const VALIDITY_COLUMNS = sql`program, is_exhausted, validity_period`

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
  const ranges = STATUS_RANGES[requested]
  const selectInRange = ({ isExhausted, isPast }: StatusRange, limit: number) => {
    const bound = (time: RawBuilder<unknown>) => sql.join([program, sql.lit(isExhausted), time])
    // A subquery is evaluated once, so that it can limit an index.
    const now = sql`(select clock_timestamp())`
    const [from, to] = isPast ? [sql`'-infinity'`, now] : [now, sql`'infinity'`]
    return sql`(select id from gateway.cards
      where ${condition} and (${VALIDITY_COLUMNS}) >= (${bound(from)}) and (${VALIDITY_COLUMNS}) <= (${bound(to)})
      order by ${VALIDITY_COLUMNS} limit ${limit})`
  }
  return {
    matches: sql<boolean>`${cardStatus} = ${requested}`,
    selectIds:
      ranges &&
      ((limit) =>
        sql.join(
          ranges.map((range) => selectInRange(range, limit)),
          sql` union all `,
        )),
  }
}
