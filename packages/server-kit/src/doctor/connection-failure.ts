import { isDatabaseError, ReadOnlyDatabaseError } from '../postgres/index.ts'
import { type Outcome, reportError } from './finding.ts'

/** Describes why there is no connection to the database, and what to do. */
export function describeConnectionFailure(failure: unknown): Outcome {
  if (isReadOnly(failure))
    return reportError(
      'The database is read-only: it is a standby, or default_transaction_read_only is on',
      'Set DATABASE_URL to the primary server, or list all servers in it (postgres://user@one,two/database)',
    )
  const code = findCode(failure)
  const [message, action] = CAUSES.get(code) ?? [describeReason(failure), 'Correct DATABASE_URL']
  return reportError(`No connection to the database: ${message}`, action)
}

const REACH =
  'Correct host and port in DATABASE_URL, start PostgreSQL, and let its firewall accept this machine'
const REFUSED = 'Correct user and password in DATABASE_URL, or the line for this machine in pg_hba.conf'

const CAUSES: ReadonlyMap<string, readonly [message: string, action: string]> = new Map([
  ['ECONNREFUSED', ['nothing listens at this host and port (ECONNREFUSED)', REACH]],
  [
    'ENOTFOUND',
    ['the host has no address (ENOTFOUND)', 'Correct the host in DATABASE_URL, or the name service'],
  ],
  [
    'EAI_AGAIN',
    ['the name service does not respond (EAI_AGAIN)', 'Correct the name service of this machine'],
  ],
  ['ETIMEDOUT', ['the host does not respond (ETIMEDOUT)', REACH]],
  ['EHOSTUNREACH', ['the host cannot be reached (EHOSTUNREACH)', REACH]],
  ['28P01', ['PostgreSQL refused the password', REFUSED]],
  ['28000', ['PostgreSQL refused the user', REFUSED]],
  [
    '3D000',
    ['the database does not exist', 'Create it (create database), or correct its name in DATABASE_URL'],
  ],
  [
    '53300',
    [
      'PostgreSQL has no free connection',
      'Raise max_connections, or lower DATABASE_CONNECTIONS of all processes',
    ],
  ],
  ['57P03', ['PostgreSQL is starting or stopping', 'Repeat in a minute, and read the log of PostgreSQL']],
])

const isReadOnly = (failure: unknown): boolean =>
  failure instanceof ReadOnlyDatabaseError ||
  (failure instanceof AggregateError && failure.errors.some(isReadOnly))

function findCode(failure: unknown): string {
  if (isDatabaseError(failure)) return failure.code ?? ''
  // A host with several addresses fails with one error per address.
  if (failure instanceof AggregateError) return failure.errors.map(findCode).find((code) => code !== '') ?? ''
  return failure instanceof Error && 'code' in failure ? String(failure.code) : ''
}

const describeReason = (failure: unknown): string =>
  failure instanceof Error ? failure.message : String(failure)
