import { type Kysely, sql } from 'kysely'
import { findListSegments, type ListSegments } from '../postgres/list-segments.ts'
import type { Cursor, ListOrder } from './index-range.ts'

/** A part of a list in the order of its column. */
interface Segment {
  /** The first key: an id, or a creation time in microseconds. */
  readonly start: number
  readonly rowCount: number
}

/** How many rows a list has, and between which keys. */
export interface CountedSegments {
  readonly column: 'id' | 'created_at'
  readonly segments: readonly Segment[]
  readonly totalRow: number
}

/** A list that is counted in segments. */
export interface SegmentedList {
  readonly tables: ListSegments
  readonly relation: string
  readonly column: 'id' | 'created_at'
  readonly field: string
  readonly value: string
}

/** Finds the segments of the list of all rows of an index range. Returns undefined for a list that has none. */
export function findSegmentedList(db: Kysely<never>, { table, index }: ListOrder): SegmentedList | undefined {
  const tables = findListSegments(db)
  const relation = table.slice(table.indexOf('.') + 1)
  const segmented = tables?.tables[relation]
  if (tables === undefined || segmented === undefined) return undefined
  if (index.from !== undefined || index.to !== undefined) return undefined
  const [[field, value] = ['', ''], ...others] = Object.entries(index.columns ?? {})
  if (others.length > 0 || !segmented.fields.includes(field)) return undefined
  return { tables, relation, column: segmented.column, field, value: String(value) }
}

/** Reads the segments of a list of the connection's project, with the changes that are not part of them yet. Returns undefined if it has none. */
export async function readSegments(
  db: Kysely<never>,
  { tables, relation, column, field, value }: SegmentedList,
): Promise<CountedSegments | undefined> {
  const isOfList = sql`relation = ${relation} and field = ${field} and value = ${value}`
  const { rows: segments } = await sql<Segment>`
    with segment as materialized (
      select start, row_count, row_number() over (order by start) as number
      from ${sql.table(`${tables.schema}.${tables.segments}`)} where ${isOfList}
    ), change as materialized (
      select width_bucket(key, (select array_agg(start order by start) from segment)) as number, sum(change)::bigint as change
      from ${sql.table(`${tables.schema}.${tables.changes}`)} where ${isOfList} group by 1
    )
    select start, row_count + coalesce(change, 0) as "rowCount" from segment left join change using (number) order by start`.execute(
    db,
  )
  if (segments.length === 0) return undefined
  return { column, segments, totalRow: segments.reduce((sum, { rowCount }) => sum + rowCount, 0) }
}

/** A row of a list: the `offset`th one after a cursor, in ascending order. */
export interface Position {
  readonly after: Cursor
  readonly offset: number
}

/** Finds the row at an index of a list, which is counted from 0 in ascending order. */
export function findPosition({ column, segments }: CountedSegments, index: number): Position | undefined {
  let before = 0
  for (const { start, rowCount } of segments) {
    if (index < before + rowCount) return { after: createCursor(column, start), offset: index - before }
    before += rowCount
  }
  return undefined
}

/** Creates the cursor of the place before the first row with a key. */
function createCursor(column: 'id' | 'created_at', start: number): Cursor {
  if (column === 'id') return [String(start - 1), start - 1]
  const milliseconds = new Date(Math.floor(start / 1000)).toISOString().slice(0, -1)
  // Ids are positive.
  return [`${milliseconds}${String(start % 1000).padStart(3, '0')}Z`, 0]
}
