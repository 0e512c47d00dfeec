import { KEY_FACTOR, type SegmentedOrder } from '../postgres/list-segments.ts'
import type { Cursor } from './index-range.ts'

/** A part of a list in the order of its column. */
export interface Segment {
  /** The first key: an id, a creation time in microseconds, or a unique key of another order. */
  readonly key: string
  readonly rowCount: number
}

/** The order of the keys of a list. */
export interface KeyOrder {
  readonly column: string
  /** Undefined in the order of creation. */
  readonly order: SegmentedOrder | undefined
}

/** How many rows a list has, and between which keys. */
export interface CountedSegments extends KeyOrder {
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
  { segments, ...keyOrder }: CountedSegments,
  index: number,
  limit: number,
): Position | undefined {
  if (index < 0) return undefined
  let before = 0
  for (const [number, { key, rowCount }] of segments.entries()) {
    if (index < before + rowCount) {
      const offset = index - before
      const lastId = keyOrder.column === 'id' ? findLastId(segments.slice(number), offset + limit) : undefined
      return { after: createKeyCursor(keyOrder, BigInt(key)), offset, lastId }
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
    if (before >= count) return next && Number(next.key) - 1
  }
  return undefined
}

/** Creates the cursor of the place before the first row with a key. Ids are positive. */
export function createKeyCursor({ column, order }: KeyOrder, key: bigint): Cursor {
  if (order !== undefined) return [order.formatValue(key / KEY_FACTOR), Number(key % KEY_FACTOR) - 1]
  if (column === 'id') return [String(key - 1n), Number(key) - 1]
  return [formatTime(key), 0]
}

/** Formats a time in microseconds since 1970. */
function formatTime(microseconds: bigint): string {
  const ofMillisecond = ((microseconds % 1000n) + 1000n) % 1000n
  const milliseconds = new Date(Number((microseconds - ofMillisecond) / 1000n)).toISOString().slice(0, -1)
  return `${milliseconds}${String(ofMillisecond).padStart(3, '0')}Z`
}
