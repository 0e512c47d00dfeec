import type { Issue } from '@mintmark/envelope'
import type { DeclaredError, DetailOf, Rule } from '@mintmark/operation'
import { isConnectionBroken, isOverload, isUnavailable } from '../postgres/errors.ts'
import { CommitOutcomeUnknownError } from '../postgres/transaction.ts'

/**
 * Ends a call with an error response. Thrown, so that the transaction around it is rolled back; each API
 * formats it in its own way.
 */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  /** The rule that refused the call, or another error that the operation declares. */
  readonly declared: DeclaredError | undefined
  /** The rule's detail. */
  readonly detail: object | undefined
  /** The envelope's code: the status, or the rule's five digits. */
  readonly code: number
  readonly issues: readonly Issue[]
  /** The facilitator's `error`: the rule's word, another reason, or the kind of the error. */
  readonly reason: string
  /** Seconds, for Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    details: {
      declared?: DeclaredError | undefined
      detail?: object | undefined
      issues?: readonly Issue[]
      reason?: string
      retryAfter?: number | undefined
    } = {},
  ) {
    super(message)
    this.status = status
    this.declared = details.declared
    this.detail = details.detail
    this.code = this.rule?.code ?? status
    this.issues = details.issues ?? []
    this.reason = details.reason ?? this.rule?.reason ?? REASONS[status] ?? 'Refused'
    this.retryAfter = details.retryAfter
  }

  /** The rule that refused the call. */
  get rule(): Rule | undefined {
    return this.declared !== undefined && isRule(this.declared) ? this.declared : undefined
  }
}

const REASONS: Record<number, string> = {
  400: 'InvalidInput',
  401: 'Unauthorized',
  402: 'InsufficientBalance',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'InvalidInput',
  429: 'RateLimited',
  500: 'ServerError',
  503: 'Unavailable',
  504: 'UnknownOutcome',
}

const STATUS_BY_KIND: Partial<Record<string, number>> = {
  InvalidInput: 400,
  InsufficientBalance: 402,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  Refused: 400,
}

/** Whether a declared error is a rule rather than a kind of error. */
export function isRule(error: DeclaredError): error is Rule {
  return 'reason' in error
}

/** Returns the HTTP status and the default message of an error that an operation declares. */
export function getErrorResponse(error: DeclaredError): { status: number; message: string } {
  if (!isRule(error)) return { status: STATUS_BY_KIND[error.kind] ?? 500, message: error.kind }
  const status = error.status ?? Number(String(error.code).slice(0, 3))
  if (Number.isNaN(status))
    throw new Error(`The rule ${error.reason} has neither a status nor a code. Declare one of them`)
  return { status, message: error.message ?? error.reason }
}

/** The detail that a rule requires, and a message for cases that the rule's own message does not fit. */
type RefusalArguments<E> = [DetailOf<E>] extends [never]
  ? [message?: string]
  : Record<never, never> extends DetailOf<E>
    ? [detail?: DetailOf<E>, message?: string]
    : [detail: DetailOf<E>, message?: string]

/**
 * Creates the error that refuses a call by a rule, or by another error that its operation declares:
 * `throw refusal(OUT_OF_STOCK, { remaining: 3 })`. It rolls back the transaction that it is thrown in. What
 * was committed before stays, with and without an Idempotency-Key.
 */
export function refusal<E extends DeclaredError>(error: E, ...details: RefusalArguments<E>): HttpError {
  const { status, message } = getErrorResponse(error)
  const given: readonly unknown[] = details
  const detail = given.find((each): each is object => typeof each === 'object' && each !== null)
  const ownMessage = given.find((each) => typeof each === 'string')
  return new HttpError(status, ownMessage ?? message, { declared: error, detail })
}

/** Whether an error refuses a call by one of these rules. */
export function isRefusal(error: unknown, rules: readonly DeclaredError[]): error is HttpError {
  return error instanceof HttpError && error.declared !== undefined && rules.includes(error.declared)
}

/** Creates a 400 for one field. */
export function createFieldError(path: string, message: string): HttpError {
  return new HttpError(400, `${path}: ${message}`, { issues: [{ path, message }] })
}

/**
 * Converts any error to an HttpError. An unexpected error becomes a 500, and its message appears only in the
 * log. When a change may have been committed, it is a 504: clients treat every other status as the outcome.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (isOverload(error)) {
    return new HttpError(503, 'The database is busy. Retry later', { retryAfter: 1 })
  }
  if (isUnavailable(error)) {
    return new HttpError(503, 'The database is not available. Retry later', { retryAfter: 1 })
  }
  if (error instanceof CommitOutcomeUnknownError || isConnectionBroken(error)) {
    return new HttpError(
      504,
      'The connection to the database was lost. A change may have been made: read it again, or repeat it with the same Idempotency-Key',
    )
  }
  return new HttpError(500, 'Internal server error. The server log contains the request id')
}
