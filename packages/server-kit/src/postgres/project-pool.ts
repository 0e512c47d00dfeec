import pg from 'pg'
import type { Logger } from 'pino'
import { traceStatement } from '../tracing/trace-statement.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { getActor } from './actor.ts'
import { COLUMN_TYPES } from './column-types.ts'
import { createClientClass, KEEP_ALIVE, MAX_LIFETIME_MS, watchServer } from './connect-client.ts'
import { Connection } from './connection.ts'
import { isOfServer, toConnectError, toUnsentError } from './pool-errors.ts'
import { ReadPipeline } from './read-pipeline.ts'
import { ServerAddresses } from './server-addresses.ts'
import { QUERY_TIMEOUT_MESSAGE, type SessionSettings, setUpSession } from './session-settings.ts'
import { createStatementNames, NO_PROJECT } from './statement-names.ts'

export interface PoolOptions {
  /** Connection string, with one host or several. */
  readonly url: string
  /** The role of the connections. It must not own tables: row-level security does not apply to owners. */
  readonly role?: string
  /** Whether the server may be a standby, which is only read. Default: it must accept writes. */
  readonly acceptsStandby?: boolean
  /** Most connections. Default 10. */
  readonly max?: number
  /**
   * How long a caller waits for a connection before `ConnectionTimeoutError`, in milliseconds. Default
   * 10,000.
   */
  readonly connectTimeoutMs?: number
  /** How long a connection is used, in milliseconds. Default 300,000. */
  readonly maxLifetimeMs?: number
  /** Statement timeout in milliseconds. Default: none. */
  readonly statementTimeoutMs?: number
  /** Timeout of connections that are idle within a transaction, in milliseconds. Default: none. */
  readonly idleInTransactionTimeoutMs?: number
  /** How long a statement waits for a lock, in milliseconds. Default: as long as it may run. */
  readonly lockTimeoutMs?: number
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string
  /**
   * Logs broken connections. The caller that uses one receives an error of its own.
   */
  readonly log?: Pick<Logger, 'warn'>
  /** Where each statement of a traced call is a span. Default: statements are not traced. */
  readonly tracing?: Tracing | undefined
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000

/** How long a borrowed connection may still use a server that became read-only or does not respond. */
const LEAVE_TIMEOUT_MS = 1000

/** Most prepared statements per connection, and those of them that one project was the first to use. */
const STATEMENT_LIMITS = { limit: 500, share: 250 }

type PoolTimeouts = Pick<PoolOptions, 'statementTimeoutMs' | 'idleInTransactionTimeoutMs' | 'lockTimeoutMs'>

/** What a connection is bound to. */
interface Binding {
  readonly project: string
  readonly actor: string
}

/**
 * A pool whose connections are bound to a project by the session setting `mintmark.project`, which row-level
 * security reads, and to an actor by `mintmark.actor`, which the triggers of the audit log read: see `runAs`.
 * Binding costs a round trip when the connection served another project or actor before.
 *
 * The standard `connect` and `query` use connections without a project.
 */
export class ProjectPool extends pg.Pool {
  readonly #role: string | undefined
  readonly #bound = new WeakMap<pg.PoolClient, Binding>()
  readonly #connections = new WeakMap<pg.PoolClient, Connection>()
  readonly #names = createStatementNames(STATEMENT_LIMITS)
  readonly #pipeline: ReadPipeline
  readonly #servers: ServerAddresses
  readonly #open = new Set<pg.PoolClient>()
  /** Connections whose server accepts no writes, or ends them. */
  readonly #unusable = new WeakSet<pg.PoolClient>()
  readonly #ignoreServers: () => void
  readonly #tracing: Tracing | undefined

