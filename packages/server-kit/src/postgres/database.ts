import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { type ListChanges, registerListChanges } from './list-changes.ts'
import { noProject, type PoolOptions, ProjectPool } from './project-pool.ts'

export interface DatabaseOptions extends PoolOptions {
  /** Where changes of the tables that lists read are recorded; lists are counted anew each time unless given. */
  readonly listChanges?: ListChanges
}

/** A database of tenants. `DB` is Kysely's description of its tables. */
export interface Database<DB> {
  /** The connections. Those it lends directly are bound to no project, as `system`'s are. */
  readonly pool: pg.Pool
  /** Queries on behalf of one project: row-level security lets them see and change that project's rows only. */
  forProject(projectId: number): Kysely<DB>
  /** Queries on behalf of no project, such as finding out whose key a call carries. Tenant tables refuse them. */
  readonly system: Kysely<DB>
  /** Waits for queries in flight and closes the connections. */
  close(): Promise<void>
}

// Kysely instances kept, one a project; an instance is a few small objects.
const instanceLimit = 1000

/**
 * Opens a database. No connection is made before the first query.
 *
 * Connections take on `role` and are bound to the project they work for, so that a query that forgets its project
 * finds nothing of another's. Do not destroy the Kysely instances; `close` ends them all.
 */
export function openDatabase<DB>(options: DatabaseOptions): Database<DB> {
  const pool = new ProjectPool(options)
  const projects = new Map<number, Kysely<DB>>()
  let closed: Promise<void> | undefined

  return {
    pool,
    system: bound<DB>(pool, noProject),
    forProject(projectId) {
      const known = projects.get(projectId)
      if (known !== undefined) return known
      if (!Number.isSafeInteger(projectId) || projectId <= 0) {
        throw new RangeError(`a project's id is a positive integer, not ${projectId}`)
      }
      // One that is still in use works on; it is only not found here any more.
      const oldest = projects.size >= instanceLimit ? projects.keys().next().value : undefined
      if (oldest !== undefined) projects.delete(oldest)
      const db = bound<DB>(pool, String(projectId))
      if (options.listChanges !== undefined) registerListChanges(db, options.listChanges)
      projects.set(projectId, db)
      return db
    },
    close() {
      closed ??= pool.endAll()
      return closed
    },
  }
}

/** Sends a short read's text on the connection that such reads share. */
export type Reader = (text: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>

const readers = new WeakMap<object, Reader>()

/** How a Kysely instance of `openDatabase` sends short reads; undefined for others, as those of a transaction. */
export function readerOf<DB>(db: Kysely<DB>): Reader | undefined {
  return readers.get(db)
}

function bound<DB>(pool: ProjectPool, project: string): Kysely<DB> {
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        // Kysely asks for a connection that also streams by cursors, which it does only where it is given a cursor class.
        connect: () => pool.connectFor(project) as Promise<unknown> as Promise<PostgresPoolClient>,
        end: async () => {},
      },
    }),
  })
  readers.set(db, (text, parameters) => pool.read(project, text, parameters))
  return db
}
