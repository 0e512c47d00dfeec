import {
  ConnectionTimeoutError,
  DatabaseUnavailableError,
  endsConnection,
  isDatabaseError,
} from './errors.ts'
import { QUERY_TIMEOUT_MESSAGE } from './session-settings.ts'

/** The message of pg for the timeout of a wait for a connection of a pool whose connections are all in use. */
const WAIT_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect'
/** The message of pg for a pool that this program has closed. */
const CLOSED_MESSAGE = 'Cannot use a pool after calling end on the pool'

/**
 * Messages of pg for the timeout of a wait for a connection, and of a new connection. These errors have
 * neither a class nor a code.
 */
const TIMEOUT_MESSAGES: ReadonlySet<string> = new Set([
  WAIT_TIMEOUT_MESSAGE,
  'Connection terminated due to connection timeout',
  'timeout expired',
  QUERY_TIMEOUT_MESSAGE,
])

function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && TIMEOUT_MESSAGES.has(error.message)
}

/** Whether a connection could not be opened because of the server, so that another server may respond. */
export function isOfServer(error: unknown): boolean {
  return error instanceof Error && error.message !== WAIT_TIMEOUT_MESSAGE && error.message !== CLOSED_MESSAGE
}

/** Converts an error of opening a connection. */
export function toConnectError(error: unknown): unknown {
  if (isPoolTimeout(error)) return new ConnectionTimeoutError(error)
  // PostgreSQL has no free connection, which is an overload.
  return isOfServer(error) && !isDatabaseError(error, '53300') ? new DatabaseUnavailableError(error) : error
}

/** Converts an error of a connection that broke before it was lent. Nothing of the borrower's was sent. */
export function toUnsentError(error: unknown): unknown {
  return endsConnection(error) ? new DatabaseUnavailableError(error) : error
}