  constructor({ url, role, max = 10, applicationName, log, tracing, ...options }: PoolOptions) {
    const servers = ServerAddresses.get(url)
    const { maxLifetimeMs = MAX_LIFETIME_MS, acceptsStandby } = options
    const config = {
      types: COLUMN_TYPES,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
      application_name: applicationName,
      acceptsStandby,
    }
    const settings = listSettings(options)
    const onConnect = (client: pg.ClientBase) =>
      setUpSession(client, settings, config.connectionTimeoutMillis, acceptsStandby)
    // The type declarations of pg lack its option `pipeline`: a statement is sent without waiting for the
    // results of earlier ones.
    const poolConfig: pg.PoolConfig & { pipeline: true } = {
      ...config,
      Client: createClientClass(servers),
      max,
      maxLifetimeSeconds: maxLifetimeMs / 1000,
      pipeline: true,
      onConnect,
      query_timeout: getQueryTimeout(options.statementTimeoutMs, config.connectionTimeoutMillis),
    }
    super(poolConfig)
    this.#servers = servers
    this.#role = role
    this.#tracing = tracing
    if (tracing !== undefined) this.query = traceQuery(this.query.bind(this), tracing)
    this.#pipeline = new ReadPipeline({
      servers,
      config,
      maxLifetimeMs,
      settings: role === undefined ? settings : { ...settings, role },
      names: this.#names,
      onBroken: (error) => log?.warn({ err: error }, 'the connection for short reads broke'),
    })
    // An error of a connection without a listener ends the process. The pool emits those of idle connections.
    this.on('error', (error) => log?.warn({ err: error }, 'an idle database connection broke'))
    this.on('connect', (client) => {
      client.on('error', (error) => log?.warn({ err: error }, 'a database connection broke'))
      watchServer(client, servers, () => this.#unusable.add(client))
      this.#open.add(client)
    })
    this.on('remove', (client) => this.#open.delete(client))
    this.#ignoreServers = servers.onUnusable(() => this.#leaveServer())
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
    const client = this.#lendPlain()
    if (callback === undefined) return client
    client.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  /**
   * Returns a connection that is bound to a project's id, as text, or to `noProject`. It prepares its
   * statements.
   */
  async connectFor(project: string): Promise<Connection> {
    const client = await this.#lend(project)
    const connection =
      this.#connections.get(client) ??
      new Connection(client, {
        names: this.#names,
        tracing: this.#tracing,
        onError: (error) => this.#checkServer(error),
      })
    this.#connections.set(client, connection)
    connection.project = project
    return connection
  }

  /** Runs a short read for a project on the shared connection; see {@link ReadPipeline}. */
  read(project: string, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const readOnPool = async () => {
      const connection = await this.connectFor(project)
      try {
        return await connection.query(text, parameters)
      } finally {
        connection.release()
      }
    }
    const read = () => this.#pipeline.read(project, text, parameters, readOnPool)
    return this.#tracing === undefined ? read() : traceStatement(this.#tracing, text, read)
  }

  /** Waits for queries in flight and closes all connections. */
  async endAll(): Promise<void> {
    this.#ignoreServers()
    await Promise.all([this.#pipeline.end(), this.end()])
  }

  /** Lends a connection without a project to a caller who sends statements of its own. */
  async #lendPlain(): Promise<pg.PoolClient> {
    const client = await this.#lend(NO_PROJECT)
    try {
      await this.#connections.get(client)?.setPlanner(false)
    } catch (error) {
      client.release(true)
      throw toUnsentError(error)
    }
    return client
  }

  async #lend(project: string): Promise<pg.PoolClient> {
    const binding = { project, actor: getActor() }
    const client = await this.#borrow()
    // A connection with an open transaction is not reused: the next caller would continue that transaction.
    const release = client.release
    client.release = (error) => release(error || client.getTransactionStatus() !== 'I')
    const bound = this.#bound.get(client)
    if (bound?.project !== project || bound.actor !== binding.actor) await this.#bind(client, binding)
    return client
  }

  async #borrow(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#servers
        .connect(() => super.connect(), isOfServer)
        .catch((error: unknown) => {
          throw toConnectError(error)
        })
      if (!this.#unusable.has(client)) return client
      client.release(true)
    }
  }

  /**
   * Reports a server that did not even end a statement at its timeout, so that statements without one do not
   * wait for it.
   */
  #checkServer(error: unknown): void {
    if (error instanceof Error && error.message === QUERY_TIMEOUT_MESSAGE) this.#servers.reportUnusable()
  }

  /** Stops using the open connections. Those that are not returned soon may wait for the server without end. */
  #leaveServer(): void {
    const left = [...this.#open]
    for (const client of left) this.#unusable.add(client)
    const endAll = () => {
      for (const client of left) if (this.#open.has(client)) client.connection.stream.destroy()
    }
    setTimeout(endAll, LEAVE_TIMEOUT_MS).unref()
  }

  async #bind(client: pg.PoolClient, binding: Binding): Promise<void> {
    // If this fails, the connection's project is unknown and it is not reused.
    this.#bound.delete(client)
    const values = [binding.project, binding.actor]
    try {
      if (this.#role === undefined) {
        await client.query({ name: 'bind', text: BIND, values })
      } else {
        await client.query({ name: 'bind', text: BIND_WITH_ROLE, values: [...values, this.#role] })
      }
    } catch (error) {
      client.release(true)
      this.#checkServer(error)
      throw toUnsentError(error)
    }
    this.#bound.set(client, binding)
  }
}

/**
 * Returns how long a statement waits for its result. Then pg closes the connection. PostgreSQL ends
 * statements much earlier, and a statement can wait for one before it. So only a connection that a network has
 * dropped without an error takes that long. The operating system notices that after a quarter of an hour.
 */
function getQueryTimeout(
  statementTimeoutMs: number | undefined,
  connectTimeoutMs: number,
): number | undefined {
  return statementTimeoutMs && 2 * statementTimeoutMs + connectTimeoutMs
}

function listSettings(timeouts: PoolTimeouts): SessionSettings {
  return {
    // The default of a database can be another one, in which concurrent writers fail instead of waiting.
    default_transaction_isolation: 'read committed',
    ...(timeouts.statementTimeoutMs !== undefined && {
      statement_timeout: String(timeouts.statementTimeoutMs),
    }),
    ...(timeouts.idleInTransactionTimeoutMs !== undefined && {
      idle_in_transaction_session_timeout: String(timeouts.idleInTransactionTimeoutMs),
    }),
    ...(timeouts.lockTimeoutMs !== undefined && { lock_timeout: String(timeouts.lockTimeoutMs) }),
  }
}

/**
 * Traces the statements that are sent without a connection of their own, where their callers await the
 * result.
 */
function traceQuery(query: pg.Pool['query'], tracing: Tracing): pg.Pool['query'] {
  // pg declares an overload per form of the arguments. The text is the first argument, or a field of it.
  const send = query as unknown as (...args: readonly unknown[]) => Promise<pg.QueryResult>
  const traced = (...args: readonly unknown[]) => {
    const [statement] = args
    const { text } = typeof statement === 'string' ? { text: statement } : (statement as { text?: unknown })
    if (typeof text !== 'string' || typeof args.at(-1) === 'function') return send(...args)
    return traceStatement(tracing, text, () => send(...args))
  }
  return traced as unknown as pg.Pool['query']
}

const BIND = `select set_config('mintmark.project', $1, false), set_config('mintmark.actor', $2, false)`
const BIND_WITH_ROLE = `${BIND}, set_config('role', $3, false)`
