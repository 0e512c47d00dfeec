import pg from 'pg'
import type { Logger } from 'pino'
import { columnTypes } from './column-types.ts'
import { ConnectionTimeoutError, isStalePlan } from './errors.ts'
import { ReadPipeline } from './read-pipeline.ts'
import { type StatementNames, statementNames } from './statement-names.ts'

export interface PoolOptions {
  /** Connection string. */
  readonly url: string
  /** The role whose rights the connections have; it must own no table, or row-level security would not hold. */
  readonly role?: string
  /** Connections at most; 10 unless told. */
  readonly max?: number
  /** How long a caller waits for a connection, in milliseconds, before `ConnectionTimeoutError`; default 10,000. */
  readonly connectTimeoutMs?: number
  /** Ends a statement that runs longer, in milliseconds; without it a statement may take any time. */
  readonly statementTimeoutMs?: number
  /** Ends a connection that does nothing within a transaction for longer, in milliseconds. */
  readonly idleInTransactionTimeoutMs?: number
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string
  /** Hears of connections that broke; whoever was using one is told by an error of its own. */
  readonly log?: Pick<Logger, 'warn'>
}

/** The value of `mintmark.project` on connections that speak for no project. */
export const noProject = ''

// Texts that are prepared, on each connection that meets them.
const statementLimit = 500

/**
 * A pool whose connections are bound to a project by the session setting `mintmark.project`, on which row-level
 * security rests. Binding costs a round trip, and only where a connection served another project before.
 *
 * `connect` and `query`, as any user of a pool calls them, give connections that are bound to no project.
 */
export class ProjectPool extends pg.Pool {
  readonly #role: string | undefined
  readonly #bound = new WeakMap<pg.PoolClient, string>()
  readonly #connections = new WeakMap<pg.PoolClient, Connection>()
  readonly #names = statementNames(statementLimit)
  readonly #pipeline: ReadPipeline

  constructor({ url, role, max = 10, applicationName, log, ...timeouts }: PoolOptions) {
    const config = {
      connectionString: url,
      types: columnTypes,
      keepAlive: true,
      connectionTimeoutMillis: timeouts.connectTimeoutMs ?? 10_000,
      statement_timeout: timeouts.statementTimeoutMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionTimeoutMs,
      application_name: applicationName,
    }
    super({ ...config, max })
    this.#role = role
    this.#pipeline = new ReadPipeline({
      config,
      role,
      names: this.#names,
      onBroken: (error) => log?.warn({ err: error }, 'the connection for short reads broke'),
    })
    // A connection that breaks without a listener ends the process. The pool listens to those that lie idle.
    this.on('error', (error) => log?.warn({ err: error }, 'an idle database connection broke'))
    this.on('connect', (client) => {
      client.on('error', (error) => log?.warn({ err: error }, 'a database connection broke'))
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: pg.PoolClient['release'],
    ) => void,
  ): void
  override connect(
    callback?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: pg.PoolClient['release'],
    ) => void,
  ): Promise<pg.PoolClient> | undefined {
    const lent = this.#lend(noProject)
    if (callback === undefined) return lent
    lent.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  /** A connection bound to a project's id, as a text, or to `noProject`. It prepares the statements it runs. */
  async connectFor(project: string): Promise<Connection> {
    const client = await this.#lend(project)
    const known = this.#connections.get(client)
    if (known !== undefined) return known
    const connection = new Connection(client, this.#names)
    this.#connections.set(client, connection)
    return connection
  }

  /** A short read for a project, on the connection that many share: see {@link ReadPipeline}. */
  read(project: string, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#pipeline.read(project, text, parameters, async () => {
      const connection = await this.connectFor(project)
      try {
        return await connection.query(text, parameters)
      } finally {
        connection.release()
      }
    })
  }

  /** Waits for queries in flight and closes all connections. */
  async endAll(): Promise<void> {
    await Promise.all([this.#pipeline.end(), this.end()])
  }

  async #lend(project: string): Promise<pg.PoolClient> {
    const client = await super.connect().catch((error: unknown) => {
      throw isPoolTimeout(error) ? new ConnectionTimeoutError(error) : error
    })
    // A transaction left open would go on under the next borrower: such a connection does not come back.
    const release = client.release
    client.release = (error) => release(error || client.getTransactionStatus() !== 'I')
    if (this.#bound.get(client) !== project) await this.#bind(client, project)
    return client
  }

  async #bind(client: pg.PoolClient, project: string): Promise<void> {
    // Should the server fail on the way, what the connection is bound to is not known: it is not lent again.
    this.#bound.delete(client)
    try {
      if (this.#role === undefined) {
        await client.query({ name: 'bind', text: bindProject, values: [project] })
      } else {
        await client.query({ name: 'bind', text: bindProjectAndRole, values: [project, this.#role] })
      }
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#bound.set(client, project)
  }
}

/** pg's own error has no class and no code. */
function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

const bindProject = `select set_config('mintmark.project', $1, false)`
const bindProjectAndRole = `${bindProject}, set_config('role', $2, false)`

/** A connection of the pool, as Kysely wants one: every text is sent as the prepared statement of its name. */
export class Connection {
  readonly #client: pg.PoolClient
  readonly #names: StatementNames

  constructor(client: pg.PoolClient, names: StatementNames) {
    this.#client = client
    this.#names = names
  }

  async query(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult> {
    // pg declares a list that it could change; it only reads it.
    const values = parameters as unknown[]
    const name = this.#names.nameOf(text, parameters)
    if (name === undefined) return this.#client.query(text, values)
    try {
      return await this.#client.query({ name, text, values })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#names.renew(text, name)
      // Inside a transaction the failure has already undone it: only all of it can be done again.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return await this.query(text, parameters)
    }
  }

  /** Gives the connection back, or ends it. */
  release(destroy?: boolean): void {
    this.#client.release(destroy)
  }
}
