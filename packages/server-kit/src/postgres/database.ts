import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { type PoolOptions, ProjectPool } from './project-pool.ts'
import { NO_PROJECT } from './statement-names.ts'

/** A database with tenants. `DB` describes its tables for Kysely. */
export interface Database<DB> {
  /** The pool. Its own connections have no project, like those of `system`. */
  readonly pool: pg.Pool
  /** Queries for one project. Row-level security limits them to that project's rows. */
  forProject(projectId: number): Kysely<DB>
  /** Queries without a project, such as the look-up of a key. Tenant tables refuse them. */
  readonly system: Kysely<DB>
  /** Waits for queries in flight and closes the connections. */
  close(): Promise<void>
}

/** Most cached Kysely instances, one per project. An instance is a few small objects. */
const MAX_INSTANCES = 1000

/**
 * Opens a database. Connects when the first query runs.
 *
 * Connections assume `role` and are bound to their project, so that a query without a condition on the
 * project still finds only rows of that project. Do not destroy the Kysely instances: `close` ends them all.
 */
export function openDatabase<DB>(options: PoolOptions): Database<DB> {
  const pool = new ProjectPool(options)
  const projects = new Map<number, Kysely<DB>>()
  let closed: Promise<void> | undefined

  return {
    pool,
    system: bindToProject<DB>(pool, NO_PROJECT),
    forProject(projectId) {
      const existing = projects.get(projectId)
      if (existing !== undefined) return existing
      if (!Number.isSafeInteger(projectId) || projectId <= 0) {
        throw new RangeError(`A project id must be a positive integer, not ${projectId}`)
      }
      // An evicted instance that is still in use stays usable.
      const oldest = projects.size >= MAX_INSTANCES ? projects.keys().next().value : undefined
      if (oldest !== undefined) projects.delete(oldest)
      const db = bindToProject<DB>(pool, String(projectId))
      projects.set(projectId, db)
      return db
    },
    close() {
      closed ??= pool.endAll()
      return closed
    },
  }
}

/** Sends a short read on the shared connection. */
export type Reader = (text: string, parameters: readonly unknown[]) => Promise<pg.QueryResult>

const readers = new WeakMap<object, Reader>()

/**
 * Returns the reader of a Kysely instance of `openDatabase`, or undefined for others, such as those of a
 * transaction.
 */
export function findReader<DB>(db: Kysely<DB>): Reader | undefined {
  return readers.get(db)
}

function bindToProject<DB>(pool: ProjectPool, project: string): Kysely<DB> {
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        // Kysely's type of a connection also streams by cursors, which it uses only with a cursor class.
        connect: () => pool.connectFor(project) as Promise<unknown> as Promise<PostgresPoolClient>,
        end: async () => {},
      },
    }),
  })
  readers.set(db, (text, parameters) => pool.read(project, text, parameters))
  return db
}
