import { type QueryExecutorProvider, sql } from 'kysely'
import type { Logger } from 'pino'
import { ReadOnlyDatabaseError } from './errors.ts'

/** Why a server cannot use its database; completes a sentence that begins with "The database". */
export type DatabaseProblem = 'does not respond' | 'is read-only'

/** Finds out whether the database responds and accepts writes. */
export async function findDatabaseProblem(
  db: QueryExecutorProvider,
  log?: Pick<Logger, 'warn'>,
): Promise<DatabaseProblem | undefined> {
  try {
    const { rows } = await sql<{ readOnly: boolean }>`
      select current_setting('transaction_read_only')::boolean as "readOnly"`.execute(db)
    return rows[0]?.readOnly ? 'is read-only' : undefined
  } catch (error) {
    const problem = isReadOnly(error) ? 'is read-only' : 'does not respond'
    log?.warn({ err: error }, `the database ${problem}`)
    return problem
  }
}

/** Whether a connection failed because its server, or one of several, accepts no writes. */
function isReadOnly(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isReadOnly)
  return error instanceof ReadOnlyDatabaseError || (error instanceof Error && isReadOnly(error.cause))
}
