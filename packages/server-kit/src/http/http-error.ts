import type { Issue } from '@mintmark/envelope'
import type { DeclaredError, Rule } from '@mintmark/operation'
import { isConnectionBroken, isOverload, isUnavailable } from '../postgres/errors.ts'
import { CommitOutcomeUnknownError } from '../postgres/transaction.ts'

/**
 * Ends a call with an error response. Thrown, so that the transaction around it is rolled back; each API
 * formats it in its own way.
 */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  /** The rule that refused the call. */
  readonly rule: Rule | undefined
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
      rule?: Rule | undefined
      issues?: readonly Issue[]
      reason?: string
      retryAfter?: number | undefined
    } = {},
  ) {
    super(message)
    this.status = status
    this.rule = details.rule
    this.code = details.rule?.code ?? status
    this.issues = details.issues ?? []
    this.reason = details.rule?.reason ?? details.reason ?? REASONS[status] ?? 'Refused'
    this.retryAfter = details.retryAfter
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

/** The response when a rule refuses a call. */
export interface RuleResponse {
  /** Default: the first three digits of the rule's code. Required for a rule without a code. */
  readonly status?: number
  /** The envelope's `msg`, or the facilitator's `message`, unless the handler passes a more specific one. */
  readonly message: string
}

/** A server's responses by the reasons of its rules. */
export type RuleResponses = Readonly<Record<string, RuleResponse>>

/** Whether a declared error is a rule rather than a kind of error. */
export function isRule(error: DeclaredError): error is Rule {
  return 'reason' in error
}

/** Returns the HTTP status and the default message of an error that an operation declares. */
export function getErrorResponse(error: DeclaredError, rules: RuleResponses): Required<RuleResponse> {
  if (!isRule(error)) return { status: STATUS_BY_KIND[error.kind] ?? 500, message: error.kind }
  const response = rules[error.reason]
  if (response === undefined)
    throw new Error(`The rule ${error.reason} has no message. Add one to the server's rule responses`)
  const status = response.status ?? Number(String(error.code).slice(0, 3))
  if (Number.isNaN(status))
    throw new Error(`The rule ${error.reason} has neither a status nor a code. Declare one of them`)
  return { status, message: response.message }
}

/** Creates the HttpError of an error that the operation declares. */
export function createDeclaredError(error: DeclaredError, rules: RuleResponses, message?: string): HttpError {
  const { status, message: defaultMessage } = getErrorResponse(error, rules)
  const details = isRule(error) ? { rule: error } : { reason: error.kind }
  return new HttpError(status, message ?? defaultMessage, details)
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
