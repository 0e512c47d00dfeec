import type { Issue } from './envelope.ts'

const brand = Symbol.for('mintmark.error')

/** What every error of Mintmark tells. It holds no secret, signature or Authorization value. */
export interface ErrorDetails {
  /** The operation's id, such as `promoCodeCards.get`. */
  operation: string
  /** The HTTP status, when there was an answer. */
  status?: number | undefined
  /** The envelope's `code`, when the answer was an envelope. */
  code?: number | undefined
  /** The machine-readable reason of a facilitator's answer, such as `insufficient_funds`. */
  reason?: string | undefined
  /** The server's X-Request-Id: quote it to the operator. */
  requestId?: string | undefined
  cause?: unknown
}

/** The base of every error: tell them apart by `kind`, or by class. */
export abstract class MintmarkError extends Error {
  /** Says which of the classes this is, also between two copies of this package. */
  abstract readonly kind: string
  readonly operation: string
  declare readonly status?: number
  declare readonly code?: number
  declare readonly reason?: string
  declare readonly requestId?: string
  /** Whether calling again, later, can succeed without anything being changed first. */
  readonly retryable: boolean = false

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.operation = details.operation
    for (const key of ['status', 'code', 'reason', 'requestId'] as const) {
      if (details[key] !== undefined)
        Object.defineProperty(this, key, { value: details[key], enumerable: true })
    }
    Object.defineProperty(this, 'name', { value: new.target.kind, configurable: true })
    Object.defineProperty(this, brand, { value: true })
  }

  static readonly kind: string
}

/** The input does not fit the operation; nothing was stored. `issues` names the fields. */
export class InvalidInput extends MintmarkError {
  static override readonly kind = 'InvalidInput'
  readonly kind = 'InvalidInput'
  readonly issues: readonly Issue[]
  constructor(message: string, details: ErrorDetails & { issues?: readonly Issue[] }) {
    super(message, details)
    this.issues = details.issues ?? []
  }
}

/** 401: the server does not know who is asking. The code tells a stale timestamp and a replay apart. */
export class Unauthorized extends MintmarkError {
  static override readonly kind = 'Unauthorized'
  readonly kind = 'Unauthorized'
}

/** 403: the server knows who is asking, and they may not. */
export class Forbidden extends MintmarkError {
  static override readonly kind = 'Forbidden'
  readonly kind = 'Forbidden'
}

/** 404: what was asked for is not there. */
export class NotFound extends MintmarkError {
  static override readonly kind = 'NotFound'
  readonly kind = 'NotFound'
}

/** 409: it is there already, or someone else is at it. */
export class Conflict extends MintmarkError {
  static override readonly kind = 'Conflict'
  readonly kind = 'Conflict'
}

/** 402: the payer's balance or quota does not cover the price. */
export class InsufficientBalance extends MintmarkError {
  static override readonly kind = 'InsufficientBalance'
  readonly kind = 'InsufficientBalance'
}

/** 429: too many calls. */
export class RateLimited extends MintmarkError {
  static override readonly kind = 'RateLimited'
  readonly kind = 'RateLimited'
  override readonly retryable = true
  /** Seconds to wait, when the server said so. */
  declare readonly retryAfter?: number
  constructor(message: string, details: ErrorDetails & { retryAfter?: number | undefined }) {
    super(message, details)
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter
  }
}

/** A rule of the service said no; `code` (gateway) or `reason` (facilitator) says which. */
export class Refused extends MintmarkError {
  static override readonly kind = 'Refused'
  readonly kind = 'Refused'
}

/** 5xx: the server failed. */
export class Server extends MintmarkError {
  static override readonly kind = 'Server'
  readonly kind = 'Server'
  override readonly retryable = true
}

/** No answer within the time allowed, on a call that is safe to send again. */
export class Timeout extends MintmarkError {
  static override readonly kind = 'Timeout'
  readonly kind = 'Timeout'
  override readonly retryable = true
}

/** No connection, or it broke, on a call that is safe to send again or never left. */
export class Network extends MintmarkError {
  static override readonly kind = 'Network'
  readonly kind = 'Network'
  override readonly retryable = true
}

/**
 * The call may or may not have taken effect: it was sent, it is not safe to send twice, and no answer told the outcome.
 * Find out before sending it again: read what it would have changed, or quote `sentAt` and `requestId` to the operator.
 */
export class UnknownOutcome extends MintmarkError {
  static override readonly kind = 'UnknownOutcome'
  readonly kind = 'UnknownOutcome'
  /** When the last attempt was sent, milliseconds since the epoch. */
  readonly sentAt: number
  /** Send the same key again, and the server answers with what became of the call. */
  declare readonly idempotencyKey?: string
  /** The chain's transaction, when the facilitator named one. */
  declare readonly transaction?: string
  /** Seconds to wait before asking, when the server said so. */
  declare readonly retryAfter?: number
  constructor(
    message: string,
    details: ErrorDetails & {
      sentAt: number
      idempotencyKey?: string | undefined
      transaction?: string | undefined
      retryAfter?: number | undefined
    },
  ) {
    super(message, details)
    this.sentAt = details.sentAt
    if (details.idempotencyKey !== undefined) this.idempotencyKey = details.idempotencyKey
    if (details.transaction !== undefined) this.transaction = details.transaction
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter
  }
}

/** The answer is not what the operation promises. `field` names the place; `received` is the data as it came. */
export class UnexpectedResponse extends MintmarkError {
  static override readonly kind = 'UnexpectedResponse'
  readonly kind = 'UnexpectedResponse'
  /** The first field that does not fit, names joined by dots; empty for the whole answer. */
  readonly field: string
  /** Not enumerable: printing the error does not print the data. */
  declare readonly received: unknown
  /** True after a write that the server accepted: the answer is odd, the effect is there. */
  readonly accepted: boolean
  constructor(
    message: string,
    details: ErrorDetails & { field: string; received: unknown; accepted: boolean },
  ) {
    super(message, details)
    this.field = details.field
    this.accepted = details.accepted
    Object.defineProperty(this, 'received', { value: details.received })
  }
}

/** Every error that a call can end in. */
export type AnyMintmarkError =
  | InvalidInput
  | Unauthorized
  | Forbidden
  | NotFound
  | Conflict
  | InsufficientBalance
  | RateLimited
  | Refused
  | Server
  | Timeout
  | Network
  | UnknownOutcome
  | UnexpectedResponse

/** Whether a caught value is an error of Mintmark, from this copy of the package or another. */
export function isMintmarkError(error: unknown): error is AnyMintmarkError {
  return typeof error === 'object' && error !== null && brand in error
}

/**
 * A rule that can refuse a call: its code is stable and five digits long, the HTTP status and then a number.
 * Domain packages export theirs as constants.
 */
export interface Rule<Code extends number = number> {
  readonly code: Code
  /** What the envelope's `msg` says. */
  readonly message: string
}

/* @__NO_SIDE_EFFECTS__ */
export function rule<const Code extends number>(code: Code, message: string): Rule<Code> {
  return { code, message }
}

/** 401: X-Timestamp is outside the server's window; clients correct their clock and sign once more. */
export const STALE_TIMESTAMP = 40101
/** 401: this signature of a write was seen before. */
export const REPLAYED = 40102
