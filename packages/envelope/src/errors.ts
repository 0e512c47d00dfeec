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

/** These are there for who asks, and not printed: the kind is in the text already, the data received is not for logs. */
const HIDDEN = ['cause', 'name', 'received']

/** The base of every error: tell them apart by `kind`, or by class. */
export abstract class MintmarkError extends Error {
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
  declare readonly retryable: boolean

  constructor(message: string, details: object) {
    super(message)
    for (const [key, value] of Object.entries(details)) {
      if (value !== undefined) Object.defineProperty(this, key, { value, enumerable: !HIDDEN.includes(key) })
    }
  }

  get [brand](): true {
    return true
  }
}

/** A class of errors. `More` is what its errors tell besides what all do. */
export interface ErrorClass<Failure extends MintmarkError, More = unknown> {
  readonly kind: Failure['kind']
  readonly prototype: Failure
  new (message: string, details: ErrorDetails & More): Failure
}

function errorClass<Failure extends MintmarkError, More = unknown>(
  kind: Failure['kind'],
  told?: object,
): ErrorClass<Failure, More> {
  const made = class extends MintmarkError {
    static override readonly name = kind
    static override readonly kind = kind
    constructor(message: string, details: object) {
      super(message, { retryable: false, ...told, ...details, kind, name: kind })
    }
  }
  // What the fields of Failure say, its details hold.
  return made as unknown as ErrorClass<Failure, More>
}

/** What can be called again, later, as it is. */
const retryable = { retryable: true }

/** The input does not fit the operation; nothing was stored. `issues` names the fields. */
export interface InvalidInput extends MintmarkError {
  readonly kind: 'InvalidInput'
  readonly issues: readonly Issue[]
}
export const InvalidInput = errorClass<InvalidInput, { issues?: readonly Issue[] }>('InvalidInput', {
  issues: [],
})

/** 401: the server does not know who is asking. The code tells a stale timestamp and a replay apart. */
export interface Unauthorized extends MintmarkError {
  readonly kind: 'Unauthorized'
}
export const Unauthorized = errorClass<Unauthorized>('Unauthorized')

/** 403: the server knows who is asking, and they may not. */
export interface Forbidden extends MintmarkError {
  readonly kind: 'Forbidden'
}
export const Forbidden = errorClass<Forbidden>('Forbidden')

/** 404: what was asked for is not there. */
export interface NotFound extends MintmarkError {
  readonly kind: 'NotFound'
}
export const NotFound = errorClass<NotFound>('NotFound')

/** 409: it is there already, or someone else is at it. */
export interface Conflict extends MintmarkError {
  readonly kind: 'Conflict'
}
export const Conflict = errorClass<Conflict>('Conflict')

/** 402: the payer's balance or quota does not cover the price. */
export interface InsufficientBalance extends MintmarkError {
  readonly kind: 'InsufficientBalance'
}
export const InsufficientBalance = errorClass<InsufficientBalance>('InsufficientBalance')

/** 429: too many calls. */
export interface RateLimited extends MintmarkError {
  readonly kind: 'RateLimited'
}
export const RateLimited = errorClass<RateLimited>('RateLimited', retryable)

/** A rule of the service said no; `code` (gateway) or `reason` (facilitator) says which. */
export interface Refused extends MintmarkError {
  readonly kind: 'Refused'
}
export const Refused = errorClass<Refused>('Refused')

/** 5xx: the server failed. */
export interface Server extends MintmarkError {
  readonly kind: 'Server'
}
export const Server = errorClass<Server>('Server', retryable)

/** No answer within the time allowed, on a call that is safe to send again or never left. */
export interface Timeout extends MintmarkError {
  readonly kind: 'Timeout'
}
export const Timeout = errorClass<Timeout>('Timeout', retryable)

/** No connection, or it broke, on a call that is safe to send again or never left. */
export interface Network extends MintmarkError {
  readonly kind: 'Network'
}
export const Network = errorClass<Network>('Network', retryable)

/**
 * The call may or may not have taken effect: it was sent, it is not safe to send twice, and no answer told the outcome.
 * Find out before sending it again: read what it would have changed, or quote `sentAt` and `requestId` to the operator.
 */
export interface UnknownOutcome extends MintmarkError {
  readonly kind: 'UnknownOutcome'
  /** When the last attempt was sent, milliseconds since the epoch. */
  readonly sentAt: number
  /** The call's key, also when it was 'auto': send it again, and the server answers with what became of the call. */
  readonly idempotencyKey?: string
  /** The chain's transaction, when the facilitator named one. */
  readonly transaction?: string
}
export const UnknownOutcome = errorClass<
  UnknownOutcome,
  { sentAt: number; idempotencyKey?: string | undefined; transaction?: string | undefined }
>('UnknownOutcome')

/** The answer is not what the operation promises. `field` names the place; `received` is the data as it came. */
export interface UnexpectedResponse extends MintmarkError {
  readonly kind: 'UnexpectedResponse'
  /** The first field that does not fit, names joined by dots; empty for the whole answer. */
  readonly field: string
  /** Not enumerable: printing the error does not print the data. */
  readonly received: unknown
  /** True after a write that the server accepted: the answer is odd, the effect is there. */
  readonly accepted: boolean
}
export const UnexpectedResponse = errorClass<
  UnexpectedResponse,
  { field: string; received: unknown; accepted: boolean }
>('UnexpectedResponse')

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
  return brand in Object(error)
}

/** 401: X-Timestamp is outside the server's window; clients correct their clock and sign once more. */
export const STALE_TIMESTAMP = 40101
/** 401: this signature of a write was seen before. */
export const REPLAYED = 40102
/** 503: the gateway cannot read the chain that the call needs just now. Nothing was stored; calling again later can succeed. */
export const CHAIN_UNREADABLE = 50301
