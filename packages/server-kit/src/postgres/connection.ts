import type pg from 'pg'
import { traceStatement } from '../tracing/trace-statement.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { isStalePlan } from './errors.ts'
import { isPlannedEachTime, NO_PROJECT, type StatementNames } from './statement-names.ts'

/**
 * Planner settings of lists. A page has few rows of a list of any length, so its statement must read them in
 * the order of an index. With wrong or missing statistics PostgreSQL expects few rows and reads and sorts the
 * whole list instead. PostgreSQL still sorts where no index has the order.
 */
const LIST_SETTINGS = [
  'enable_sort',
  'enable_incremental_sort',
  'enable_bitmapscan',
  'enable_seqscan',
  'enable_hashjoin',
  'enable_mergejoin',
  'jit',
]

const SET_LIST_PLANNER = `select ${LIST_SETTINGS.map((name) => `set_config('${name}', 'off', false)`).join(', ')}`
const RESET_PLANNER = LIST_SETTINGS.map((name) => `reset ${name}`).join('; ')

/** A connection of the pool for Kysely. Runs every text as a prepared statement, except those that are planned each time. */
export class Connection {
  /** The project that the connection is bound to. */
  project = NO_PROJECT
  #plansLists = false
  #isBroken = false
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  readonly #tracing: Tracing | undefined
  readonly #onError: (error: unknown) => void

  constructor(
    client: pg.PoolClient,
    options: {
      readonly names: StatementNames
      readonly tracing: Tracing | undefined
      /** Called with the error of each statement that fails. */
      readonly onError: (error: unknown) => void
    },
  ) {
    this.#client = client
    this.#names = options.names
    this.#tracing = options.tracing
    this.#onError = options.onError
  }

  query(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    if (this.#tracing === undefined) return this.#query(text, parameters)
    return traceStatement(this.#tracing, text, () => this.#query(text, parameters))
  }

  async #query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const planner = this.setPlanner(isPlannedEachTime(text))
    try {
      const [result] = await Promise.all([this.#send(text, parameters), planner])
      return result
    } catch (error) {
      this.#onError(error)
      throw error
    }
  }

  async #send(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    // pg declares a mutable list, which it only reads.
    const values = parameters as unknown[]
    const name = this.#names.getName(this.project, text, parameters)
    if (name === undefined) return this.#client.query(text, values)
    try {
      return await this.#client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#names.renew(text, name)
      // Within a transaction the failure has aborted it, so that only the whole transaction can be repeated.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return await this.#query(text, parameters)
    }
  }

  /**
   * Sets the planner for a list or for another statement when they alternate. The caller sends its statement
   * without waiting for the result, so that the settings cost no round trip.
   */
  async setPlanner(plansLists: boolean): Promise<void> {
    // A rollback would revert the settings, so a transaction keeps those that it began with.
    if (plansLists === this.#plansLists || this.#client.getTransactionStatus() !== 'I') return
    this.#plansLists = plansLists
    try {
      await this.#client.query(plansLists ? SET_LIST_PLANNER : RESET_PLANNER)
    } catch (error) {
      // The planner's settings are unknown.
      this.#isBroken = true
      throw error
    }
  }

  /** Returns the connection to the pool, or closes it. */
  release(destroy?: boolean): void {
    this.#client.release(destroy || this.#isBroken)
  }
}
