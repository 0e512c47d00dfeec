import { setTimeout as pause } from 'node:timers/promises'
import {
  type ControlledTransaction,
  type IsolationLevel,
  isAbortedTransactionError,
  type Kysely,
  sql,
  type Transaction,
} from 'kysely'
import { isDatabaseError, isRetryable } from './errors.ts'

export interface TransactionOptions {
  /** `read committed` unless told. */
  readonly isolation?: IsolationLevel
  readonly readOnly?: boolean
  /** How often the work is begun at most; 6 unless told. */
  readonly attempts?: number
}

/**
 * The connection was lost while the transaction was being committed: it may have been, or not. Find out by reading
 * before doing the work again.
 */
export class CommitOutcomeUnknown extends Error {
  override readonly name = 'CommitOutcomeUnknown'

  constructor(cause: unknown) {
    super('the connection to the database was lost during COMMIT; whether the work was done is not known', {
      cause,
    })
  }
}

/**
 * Runs work in a transaction: all of it is done, or, where it throws, nothing.
 *
 * Work that another transaction got in the way of (a serialisation failure, a deadlock) is begun again, after a
 * random pause; it must therefore touch nothing but the database. Inside another transaction the work becomes a part
 * of that one that can fail alone (a savepoint), and only the outer one is begun again.
 *
 * @throws CommitOutcomeUnknown where the connection was lost during COMMIT. All else is what the work threw, or what
 * the database said, and nothing was done.
 */
export async function transaction<DB, Result>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  if (isTransaction(db)) return savepoint(db, work)
  const attempts = options.attempts ?? 6
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db, work, options)
    } catch (error) {
      if (!isRetryable(error) || attempt >= attempts) throw error
      // Two that collided would collide again if both waited as long.
      await pause(Math.random() * Math.min(500, 10 * 2 ** attempt))
    }
  }
}

async function once<DB, Result>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  let builder = db.startTransaction()
  if (options.isolation !== undefined) builder = builder.setIsolationLevel(options.isolation)
  if (options.readOnly) builder = builder.setAccessMode('read only')
  const running = await builder.execute()
  let result: Result
  try {
    result = await work(running)
  } catch (error) {
    await rollBack(running)
    throw error
  }
  try {
    await running.commit().execute()
  } catch (error) {
    await rollBack(running)
    throw wasRefused(error) ? error : new CommitOutcomeUnknown(error)
  }
  return result
}

/**
 * Undoes the work. It can fail only with the connection, at whose end the database undoes the work itself, and which
 * is not used again: the error that led here says more.
 */
async function rollBack<DB>(running: ControlledTransaction<DB>): Promise<void> {
  await running
    .rollback()
    .execute()
    .catch(() => {})
}

/** Whether the database answered a COMMIT, by an error that means that it was not done. */
function wasRefused(error: unknown): boolean {
  // Kysely's, where COMMIT was answered by ROLLBACK because a statement before had failed.
  if (isAbortedTransactionError(error)) return true
  // A server that shuts down (57P01 to 57P03) and a lost connection (class 08) can follow a commit.
  return isDatabaseError(error) && !/^(57P|08)/.test(error.code ?? '')
}

function isTransaction<DB>(db: Kysely<DB>): db is Transaction<DB> {
  return db.isTransaction
}

let savepoints = 0

async function savepoint<DB, Result>(
  outer: Transaction<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  savepoints += 1
  const name = sql.id(`part_${savepoints}`)
  await sql`savepoint ${name}`.execute(outer)
  let result: Result
  try {
    result = await work(outer)
  } catch (error) {
    // Fails only with the connection, as above; the outer transaction then fails as well.
    await sql`rollback to savepoint ${name}`.execute(outer).catch(() => {})
    throw error
  }
  await sql`release savepoint ${name}`.execute(outer)
  return result
}
