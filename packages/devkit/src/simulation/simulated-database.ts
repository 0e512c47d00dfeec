import { isDatabaseError, NO_PROJECT, openDatabase } from '@mintmark/server-kit'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Call, SimulatedProcess, Simulation, Step } from './simulation.ts'

/** A fault of a statement. Undefined: it is executed without one. */
export type StatementFault = 'lost-before' | 'lost-after' | 'late-response' | 'late-arrival' | undefined

/** A real connection. One simulated connection uses it at a time. */
interface Session {
  readonly client: pg.PoolClient
  /** The process that uses it. */
  owner: SimulatedProcess | undefined
  inTransaction: boolean
  /** Whether a statement of the transaction failed, so that only a rollback is accepted. */
  hasFailed: boolean
  /** Whether its present statement waits for a lock. */
  isBlocked: boolean
  /** The value of `simulation.now` of this session. */
  clock: number
  /** The project that the session is bound to. */
  project: string
  /** Statements that are sent with the next one. */
  deferred: string[]
}

/** A statement with its result. */
export interface ExecutedStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly result: pg.QueryResult
}

/** Enough for all concurrent statements of all processes. */
const SESSIONS = 16
const LOCK_NOT_AVAILABLE = '55P03'
/** They take no lock and no snapshot, and cannot fail in a transaction that has not failed. */
const DEFERRABLE = /^(?:begin|start transaction|savepoint|release savepoint)\b/
const PREPARABLE = /^\s*(select|insert|update|delete|with)\b/i
/** Only one statement runs at a time, so whoever waits for a lock waits for a parked transaction. */
const LOCK_TIMEOUT_MS = 1

/**
 * A real PostgreSQL database whose statements are scheduled. Each waits until the scheduler chooses it, and
 * sees the simulation's clock. A statement that would wait for another transaction is tried again when a
 * transaction has ended.
 */
export class SimulatedDatabase<DB> {
  readonly #sessions: Session[] = []
  readonly #names = new Map<string, string>()
  /** All rows, read outside of the simulation by the schema's owner. */
  readonly owner: Kysely<DB>
  readonly #close: () => Promise<void>
  simulation: Simulation | undefined
  chooseFault: () => StatementFault = () => undefined
  /** Called after each statement that was executed. */
  onExecuted: (executed: ExecutedStatement) => void | Promise<void> = () => {}
  /**
   * How often a statement waited for a lock that no transaction of the simulation holds. Whatever follows is
   * not repeatable.
   */
  foreignWaits = 0
  /** The statements that were executed since the database was opened. */
  statementCount = 0

  private constructor(owner: Kysely<DB>, close: () => Promise<void>) {
    this.owner = owner
    this.#close = close
  }

  /**
   * @param url A database that `createSimulationDatabase` created.
   * @param role The role of the connections.
   */
  static async open<DB>(url: string, role: string): Promise<SimulatedDatabase<DB>> {
    const opened = openDatabase<DB>({ url, role, max: SESSIONS })
    const owner = openDatabase<DB>({ url, max: 1 })
    const database = new SimulatedDatabase<DB>(owner.system, async () => {
      for (const { client } of database.#sessions) client.release()
      await opened.close()
      await owner.close()
    })
    for (let count = 0; count < SESSIONS; count += 1) {
      const client = await opened.pool.connect()
      await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
      const idle = { owner: undefined, inTransaction: false, hasFailed: false, isBlocked: false, clock: 0 }
      database.#sessions.push({ client, ...idle, project: NO_PROJECT, deferred: [] })
    }
    return database
  }

  close(): Promise<void> {
    return this.#close()
  }

  /**
   * Opens the database for a process.
   *
   * @param project The project that the connections are bound to, as row-level security reads it. Default:
   * none.
   */
  connect(process: SimulatedProcess, project = NO_PROJECT): Kysely<DB> {
    return new Kysely<DB>({
      dialect: new PostgresDialect({
        pool: {
          options: {},
          connect: async () => this.#lend(process, project),
          end: async () => {},
        },
      }),
    })
  }

  /** Rolls back what a crashed process, or an ended simulation, left open. */
  async release(process?: SimulatedProcess): Promise<void> {
    for (const session of this.#sessions) {
      if (session.owner === undefined || (process !== undefined && session.owner !== process)) continue
      session.owner = undefined
      await this.#rollBack(session)
    }
  }

  #lend(process: SimulatedProcess, project: string): PostgresPoolClient {
    const session = this.#sessions.find(({ owner }) => owner === undefined)
    if (session === undefined) throw new Error('The simulation needs more database sessions')
    session.owner = process
    const connection = {
      isBroken: false,
      query: (text: string, values: readonly unknown[] = []) => {
        const statement = { text, values, connection, session, process, project }
        return process.simulation.call(process, this.#toCall(statement))
      },
      release: () => {
        if (session.owner === process) session.owner = undefined
      },
    }
    // Kysely's type of a connection also streams by cursors, which are not used.
    return connection as unknown as PostgresPoolClient
  }

  #toCall(statement: Statement): Call<pg.QueryResult> {
    return {
      label: describeStatement(statement.text),
      run: () => this.#run(statement),
      crash: async () => {
        const { session, process } = statement
        // The statement was sent. PostgreSQL executes it although nobody waits for it.
        const isSent = !session.isBlocked && (!session.inTransaction || statement.text === 'commit')
        if (isSent && process.simulation.random.chance(0.5)) {
          process.simulation.trace(`${process.name} crashed during: ${describeStatement(statement.text)}`)
          await this.#execute(statement)
        }
      },
    }
  }

