import { serverOnly } from '#server-only'
import type { Issue } from './envelope.ts'

/** Marks the errors of every copy of this package. */
const brand = Symbol.for('mintmark.error')

/** The details of every error. They contain no secret, signature or Authorization value. */
export interface ErrorDetails {
  /** The operation's id, such as `promoCodeCards.get`. */
  operation: string
  /** The HTTP status, when the server responded. */
  status?: number | undefined
  /** The envelope's `code`, when the response was an envelope. */
  code?: number | undefined
  /** The rule that refused, such as `OUT_OF_STOCK` (gateway) or `payer_mismatch` (facilitator). */
  reason?: string | undefined
  /** What the rule says about this call, such as `{ remaining: 3 }` of `OUT_OF_STOCK`. */
  detail?: unknown
  /** The page of the server that says what the error means and what to do, if the server names one. */
  docs?: string | undefined
  /** The server's X-Request-Id: quote it to the operator. */
  requestId?: string | undefined
  /** Seconds to wait, when the server sent Retry-After. */
  retryAfter?: number | undefined
  /** The underlying error, such as the network's. Not enumerable. */
  cause?: unknown
}

/** Not enumerable, so that printing an error does not repeat its class or show the data received. */
const HIDDEN_FIELDS = ['cause', 'name', 'received']

/**
 * The base class of every error. Distinguish errors by `kind`, or by class within one copy of this package.
 * Fields are read-only, and absent when unknown.
 */
export abstract class MintmarkError<Details = unknown> extends Error {
  /** The `kind` of the class's errors. */
  declare static readonly kind: string
  /** Whether the class's errors are retryable; default false. */
  declare static readonly retryable?: boolean
  /** The class, also between two copies of this package. */
  declare readonly kind: string
  /** The operation's id, such as `promoCodeCards.get`. */
  declare readonly operation: string
  /** The HTTP status, when the server responded. */
  declare readonly status?: number
  /** The envelope's `code`, when the response was an envelope. */
  declare readonly code?: number
  /** The rule that refused, such as `OUT_OF_STOCK` (gateway) or `payer_mismatch` (facilitator). */
  declare readonly reason?: string
  /** What the rule in `reason` says about this call. `isErrorOf` gives it the type of the rule's detail. */
  declare readonly detail?: unknown
  /** The page of the server that says what the error means and what to do, if the server names one. */
  declare readonly docs?: string
  /** The server's X-Request-Id: quote it to the operator. */
  declare readonly requestId?: string
  /** Seconds to wait before the next call, when the server sent Retry-After. */
  declare readonly retryAfter?: number
  /** Whether the same call can succeed later without any change. */
  declare readonly retryable: boolean
  declare readonly [brand]: true

  constructor(message: string, details: ErrorDetails & Details) {
    super(message)
    Object.defineProperty(this, brand, { value: true })
    const { kind, retryable = false } = new.target
    const fields = { ...details, kind, retryable, name: `${kind}Error` }
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined) continue
      Object.defineProperty(this, name, { value, enumerable: !HIDDEN_FIELDS.includes(name) })
    }
  }
}

/**
 * The input is invalid; nothing was stored. `issues` names the fields.
 *
 * Change the fields that `issues` names. The same input is rejected every time.
 */
export class InvalidInputError extends MintmarkError<{ issues: readonly Issue[] }> {
  static override readonly kind = 'InvalidInput' as const
  declare readonly kind: 'InvalidInput'
  /** The invalid fields, each with its path and a message for people; empty when the server named none. */
  declare readonly issues: readonly Issue[]
}

/**
 * 401: the server could not authenticate the caller. `reason` distinguishes a stale timestamp from a replayed
 * signature.
 *
 * Check the API key and its secret, or the token, and the clock. Replace a revoked key.
 */
export class UnauthorizedError extends MintmarkError {
  static override readonly kind = 'Unauthorized' as const
  declare readonly kind: 'Unauthorized'
}

/**
 * 403: the caller is authenticated but not allowed to do this.
 *
 * Use a key that has the operation's scope. With a `reason`, a rule refused the wallet or account that the
 * call names.
 */
export class ForbiddenError extends MintmarkError {
  static override readonly kind = 'Forbidden' as const
  declare readonly kind: 'Forbidden'
}

/**
 * 404: the record does not exist.
 *
 * Check the id, the address and the project of the key. A removed record is not found either.
 */
export class NotFoundError extends MintmarkError {
  static override readonly kind = 'NotFound' as const
  declare readonly kind: 'NotFound'
}

/**
 * 409: the record exists already, is in use, or another call with the same idempotency key is in progress.
 *
 * Read the record. After a call with the same idempotency key, retry when that call has finished.
 */
export class ConflictError extends MintmarkError {
  static override readonly kind = 'Conflict' as const
  declare readonly kind: 'Conflict'
}

/**
 * 402: the payer's balance or quota does not cover the price.
 *
 * Deposit, or have the payer sign a larger quota; then repeat the call.
 */
export class InsufficientBalanceError extends MintmarkError {
  static override readonly kind = 'InsufficientBalance' as const
  declare readonly kind: 'InsufficientBalance'
}

/**
 * 429: too many calls.
 *
 * Wait `retryAfter` seconds, and send fewer calls. Clients retry by themselves where the call is safe to
 * repeat.
 */
export class RateLimitedError extends MintmarkError {
  static override readonly kind = 'RateLimited' as const
  static override readonly retryable = true
  declare readonly kind: 'RateLimited'
}

