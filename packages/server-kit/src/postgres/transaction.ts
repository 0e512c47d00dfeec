import { setTimeout as pause } from 'node:timers/promises'
import {
  type ControlledTransaction,
  type IsolationLevel,
  isAbortedTransactionError,
  type Kysely,
  sql,
  type Transaction,
} from 'kysely'
import { DatabaseUnavailableError, endsConnection, isDatabaseError, isRetryable, isUnsent } from './errors.ts'

export interface TransactionOptions {
  /** Default `read committed`. */
  readonly isolation?: IsolationLevel
  readonly readOnly?: boolean
  /** Most attempts. Default 6. */
  readonly attempts?: number
}

/**
 * The connection was lost during COMMIT, so the transaction may or may not be committed. Read the data to
 * find out before you repeat the work.
 */
export class CommitOutcomeUnknownError extends Error {
  override readonly name = 'CommitOutcomeUnknownError'

  constructor(cause: unknown) {
    super('The database connection was lost during COMMIT. The transaction may or may not be committed', {
      cause,
    })
  }
}

/**
 * Runs work in a transaction, which is rolled back when the work throws.
 *
 * After a conflict with another transaction (a serialization failure, a deadlock) the work is repeated after
 * a random pause, so it must not have effects outside the database. Within another transaction the work runs
 * under a savepoint, and only the outer transaction is repeated.
 *
 * @throws CommitOutcomeUnknownError when the connection was lost during COMMIT. After any other error nothing
 * was written.
 */
export async function transaction<DB, Result>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  if (isTransaction(db)) return runUnderSavepoint(db, work)
  const attempts = options.attempts ?? 6
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(db, work, options)
    } catch (error) {
      if (!isRetryable(error) || attempt >= attempts) throw error
      // Two transactions that pause equally long would conflict again.
      await pause(Math.random() * Math.min(500, 10 * 2 ** attempt))
    }
  }
}

async function runOnce<DB, Result>(
  db: Kysely<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  let builder = db.startTransaction()
  if (options.isolation !== undefined) builder = builder.setIsolationLevel(options.isolation)
  if (options.readOnly) builder = builder.setAccessMode('read only')
  const running = await builder.execute().catch((error: unknown) => {
    // Only BEGIN was sent.
    throw endsConnection(error) ? new DatabaseUnavailableError(error) : error
  })
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
    throw isNotCommitted(error) ? error : new CommitOutcomeUnknownError(error)
  }
  return result
}

/**
 * Rolls back. Fails only when the connection is lost, and then the database rolls back itself. The original
 * error is more useful than this one.
 */
async function rollBack<DB>(running: ControlledTransaction<DB>): Promise<void> {
  await running
    .rollback()
    .execute()
    .catch(() => {})
}

/** Whether an error of COMMIT means that the transaction was not committed. */
function isNotCommitted(error: unknown): boolean {
  // Kysely's error when COMMIT returned ROLLBACK because an earlier statement had failed.
  if (isAbortedTransactionError(error) || isUnsent(error)) return true
  // A shutdown of the server (57P01 to 57P03) and a lost connection (class 08) can follow a successful
  // commit.
  return isDatabaseError(error) && !/^(57P|08)/.test(error.code ?? '')
}

function isTransaction<DB>(db: Kysely<DB>): db is Transaction<DB> {
  return db.isTransaction
}

let savepointCount = 0

async function runUnderSavepoint<DB, Result>(
  outer: Transaction<DB>,
  work: (transaction: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  savepointCount += 1
  const name = sql.id(`part_${savepointCount}`)
  await sql`savepoint ${name}`.execute(outer)
  let result: Result
  try {
    result = await work(outer)
  } catch (error) {
    // Fails only when the connection is lost, and then the outer transaction fails too.
    await sql`rollback to savepoint ${name}`.execute(outer).catch(() => {})
    throw error
  }
  await sql`release savepoint ${name}`.execute(outer)
  return result
}
