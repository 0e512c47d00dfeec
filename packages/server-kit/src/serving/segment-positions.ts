import { KEY_FACTOR, type SegmentedOrder } from '../postgres/list-segments.ts'
import type { Cursor } from './index-range.ts'

/** A part of a list in the order of its column. */
export interface Segment {
  /** The first key: an id, or a creation time in microseconds. Rounded in other orders. */
  readonly start: number
  /** The first key. */
  readonly key: string
  readonly rowCount: number
}

/** How many rows a list has, and between which keys. */
export interface CountedSegments {
  readonly column: string
  /** Undefined in the order of creation. */
  readonly order: SegmentedOrder | undefined
  readonly segments: readonly Segment[]
  readonly totalRow: number
}

/** A row of a list: the `offset`th one after a cursor, in ascending order. */
export interface Position {
  readonly after: Cursor
  readonly offset: number
  /** An id after the rows that are read from the position on. Undefined if it is not known. */
  readonly lastId?: number | undefined
}

/**
 * Finds the row at an index of a list, which is counted from 0 in ascending order, to read `limit` rows from
 * it on. Returns undefined if the list has no such row.
 */
export function findPosition(
  { column, order, segments }: CountedSegments,
  index: number,
  limit: number,
): Position | undefined {
  if (index < 0) return undefined
  let before = 0
  for (const [number, { start, key, rowCount }] of segments.entries()) {
    if (index < before + rowCount) {
      const offset = index - before
      const lastId = column === 'id' ? findLastId(segments.slice(number), offset + limit) : undefined
      return { after: order ? createOrderCursor(order, key) : createCursor(column, start), offset, lastId }
    }
    before += rowCount
  }
  return undefined
}

/**
 * Finds an id after the first rows of segments. It leaves out one segment more than necessary, because rows
 * may be deleted before they are read.
 */
function findLastId(segments: readonly Segment[], count: number): number | undefined {
  let before = 0
  for (const [number, { rowCount }] of segments.entries()) {
    before += rowCount
    const next = segments[number + 2]
    if (before >= count) return next && next.start - 1
  }
  return undefined
}

/** Creates the cursor of the place before the first row with a key. */
function createCursor(column: string, start: number): Cursor {
  if (column === 'id') return [String(start - 1), start - 1]
  // Ids are positive.
  return [formatTime(start), 0]
}

/** Creates the cursor of the place before the row with a unique key. */
function createOrderCursor(order: SegmentedOrder, key: string): Cursor {
  const unique = BigInt(key)
  // Ids are positive.
  return [order.formatValue(unique / KEY_FACTOR), Number(unique % KEY_FACTOR) - 1]
}

/** Formats a time in microseconds since 1970. */
export function formatTime(microseconds: number): string {
  const milliseconds = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, -1)
  return `${milliseconds}${String(microseconds % 1000).padStart(3, '0')}Z`
}
