import type { Kysely } from 'kysely'

/**
 * The table in which triggers record which transactions changed which tables: a row per project, table and
 * transaction, visible when the transaction commits. Rows are only inserted, so that writers never wait for
 * each other. A cached count is valid as long as every recorded transaction was visible to the snapshot of
 * the count.
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

const changesByDatabase = new WeakMap<object, ListChanges>()

/** Registers the records of changes for a Kysely instance. */
export function registerListChanges<DB>(db: Kysely<DB>, changes: ListChanges): void {
  changesByDatabase.set(db, changes)
}

/**
 * Finds the records of changes of a Kysely instance. Returns undefined for others, such as those of a
 * transaction.
 */
export function findListChanges<DB>(db: Kysely<DB>): ListChanges | undefined {
  return changesByDatabase.get(db)
}

/** Lists the recorded tables that a query reads. Returns undefined when it reads other tables too. */
export function listRecordedTables(text: string, changes: ListChanges): string[] | undefined {
  const names = [...text.matchAll(new RegExp(`"?\\b${changes.schema}"?\\."?(\\w+)`, 'g'))].map(
    ([, name = '']) => name,
  )
  const tables = new Set(names.flatMap((name) => changes.views[name] ?? [name]))
  return [...tables].every((table) => changes.recorded.includes(table)) ? [...tables] : undefined
}
