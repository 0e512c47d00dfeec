import type { Kysely } from 'kysely'

/** A table whose lists are counted in segments. */
export interface SegmentedTable {
  /** The column of the order: `id`, or a time. */
  readonly column: string
  /** The columns of filters, each of which has a list for each of its values. An empty name means the list of all rows. */
  readonly fields: readonly string[]
}

/**
 * The tables that hold how many rows a list has between two keys of its order, so that long lists are neither counted nor read up to a page. A key is an
 * id, or a creation time in microseconds. Triggers insert a row into `changes` for each row that is added to a list or removed from it. A job adds
 * them to `segments`, so that writers never wait for each other. Both tables together are exact in every snapshot.
 */
export interface ListSegments {
  /** The schema of all these tables. */
  readonly schema: string
  /** `project_id`, `relation`, `field`, `value`, the first key `start`, and `row_count`. */
  readonly segments: string
  /** `project_id`, `relation`, `field`, `value`, `key`, and `change`. */
  readonly changes: string
  /** The tables whose lists are counted, by their names. */
  readonly tables: { readonly [table: string]: SegmentedTable }
}

const segmentsByDatabase = new WeakMap<object, ListSegments>()

/** Registers the segments of lists for a Kysely instance. */
export function registerListSegments<DB>(db: Kysely<DB>, segments: ListSegments): void {
  segmentsByDatabase.set(db, segments)
}

/** Finds the segments of lists of a Kysely instance. Returns undefined for others, such as those of a transaction. */
export function findListSegments<DB>(db: Kysely<DB>): ListSegments | undefined {
  return segmentsByDatabase.get(db)
}
