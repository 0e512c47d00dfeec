import type pg from 'pg'
import { type ClientOptions, connectClient, watchServer } from './connect-client.ts'
import { endsConnection, isDatabaseError, isStalePlan } from './errors.ts'
import type { ServerAddresses } from './server-addresses.ts'
import type { SessionSettings } from './session-settings.ts'
import type { StatementNames } from './statement-names.ts'

interface Read {
  readonly project: string
  readonly text: string
  readonly parameters: readonly unknown[]
  readonly resolve: (result: Promise<pg.QueryResult>) => void
}

/** The connection, and the project it is bound to after everything that was sent so far. */
interface Line {
  readonly client: pg.Client
  /** By `performance.now()`. */
  readonly openedAt: number
  bound: string | undefined
  /** The binding until its result has arrived. */
  binding: Promise<unknown> | undefined
}

/**
 * A dedicated connection for short reads. Reads are pipelined: each is sent without waiting for the results
 * of earlier ones. Reads of one turn of the event loop are sent in one write, which is most of the cost of a
 * small read under load.
 *
 * A slow read delays all later ones, so use it only for reads by a key. When the connection breaks or does not
 * respond, or a plan is stale, the pool repeats the read.
 */
export class ReadPipeline {
  readonly #servers: ServerAddresses
  readonly #config: ClientOptions
  readonly #maxLifetimeMs: number
  readonly #settings: SessionSettings
  readonly #names: StatementNames
  readonly #onBroken: (error: Error) => void
  #line: Promise<Line> | undefined
  #current: Line | undefined
  #ended = false
  #waiting: Read[] = []

  constructor(options: {
    servers: ServerAddresses
    config: ClientOptions
    maxLifetimeMs: number
    /** Settings of the connection's session. */
    settings: SessionSettings
    names: StatementNames
    onBroken: (error: Error) => void
  }) {
    this.#servers = options.servers
    this.#config = options.config
    this.#maxLifetimeMs = options.maxLifetimeMs
    this.#settings = { ...options.settings, ...NO_SCANS }
    this.#names = options.names
    this.#onBroken = options.onBroken
  }

  /**
   * Sends a read for a project.
   *
   * @param retry Repeats the read through the pool when this connection fails.
   */
  async read(
    project: string,
    text: string,
    parameters: readonly unknown[],
    retry: () => Promise<pg.QueryResult>,
  ): Promise<pg.QueryResult> {
    if (this.#ended) return await retry()
    const result = new Promise<pg.QueryResult>((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#send())
      this.#waiting.push({ project, text, parameters, resolve })
    })
    try {
      return await result
    } catch (error) {
      // An error of the read itself is final.
      if (isDatabaseError(error) && !isStalePlan(error) && !endsConnection(error)) throw error
      return await retry()
    }
  }

  /** Waits for reads in flight and closes the connection. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#line?.then(
      ({ client }) => client.end(),
      // The connection was never open, and its reads have failed.
      () => {},
    )
  }

  async #send(): Promise<void> {
    const reads = this.#waiting
    this.#waiting = []
    this.#retire()
    this.#line ??= this.#open()
    const opening = this.#line
    try {
      const line = await opening
      const { stream } = line.client.connection
      // pg writes each query by itself. This write contains them all.
      stream.cork()
      for (const read of reads) read.resolve(this.#execute(line, read, read === reads.at(-1)))
      stream.uncork()
    } catch (error) {
      if (this.#line === opening) this.#line = undefined
      for (const { resolve } of reads) resolve(Promise.reject(error))
    }
  }

  async #execute(line: Line, { project, text, parameters }: Read, isLast: boolean): Promise<pg.QueryResult> {
    if (line.bound !== project) this.#bind(line, project)
    const { client, binding } = line
    const name = this.#names.getName(project, text, parameters)
    // pg declares a mutable list, which it only reads.
    const values = parameters as unknown[]
    const query: pg.QueryConfig = name === undefined ? { text, values } : { name, text, values }
    const result = client.query(isLast ? this.#withTimeout(query) : query).catch((error: unknown) => {
      // The prepared statement of this name is stale.
      if (name !== undefined && isStalePlan(error)) this.#names.renew(text, name)
      throw error
    })
    // The result is valid only if the binding, which completes first, has succeeded.
    return binding === undefined ? await result : (await Promise.all([result, binding]))[0]
  }

  #bind(line: Line, project: string): void {
    const binding = line.client
      .query({ name: 'bind', text: BIND_PROJECT, values: [project] })
      .catch((cause: unknown) => {
        // This is no error of the read, so the read is repeated through the pool.
        throw new Error('The connection could not be bound to a project', { cause })
      })
    line.bound = project
    line.binding = binding
    binding.then(
      () => {
        if (line.binding === binding) line.binding = undefined
      },
      // The connection's project is unknown now. Reads that wait for the binding fail with its error.
      (error: Error) => this.#forget(line, error),
    )
  }

  /**
   * Limits how long the last read of a write, and so each before it, waits for its result, to the time that a
   * caller waits for a connection. Then pg closes the connection. A network can drop it without an error, and
   * the operating system notices that only after a quarter of an hour, in which every read would wait.
   */
  #withTimeout(query: pg.QueryConfig): pg.QueryConfig {
    // The type declarations of pg lack the timeout of a single query.
    return Object.assign(query, { query_timeout: this.#config.connectionTimeoutMillis })
  }

  async #open(): Promise<Line> {
    const client = await connectClient(this.#servers, { ...this.#config, pipeline: true }, this.#settings)
    const line: Line = { client, openedAt: performance.now(), bound: undefined, binding: undefined }
    client.on('error', (error) => this.#forget(line, error))
    watchServer(client, this.#servers, (reason) => this.#forget(line, reason))
    this.#current = line
    return line
  }

  /** Replaces the connection at the end of its lifetime. Its reads in progress complete. */
  #retire(): void {
    const line = this.#current
    if (line === undefined || performance.now() - line.openedAt < this.#maxLifetimeMs) return
    this.#current = undefined
    this.#line = undefined
    line.client.end().catch(() => {})
  }

  /** Stops using a broken connection. The next read opens another one. */
  #forget(line: Line, error: Error): void {
    if (this.#current !== line) return
    this.#current = undefined
    this.#line = undefined
    this.#onBroken(error)
    // Reads in progress fail with the connection and are repeated through the pool.
    line.client.end().catch(() => {})
  }
}

/**
 * Every read here finds its rows by a key, so that an index is always right. Without this setting, a plan
 * from the time when the table was empty scans the whole table, until the table is analyzed.
 */
const NO_SCANS: SessionSettings = { enable_seqscan: 'off' }

/** Binds a connection to a project. Reads have no actor. */
const BIND_PROJECT = `select set_config('mintmark.project', $1, false)`