/**
 * A rule of the service refused the call; `reason` names the rule.
 *
 * Compare `reason` with the words that the operation declares. Most rules need a change before the call can
 * succeed.
 */
export class RefusedError extends MintmarkError {
  static override readonly kind = 'Refused' as const
  declare readonly kind: 'Refused'
}

/**
 * 5xx: the server failed.
 *
 * Retry later. If it keeps failing, send the operator the `requestId`.
 */
export class ServerError extends MintmarkError {
  static override readonly kind = 'Server' as const
  static override readonly retryable = true
  declare readonly kind: 'Server'
}

/**
 * No response within the timeout, on a call that is safe to repeat or was never sent.
 *
 * Retry, with a longer `timeout` if necessary.
 */
export class TimeoutError extends MintmarkError {
  static override readonly kind = 'Timeout' as const
  static override readonly retryable = true
  declare readonly kind: 'Timeout'
}

/**
 * No connection, or it broke, on a call that is safe to repeat or was never sent.
 *
 * See `cause`. A wrong base URL stays wrong; a broken connection may recover, so retry.
 */
export class NetworkError extends MintmarkError {
  static override readonly kind = 'Network' as const
  static override readonly retryable = true
  declare readonly kind: 'Network'
}

/** The additional details of an {@link UnknownOutcomeError}. */
export interface UnknownOutcomeDetails {
  /** When the last attempt was sent, milliseconds since the epoch. */
  sentAt: number
  /** The call's key, if it had one. */
  idempotencyKey?: string | undefined
  /** The transaction on the chain, when the facilitator named one. */
  transaction?: string | undefined
}

/**
 * The call may or may not have taken effect: it was sent, it is not safe to repeat, and no response reported
 * the outcome.
 *
 * Find out before you repeat it: read what it would have changed, or quote `sentAt` and `requestId` to the
 * operator.
 */
export class UnknownOutcomeError extends MintmarkError<UnknownOutcomeDetails> {
  static override readonly kind = 'UnknownOutcome' as const
  declare readonly kind: 'UnknownOutcome'
  /** When the last attempt was sent, milliseconds since the epoch. */
  declare readonly sentAt: number
  /**
   * The call's key, also when it was 'auto': repeat the call with it, and the server returns the outcome of
   * the first call.
   */
  declare readonly idempotencyKey?: string
  /** The transaction on the chain, when the facilitator named one. */
  declare readonly transaction?: string
}

/** The additional details of an {@link UnexpectedResponseError}. */
export interface UnexpectedResponseDetails {
  /** The path of the first invalid field, names joined by dots; empty for the whole response. */
  field: string
  /** The data as received. */
  received: unknown
  /** Whether the server accepted the write, so that it took effect. */
  accepted: boolean
}

/**
 * The response does not match the operation's schema. `field` is the path of the mismatch; `received` is the
 * data as received.
 *
 * Do not repeat a write when `accepted` is true. For a server that deviates on purpose, choose
 * `responses: 'report'` or `'off'`.
 */
export class UnexpectedResponseError extends MintmarkError<UnexpectedResponseDetails> {
  static override readonly kind = 'UnexpectedResponse' as const
  declare readonly kind: 'UnexpectedResponse'
  /** The path of the first invalid field, names joined by dots; empty for the whole response. */
  declare readonly field: string
  /** Not enumerable: printing the error does not print the data. */
  declare readonly received: unknown
  /** True when the server accepted the write, so that it took effect although its response is invalid. */
  declare readonly accepted: boolean
}

/** Every error that a call can end in. */
export type AnyMintmarkError =
  | InvalidInputError
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | ConflictError
  | InsufficientBalanceError
  | RateLimitedError
  | RefusedError
  | ServerError
  | TimeoutError
  | NetworkError
  | UnknownOutcomeError
  | UnexpectedResponseError

/** Whether a caught value is an error of Mintmark, from this copy of the package or another. */
export function isMintmarkError(error: unknown): error is AnyMintmarkError {
  return brand in Object(error)
}

/**
 * X-Timestamp is outside the server's window.
 *
 * Clients correct their clock by the response and sign again. Set the machine's clock if the error persists.
 */
export const STALE_TIMESTAMP = {
  code: 40101,
  reason: 'STALE_TIMESTAMP',
  message: serverOnly('X-Timestamp is too far from the clock of the server'),
} as const
/**
 * The signature of this write was used before.
 *
 * Sign again: every attempt needs its own signature. Clients do this for every attempt.
 */
export const SIGNATURE_REPLAYED = {
  code: 40102,
  reason: 'SIGNATURE_REPLAYED',
  message: serverOnly('This signature was already used. Sign each call with a new timestamp'),
} as const
/**
 * The Idempotency-Key was used for another request: with another input, or by a key that may not read the
 * first response. Nothing was stored.
 *
 * Use a new Idempotency-Key for a new request. To receive the first response, repeat the first request.
 */
export const IDEMPOTENCY_KEY_REUSED = {
  code: 40990,
  reason: 'IDEMPOTENCY_KEY_REUSED',
  message: serverOnly('This Idempotency-Key was used for another request'),
} as const
/**
 * The gateway cannot read the chain that the call needs. Nothing was stored.
 *
 * Repeat the call later.
 */
export const CHAIN_UNREADABLE = {
  code: 50301,
  reason: 'CHAIN_UNREADABLE',
  message: serverOnly('The chain cannot be read at present. Nothing was stored. Retry later'),
} as const
