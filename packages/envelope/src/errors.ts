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
  /** Seconds to wait, when the server said so. */
  retryAfter?: number | undefined
  cause?: unknown
}

/** The base of every error: tell them apart by `kind`, or by class. `More` is what a class tells besides. */
export abstract class MintmarkError<More = unknown> extends Error {
  declare static readonly kind: string
  /** Says which of the classes this is, also between two copies of this package. */
  declare readonly kind: string
  declare readonly operation: string
  declare readonly status?: number
  declare readonly code?: number
  declare readonly reason?: string
  declare readonly requestId?: string
  /** Seconds to wait before calling again, when the server said so. */
  declare readonly retryAfter?: number
  /** Whether calling again, later, can succeed without anything being changed first. */
  readonly retryable: boolean = false

  constructor(message: string, details: ErrorDetails & More) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    const { kind } = new.target
    Object.defineProperty(this, brand, { value: true })
    for (const [key, value] of Object.entries({ ...details, kind, name: kind })) {
      if (value === undefined || key === 'cause') continue
      // Printing an error leaves the received data out.
      Object.defineProperty(this, key, { value, enumerable: key !== 'name' && key !== 'received' })
    }
  }
}

/** The input does not fit the operation; nothing was stored. `issues` names the fields. */
export class InvalidInput extends MintmarkError<{ issues?: readonly Issue[] }> {
  static override readonly kind = 'InvalidInput'
  declare readonly kind: 'InvalidInput'
  declare readonly issues: readonly Issue[]
  constructor(message: string, details: ErrorDetails & { issues?: readonly Issue[] }) {
    super(message, { ...details, issues: details.issues ?? [] })
  }
}

/** 401: the server does not know who is asking. The code tells a stale timestamp and a replay apart. */
export class Unauthorized extends MintmarkError {
  static override readonly kind = 'Unauthorized'
  declare readonly kind: 'Unauthorized'
}

/** 403: the server knows who is asking, and they may not. */
export class Forbidden extends MintmarkError {
  static override readonly kind = 'Forbidden'
  declare readonly kind: 'Forbidden'
}

/** 404: what was asked for is not there. */
export class NotFound extends MintmarkError {
  static override readonly kind = 'NotFound'
  declare readonly kind: 'NotFound'
}

/** 409: it is there already, or someone else is at it. */
export class Conflict extends MintmarkError {
  static override readonly kind = 'Conflict'
  declare readonly kind: 'Conflict'
}

/** 402: the payer's balance or quota does not cover the price. */
export class InsufficientBalance extends MintmarkError {
  static override readonly kind = 'InsufficientBalance'
  declare readonly kind: 'InsufficientBalance'
}

/** 429: too many calls. */
export class RateLimited extends MintmarkError {
  static override readonly kind = 'RateLimited'
  declare readonly kind: 'RateLimited'
  override readonly retryable = true
}

/** A rule of the service said no; `code` (gateway) or `reason` (facilitator) says which. */
export class Refused extends MintmarkError {
  static override readonly kind = 'Refused'
  declare readonly kind: 'Refused'
}

/** 5xx: the server failed. */
export class Server extends MintmarkError {
  static override readonly kind = 'Server'
  declare readonly kind: 'Server'
  override readonly retryable = true
}

/** No answer within the time allowed, on a call that is safe to send again or never left. */
export class Timeout extends MintmarkError {
  static override readonly kind = 'Timeout'
  declare readonly kind: 'Timeout'
  override readonly retryable = true
}

/** No connection, or it broke, on a call that is safe to send again or never left. */
export class Network extends MintmarkError {
  static override readonly kind = 'Network'
  declare readonly kind: 'Network'
  override readonly retryable = true
}

/**
 * The call may or may not have taken effect: it was sent, it is not safe to send twice, and no answer told the outcome.
 * Find out before sending it again: read what it would have changed, or quote `sentAt` and `requestId` to the operator.
 */
export class UnknownOutcome extends MintmarkError<{
  sentAt: number
  idempotencyKey?: string | undefined
  transaction?: string | undefined
}> {
  static override readonly kind = 'UnknownOutcome'
  declare readonly kind: 'UnknownOutcome'
  /** When the last attempt was sent, milliseconds since the epoch. */
  declare readonly sentAt: number
  /** The call's key, also when it was 'auto': send it again, and the server answers with what became of the call. */
  declare readonly idempotencyKey?: string
  /** The chain's transaction, when the facilitator named one. */
  declare readonly transaction?: string
}

/** The answer is not what the operation promises. `field` names the place; `received` is the data as it came. */
export class UnexpectedResponse extends MintmarkError<{
  field: string
  received: unknown
  accepted: boolean
}> {
  static override readonly kind = 'UnexpectedResponse'
  declare readonly kind: 'UnexpectedResponse'
  /** The first field that does not fit, names joined by dots; empty for the whole answer. */
  declare readonly field: string
  /** Not enumerable: printing the error does not print the data. */
  declare readonly received: unknown
  /** True after a write that the server accepted: the answer is odd, the effect is there. */
  declare readonly accepted: boolean
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
  /** What the envelope's `msg`, or the facilitator's `message`, says. */
  readonly message: string
  /** The facilitator's `error`, which has no codes. */
  readonly reason?: string
}

/* @__NO_SIDE_EFFECTS__ */
export function rule<const Code extends number>(code: Code, message: string, reason?: string): Rule<Code> {
  return reason === undefined ? { code, message } : { code, message, reason }
}

/** 401: X-Timestamp is outside the server's window; clients correct their clock and sign once more. */
export const STALE_TIMESTAMP = 40101
/** 401: this signature of a write was seen before. */
export const REPLAYED = 40102
