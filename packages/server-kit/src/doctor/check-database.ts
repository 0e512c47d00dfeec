import { CompiledQuery, type Kysely } from 'kysely'
import { describeReason } from '../postgres/errors.ts'
import { hasSharedSessions, isDatabaseError, openDatabase, ReadOnlyDatabaseError } from '../postgres/index.ts'
import { type Check, failIf, type Outcome } from './check.ts'
import { runCheck } from './run-checks.ts'

/** Reads from the database that is checked, in a read-only transaction. */
export type DatabaseReader = Kysely<unknown>
export type DatabaseCheck = Check<DatabaseReader>

/** Creates the reader of a query's rows. */
export const readRows =
  <Row>(text: string, ...values: readonly unknown[]) =>
  async (db: DatabaseReader): Promise<readonly Row[]> =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows

const STATEMENT_TIMEOUT_MS = 5_000

/** Creates the check of a database by others. Without a connection there is one finding: why. */
export const createDatabaseCheck = (url: string, checks: readonly DatabaseCheck[]): Check => ({
  area: 'database',
  name: 'The database',
  async run() {
    const problem = await findConnectionProblem(url)
    if (problem !== undefined) return [problem]
    const database = openDatabase<unknown>({
      url,
      max: 1,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      applicationName: 'mintmark-doctor',
    })
    const outcomes: Outcome[] = []
    for (const check of checks) {
      const transaction = database.system.transaction().setAccessMode('read only')
      const run = () => transaction.execute((db) => check.run(db))
      const found = await runCheck({ ...check, run })
      outcomes.push(...found)
      if (check.isRequired && found.some(({ level }) => level === 'error')) break
    }
    await database.close()
    return outcomes
  },
})

async function findConnectionProblem(url: string): Promise<Outcome | undefined> {
  try {
    // What else a shared session shows would mislead.
    return failIf(await hasSharedSessions(url))`
      DATABASE_URL leads to a pool in transaction mode, where a call could read rows of another project, and the servers do not start
      Connect DATABASE_URL to PostgreSQL directly, or set pool_mode = session in PgBouncer`
  } catch (failure) {
    const [, action] = ACTIONS.find(([code]) => code.test(findCode(failure))) ?? []
    return failIf(true)`No connection to the database: ${describeReason(failure)}
      ${action ?? 'Correct DATABASE_URL'}`
  }
}

/** What to do about the codes of failures. */
const ACTIONS: readonly (readonly [code: RegExp, action: string])[] = [
  [
    /^READ_ONLY/,
    'Set DATABASE_URL to the primary server, or list all servers in it (postgres://user@one,two/database)',
  ],
  [
    /^(?:E[A-Z]+)?$/,
    'Correct host and port in DATABASE_URL, start PostgreSQL, and let its firewall accept this machine',
  ],
  [/^28/, 'Correct user and password in DATABASE_URL, or the line for this machine in pg_hba.conf'],
  [/^3D/, 'Create the database (create database), or correct its name in DATABASE_URL'],
  [/^53/, 'Raise max_connections, or lower DATABASE_CONNECTIONS of all processes'],
  [/^57P0/, 'Repeat in a minute, and read the log of PostgreSQL'],
]

/** Returns the code of a failure. A host with several addresses fails with one error per address. */
function findCode(failure: unknown): string {
  if (failure instanceof ReadOnlyDatabaseError) return 'READ_ONLY'
  if (failure instanceof AggregateError) return failure.errors.map(findCode).find((code) => code !== '') ?? ''
  return isDatabaseError(failure) || (failure instanceof Error && 'code' in failure)
    ? String(failure.code)
    : ''
}
