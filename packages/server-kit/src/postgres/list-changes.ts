import type { Kysely } from 'kysely'

/**
 * Where triggers record which transactions changed which tables: a row for each project, table and transaction, which appears when the transaction
 * commits. Rows are only added, so that writers never wait for each other. A kept count is valid as long as every recorded transaction was already
 * visible to the snapshot that it was counted in.
 */
export interface ListChanges {
  /** The schema of all these tables. */
  readonly schema: string
  /** The table of records: `project_id` (0 for every project), `relation` and `transaction`. */
  readonly table: string
  /** The tables whose changes are recorded. */
  readonly recorded: readonly string[]
  /** Views, and the recorded tables on which the number of their rows depends. */
  readonly views: { readonly [view: string]: readonly string[] }
}

const changesOfDatabases = new WeakMap<object, ListChanges>()

/** Registers where the changes of a Kysely instance's tables are recorded. */
export function registerListChanges<DB>(db: Kysely<DB>, changes: ListChanges): void {
  changesOfDatabases.set(db, changes)
}

/** Finds where changes are recorded; undefined for an instance without, such as that of a transaction. */
export function findListChanges<DB>(db: Kysely<DB>): ListChanges | undefined {
  return changesOfDatabases.get(db)
}

/** Lists the recorded tables that a query reads; undefined where it reads others as well. */
export function listRecordedTables(text: string, changes: ListChanges): string[] | undefined {
  const names = [...text.matchAll(new RegExp(`"?\\b${changes.schema}"?\\."?(\\w+)`, 'g'))].map(
    ([, name = '']) => name,
  )
  const tables = new Set(names.flatMap((name) => changes.views[name] ?? [name]))
  return [...tables].every((table) => changes.recorded.includes(table)) ? [...tables] : undefined
}
