import type { Logger } from 'pino'
import { type Database, findReader } from './database.ts'

/** How often the positions of both servers are compared. */
const COMPARE_INTERVAL_MS = 100
/** A replica that lacks changes for longer is not used. */
export const MAX_LAG_MS = 5000
/** A caller that makes no call for as long may have written through another process in the meantime. */
const FORGET_MS = 60_000
/** The callers that a process remembers. Others read from the primary at first. */
const MAX_CALLERS = 10_000
/** The remembered positions of the primary that the replica has not reached. */
const MAX_POSITIONS = 1000

/** A position of the primary, in bytes of WAL, that contains everything that was confirmed before `at`. */
interface Position {
  readonly at: number
  readonly bytes: number
}

export interface ServerState {
  readonly isStandby: boolean
  /** Identifies a server, its standbys and their database. */
  readonly identity: string
  /** How much WAL a primary has, and a standby has replayed. */
  readonly bytes: number
}

export const READ_STATE = `select pg_is_in_recovery() as "isStandby",
  (select system_identifier || '/' || oid from pg_control_system(), pg_database where datname = current_database())
    as identity,
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end, '0/0')
    ::float8 as bytes`

export const isStandbyOf = (replica: ServerState, primary: ServerState): boolean =>
  replica.isStandby && replica.identity === primary.identity

interface Caller {
  readonly calledAt: number
  /** When the caller's last write ended. */
  readonly wroteAt: number
}

export interface ReplicaOptions<DB> {
  readonly primary: Database<DB>
  /** The connections to the standby. The replica closes them. */
  readonly replica: Database<DB>
  /** How long a read may take on the standby, whose connection may have been dropped without an error. */
  readonly timeoutMs: number
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/**
 * A standby from which calls read, if it has everything that was confirmed to the caller before. It compares
 * positions by the clock of this process alone: what was confirmed before the position of the primary was read is
 * visible on the standby when the standby has replayed that position.
 */
export class Replica<DB> {
  readonly #primary: Database<DB>
  readonly #replica: Database<DB>
  readonly #timeoutMs: number
  readonly #log: Pick<Logger, 'info' | 'warn'>
  readonly #timer: NodeJS.Timeout
  readonly #callers = new Map<string, Caller>()
  /** Ends the reads in progress. */
  readonly #onLost = new Set<() => void>()
  #positions: Position[] = []
  #comparing: Promise<void> | undefined
  /** Everything that was confirmed before this time is visible on the replica. */
  #completeAt = Number.NEGATIVE_INFINITY
  #isUsed = false
  #problem = 'it was not reached yet'

  constructor(options: ReplicaOptions<DB>) {
    this.#primary = options.primary
    this.#replica = options.replica
    this.#timeoutMs = options.timeoutMs
    this.#log = options.log
    this.#timer = setInterval(() => this.#tick(), COMPARE_INTERVAL_MS).unref()
  }

  /** Records that a write of a caller has ended, whatever its outcome. */
  recordWrite(caller: string): void {
    const now = performance.now()
    this.#remember(caller, { calledAt: now, wroteAt: now })
  }

  /**
   * Reads from the replica. Reads from the primary if the replica lacks what was confirmed to the caller, lags, or
   * fails.
   */
  async read<Result>(caller: string, work: (database: Database<DB>) => Promise<Result>): Promise<Result> {
    const now = performance.now()
    const found = this.#callers.get(caller)
    const isKnown = found !== undefined && now - found.calledAt < FORGET_MS
    const wroteAt = isKnown ? found.wroteAt : now
    this.#remember(caller, { calledAt: now, wroteAt })
    if (!this.#isUsed || wroteAt > this.#completeAt) return await work(this.#primary)
    try {
      return await this.#readFromReplica(work)
    } catch (error) {
      // Also a refusal may be due to what the replica lacks. The error of the primary counts.
      this.#log.info({ err: error }, 'a read from the replica is repeated on the primary')
      return await work(this.#primary)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#comparing
    await this.#replica.close()
  }

  async #readFromReplica<Result>(work: (database: Database<DB>) => Promise<Result>): Promise<Result> {
    let stop = () => {}
    const lost = new Promise<never>((_, reject) => {
      stop = () => reject(new Error('The replica did not respond in time'))
    })
    this.#onLost.add(stop)
    const timer = setTimeout(stop, this.#timeoutMs)
    try {
      return await Promise.race([work(this.#replica), lost])
    } finally {
      clearTimeout(timer)
      this.#onLost.delete(stop)
    }
  }

  /** Remembers a caller as the latest one. */
  #remember(caller: string, state: Caller): void {
    this.#callers.delete(caller)
    this.#callers.set(caller, state)
    const [oldest] = this.#callers.keys()
    if (this.#callers.size > MAX_CALLERS && oldest !== undefined) this.#callers.delete(oldest)
  }

  #tick(): void {
    this.#comparing ??= this.#compare()
      .catch((error: Error) => {
        this.#problem = error.message
      })
      .finally(() => {
        this.#comparing = undefined
      })
    this.#use(performance.now() - this.#completeAt <= MAX_LAG_MS)
  }

  async #compare(): Promise<void> {
    const at = performance.now()
    const primary = await readState(this.#primary)
    this.#positions.push({ at, bytes: primary.bytes })
    // The replica lags anyway: the newest position suffices.
    if (this.#positions.length > MAX_POSITIONS) this.#positions.splice(-2, 1)
    const replica = await readState(this.#replica)
    if (!isStandbyOf(replica, primary)) {
      this.#positions = []
      this.#completeAt = Number.NEGATIVE_INFINITY
      throw new Error('READ_DATABASE_URL leads to no standby of DATABASE_URL')
    }
    const reached = this.#positions.findLastIndex(({ bytes }) => bytes <= replica.bytes)
    this.#completeAt = this.#positions[reached]?.at ?? this.#completeAt
    this.#positions.splice(0, reached + 1)
    this.#problem = 'it lags'
  }

  /** Starts or stops using the replica. */
  #use(isUsed: boolean): void {
    if (isUsed === this.#isUsed) return
    this.#isUsed = isUsed
    if (isUsed) this.#log.info('the replica is used')
    else this.#log.warn({ reason: this.#problem }, 'the replica is not used')
    for (const stop of this.#onLost) stop()
  }
}

async function readState<DB>(database: Database<DB>): Promise<ServerState> {
  const read = findReader(database.system)
  if (read === undefined) throw new TypeError('The database has no connection for short reads')
  const { rows } = await read(READ_STATE, [])
  return rows[0]
}