  async #run(statement: Statement): Promise<Step<pg.QueryResult>> {
    const { connection, session } = statement
    if (connection.isBroken) return { kind: 'throw', error: createLostError() }
    session.isBlocked = false
    const fault = this.chooseFault()
    if (fault === 'lost-before') return this.#lose(statement)
    if (fault === 'late-arrival') return { kind: 'delayed' }
    const step = await this.#execute(statement)
    session.isBlocked = step.kind === 'blocked'
    if (step.kind === 'blocked') return this.#isDeadlocked() ? this.#endDeadlock(session) : step
    if (fault === 'lost-after') return this.#lose(statement)
    return fault === 'late-response' ? { kind: 'respond-later', response: step } : step
  }

  /** Breaks the connection. PostgreSQL rolls back its transaction. */
  async #lose({ connection, session }: Statement): Promise<Step<pg.QueryResult>> {
    connection.isBroken = true
    await this.#rollBack(session)
    return { kind: 'throw', error: createLostError() }
  }

  async #execute({ text, values, session, process, project }: Statement): Promise<Step<pg.QueryResult>> {
    this.statementCount += 1
    if (DEFERRABLE.test(text) && !session.hasFailed) return { kind: 'return', value: defer(session, text) }
    const isEnd = text === 'commit' || text === 'rollback'
    const preparations: Promise<unknown>[] = [
      this.#bind(session, project),
      this.#setClock(session, process.simulation.now),
      ...session.deferred.splice(0).map((statement) => session.client.query(statement)),
    ]
    const isGuarded =
      session.inTransaction && !isEnd && !session.hasFailed && this.#hasOtherTransaction(session)
    if (isGuarded) preparations.push(session.client.query('savepoint simulation'))
    try {
      // They are sent together: the pool pipelines the queries of a connection.
      const [result] = await Promise.all([session.client.query(this.#toQuery(text, values)), ...preparations])
      if (text.startsWith('rollback to savepoint')) session.hasFailed = false
      // A rollback restores an earlier clock.
      if (isEnd) Object.assign(session, { inTransaction: false, hasFailed: false, clock: 0 })
      if (!session.inTransaction) this.#unblock()
      await this.onExecuted({ text, values, result })
      return { kind: 'return', value: result }
    } catch (error) {
      if (!isDatabaseError(error, LOCK_NOT_AVAILABLE)) {
        session.hasFailed = session.inTransaction
        return { kind: 'throw', error }
      }
      if (!this.#hasOtherTransaction(session)) this.foreignWaits += 1
      if (isGuarded) await session.client.query('rollback to savepoint simulation')
      return { kind: 'blocked' }
    }
  }

  #toQuery(text: string, values: readonly unknown[]): pg.QueryConfig {
    const config = { text, values: [...values] }
    if (!PREPARABLE.test(text)) return config
    return { ...config, name: this.#getName(text) }
  }

  #getName(text: string): string {
    const name = this.#names.get(text) ?? `s${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  /** The first statement of a connection is in no transaction, so a rollback does not undo this. */
  async #bind(session: Session, project: string): Promise<void> {
    if (session.project === project) return
    session.project = project
    const values = [project]
    await session.client.query({
      name: 'project',
      text: "select set_config('mintmark.project', $1, false)",
      values,
    })
  }

  async #setClock(session: Session, now: number): Promise<void> {
    if (session.hasFailed || session.clock === now) return
    session.clock = now
    await session.client.query({
      name: 'clock',
      text: "select set_config('simulation.now', $1, false)",
      values: [new Date(now).toISOString()],
    })
  }

  async #rollBack(session: Session): Promise<void> {
    if (session.inTransaction) {
      await session.client.query('rollback')
      this.#unblock()
    }
    // The rollback restored an earlier clock.
    Object.assign(session, {
      inTransaction: false,
      hasFailed: false,
      isBlocked: false,
      clock: 0,
      deferred: [],
    })
  }

  /** A transaction has ended, so that what waited may have its lock. It is not known until it is tried again. */
  #unblock(): void {
    for (const session of this.#sessions) session.isBlocked = false
    this.simulation?.unblock()
  }

  #hasOtherTransaction(session: Session): boolean {
    return this.#sessions.some((other) => other !== session && other.inTransaction)
  }

  /** Whether all open transactions wait for locks. Then they wait for each other. */
  #isDeadlocked(): boolean {
    const open = this.#sessions.filter(({ inTransaction }) => inTransaction)
    return open.length > 1 && open.every(({ isBlocked }) => isBlocked)
  }

  async #endDeadlock(session: Session): Promise<Step<pg.QueryResult>> {
    session.isBlocked = false
    if (session.inTransaction) {
      // PostgreSQL aborts the transaction.
      await session.client.query('rollback')
      await session.client.query('begin')
      await session.client.query('select 1/0').catch(() => {})
      session.hasFailed = true
      this.#unblock()
    }
    const error = new pg.DatabaseError('deadlock detected', 0, 'error')
    error.code = '40P01'
    return { kind: 'throw', error }
  }
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly connection: { isBroken: boolean }
  readonly session: Session
  readonly process: SimulatedProcess
  readonly project: string
}

/** Sends a statement with the next one of its session: a round trip takes longer than most statements. */
function defer(session: Session, text: string): pg.QueryResult {
  session.deferred.push(text)
  session.inTransaction = true
  return { command: '', rowCount: null, oid: 0, fields: [], rows: [] }
}

const createLostError = () => new Error('Connection terminated unexpectedly')

/** Returns the beginning of a statement, for the trace. */
function describeStatement(text: string): string {
  // Savepoints are numbered per operating system process, and not per simulation.
  const words = text
    .replaceAll(/\s+/g, ' ')
    .replace(/\bpart_\d+/, 'part')
    .trim()
  const call = /(?:facilitator|gateway)\.(\w+)\(/.exec(words)
  return `sql ${call?.[1] ?? words.slice(0, 72)}`
}
