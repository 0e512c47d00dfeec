import pg from 'pg'
import { isDatabaseError, isStalePlan } from './errors.ts'
import type { StatementNames } from './statement-names.ts'

interface Read {
  readonly project: string
  readonly text: string
  readonly parameters: readonly unknown[]
  readonly resolve: (result: Promise<pg.QueryResult>) => void
}

/** The connection, and what it is bound to once what was sent over it so far is done. */
interface Line {
  readonly client: pg.Client
  bound: string | undefined
  /** The binding while its answer is out. */
  binding: Promise<unknown> | undefined
}

/**
 * A connection of its own for short reads, each of which is sent without waiting for the answers to those before it. What comes
 * within one turn of the event loop goes out in one write: under load that is most of what a small read costs.
 *
 * A read that is slow makes those behind it wait, so that only reads by a key belong here. A read whose connection broke, or whose
 * plan went stale, is done once more by way of the pool.
 */
export class ReadPipeline {
  readonly #config: pg.ClientConfig
  readonly #role: string | undefined
  readonly #names: StatementNames
  readonly #onBroken: (error: Error) => void
  #line: Promise<Line> | undefined
  #current: Line | undefined
  #ended = false
  #waiting: Read[] = []

  constructor(options: {
    config: pg.ClientConfig
    role: string | undefined
    names: StatementNames
    onBroken: (error: Error) => void
  }) {
    this.#config = options.config
    this.#role = options.role
    this.#names = options.names
    this.#onBroken = options.onBroken
  }

  /**
   * Sends a read on behalf of a project.
   *
   * @param again Does it by way of the pool, where this connection could not.
   */
  async read(
    project: string,
    text: string,
    parameters: readonly unknown[],
    again: () => Promise<pg.QueryResult>,
  ): Promise<pg.QueryResult> {
    if (this.#ended) return await again()
    const result = new Promise<pg.QueryResult>((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#send())
      this.#waiting.push({ project, text, parameters, resolve })
    })
    try {
      return await result
    } catch (error) {
      // What the database itself says of the read holds; 57P01 to 57P03 are a server that shuts down.
      if (isDatabaseError(error) && !isStalePlan(error) && !error.code?.startsWith('57P')) throw error
      return await again()
    }
  }

  /** Waits for reads in flight and closes the connection. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#line?.then(
      ({ client }) => client.end(),
      // It was never open, and whoever waited for it was told.
      () => {},
    )
  }

  async #send(): Promise<void> {
    const reads = this.#waiting
    this.#waiting = []
    this.#line ??= this.#open()
    const opening = this.#line
    try {
      const line = await opening
      for (const read of reads) read.resolve(this.#ask(line, read))
    } catch (error) {
      if (this.#line === opening) this.#line = undefined
      for (const { resolve } of reads) resolve(Promise.reject(error))
    }
  }

  async #ask(line: Line, { project, text, parameters }: Read): Promise<pg.QueryResult> {
    if (line.bound !== project) this.#bind(line, project)
    const { client, binding } = line
    const name = this.#names.nameOf(text, parameters)
    // pg declares a list that it could change; it only reads it.
    const values = parameters as unknown[]
    const answer = client
      .query(name === undefined ? { text, values } : { name, text, values })
      .catch((error: unknown) => {
        // What this connection prepared under the name is of no use to it any more.
        if (name !== undefined && isStalePlan(error)) this.#names.renew(text, name)
        throw error
      })
    // An answer counts only when the connection was bound as it should be. The binding is answered first.
    return binding === undefined ? await answer : (await Promise.all([answer, binding]))[0]
  }

  #bind(line: Line, project: string): void {
    const binding = line.client
      .query({ name: 'bind', text: bindProject, values: [project] })
      .catch((cause: unknown) => {
        // Not the database's word on the read, which is done elsewhere then.
        throw new Error('the connection could not be bound to a project', { cause })
      })
    line.bound = project
    line.binding = binding
    binding.then(
      () => {
        if (line.binding === binding) line.binding = undefined
      },
      // What the connection is bound to is not known any more; those who wait for the binding hear why.
      (error: Error) => this.#forget(line, error),
    )
  }

  #open(): Promise<Line> {
    // `pipeline` is an option of pg that its type declarations do not have yet.
    const config: pg.ClientConfig & { pipeline: true } = { ...this.#config, pipeline: true }
    const client = new pg.Client(config)
    const line: Line = { client, bound: undefined, binding: undefined }
    // A connection that breaks without a listener ends the process.
    client.on('error', (error) => this.#forget(line, error))
    return (async () => {
      await client.connect()
      await client.query(NO_SCANS)
      if (this.#role !== undefined) await client.query(`select set_config('role', $1, false)`, [this.#role])
      this.#current = line
      return line
    })()
  }

  /** Nothing more is sent over a connection that broke; the next read opens another. */
  #forget(line: Line, error: Error): void {
    if (this.#current !== line) return
    this.#current = undefined
    this.#line = undefined
    this.#onBroken(error)
    // What is in flight fails with it, and is done again elsewhere.
    line.client.end().catch(() => {})
  }
}

/**
 * Every read here finds its rows by a key, so that an index is always right. Without this, a plan that was made while the table was empty reads the whole
 * table, and stays for as long as the table is not analyzed.
 */
const NO_SCANS = 'set enable_seqscan = off'

const bindProject = `select set_config('mintmark.project', $1, false)`
