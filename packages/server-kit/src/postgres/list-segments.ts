import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

/** A table or view whose lists are counted in segments. */
export interface SegmentedTable {
  /** The column of the order: `id`, or a time. */
  readonly column: string
  /**
   * The columns of filters, which have a list for each of their values. No column means the list of all rows.
   */
  readonly lists: readonly (readonly string[])[]
  /** Other orders that have segments, by their columns. */
  readonly orders?: { readonly [column: string]: SegmentedOrder }
}

/**
 * An order whose rows may have the same value. Its keys are unique: a number with the order of the values,
 * times `KEY_FACTOR`, plus the id of the row. The field of such a list ends with ` by ` and the column.
 */
export interface SegmentedOrder {
  /** The lists that have segments in this order, like those of the table. */
  readonly lists: readonly (readonly string[])[]
  /** Returns the SQL of the number of a row, at least 0. */
  selectNumber(row: string): string
  /** Returns the value of a number, as PostgreSQL formats it. */
  formatValue(number: bigint): string
  /** Returns the number of a value. Undefined for an order in which no list has a range of values. */
  readonly parseValue: ((value: string) => bigint) | undefined
}

/** Greater than every id. */
export const KEY_FACTOR = 10n ** 19n

/** Returns the SQL of the unique key of a row in an order. */
export const selectUniqueKey = (order: SegmentedOrder, row: string): string =>
  `(${order.selectNumber(row)} * ${KEY_FACTOR} + ${row}.id)`

/**
 * The tables that hold how many rows a list has between two keys of its order, so that long lists are neither
 * counted nor read up to a page. A key is an id, a creation time in microseconds, or a unique key of another
 * order. A list has segments once they were requested, which the first long count does. From then on triggers
 * insert a row into `changes` for each row that is added to the list or removed from it. A job adds them to
 * `segments`, so that writers never wait for each other. Both tables together are exact in every snapshot,
 * unless a segment is not counted yet.
 */
export interface ListSegments {
  /** The schema of all these tables. */
  readonly schema: string
  /**
   * `project_id`, `relation`, `field`, `value`, the first key `start`, and `row_count`, which is null until
   * the rows are counted.
   */
  readonly segments: string
  /** `project_id`, `relation`, `field`, `value`, `key`, and `change`. */
  readonly changes: string
  /**
   * `project_id` and `relation`. All lists of a table or view have to be counted again while it has a row of
   * them.
   */
  readonly resets: string
  /**
   * `project_id`, `relation`, `field`, `value`, and `used_on`, a day in UTC. Lists that nobody uses may lose
   * their segments.
   */
  readonly uses: string
  /**
   * The function that requests the segments of a list, by its relation, field and value, and adds a row to
   * `uses`.
   */
  readonly request: string
  /** The tables whose lists are counted, by their names. */
  readonly tables: { readonly [table: string]: SegmentedTable }
}

/** The segments of a Kysely instance. */
export interface RegisteredListSegments extends ListSegments {
  /** Logs requests that failed. */
  readonly log: Pick<Logger, 'warn'> | undefined
}

const segmentsByDatabase = new WeakMap<object, RegisteredListSegments>()

/** Registers the segments of lists for a Kysely instance. */
export function registerListSegments<DB>(db: Kysely<DB>, segments: RegisteredListSegments): void {
  segmentsByDatabase.set(db, segments)
}

/**
 * Finds the segments of lists of a Kysely instance. Returns undefined for others, such as those of a
 * transaction.
 */
export function findListSegments<DB>(db: Kysely<DB>): RegisteredListSegments | undefined {
  return segmentsByDatabase.get(db)
}
