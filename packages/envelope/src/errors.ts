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
  /** What it came of, such as the network's error. Not enumerable. */
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

/**
 * The input does not fit the operation; nothing was stored. `issues` names the fields.
 *
 * Change the fields that `issues` names; sent again as it is, it is refused again.
 */
export interface InvalidInput extends MintmarkError {
  readonly kind: 'InvalidInput'
  /** The fields, each with its path and a message for people; empty when the server named none. */
  readonly issues: readonly Issue[]
}
export const InvalidInput = errorClass<InvalidInput, { issues?: readonly Issue[] }>('InvalidInput', {
  issues: [],
})

/**
 * 401: the server does not know who is asking. The code tells a stale timestamp and a replay apart.
 *
 * Check the API key and its secret, or the token, and the clock; a revoked key needs a new one.
 */
export interface Unauthorized extends MintmarkError {
  readonly kind: 'Unauthorized'
}
export const Unauthorized = errorClass<Unauthorized>('Unauthorized')

/**
 * 403: the server knows who is asking, and they may not.
 *
 * Use a key that has the operation's scope. With a code, a rule refused whom the call names: the code says why.
 */
export interface Forbidden extends MintmarkError {
  readonly kind: 'Forbidden'
}
export const Forbidden = errorClass<Forbidden>('Forbidden')

/**
 * 404: what was asked for is not there.
 *
 * Check the id, the address and the project of the key; what was removed is not found any more.
 */
export interface NotFound extends MintmarkError {
  readonly kind: 'NotFound'
}
export const NotFound = errorClass<NotFound>('NotFound')

/**
 * 409: it is there already, or someone else is at it.
 *
 * Read what is there; after a call under the same idempotency key, ask again once that one is done.
 */
export interface Conflict extends MintmarkError {
  readonly kind: 'Conflict'
}
export const Conflict = errorClass<Conflict>('Conflict')

/**
 * 402: the payer's balance or quota does not cover the price.
 *
 * Deposit, or have the payer sign a larger quota; then send the same call again.
 */
export interface InsufficientBalance extends MintmarkError {
  readonly kind: 'InsufficientBalance'
}
export const InsufficientBalance = errorClass<InsufficientBalance>('InsufficientBalance')

/**
 * 429: too many calls.
 *
 * Wait `retryAfter` seconds, and send less often. The clients do so by themselves where the call is safe to repeat.
 */
export interface RateLimited extends MintmarkError {
  readonly kind: 'RateLimited'
}
export const RateLimited = errorClass<RateLimited>('RateLimited', retryable)

/**
 * A rule of the service said no; `code` (gateway) or `reason` (facilitator) says which.
 *
 * Compare `code` or `reason` with the constants that the operation's package exports; most need something changed before the call
 * can succeed.
 */
export interface Refused extends MintmarkError {
  readonly kind: 'Refused'
}
export const Refused = errorClass<Refused>('Refused')

/**
 * 5xx: the server failed.
 *
 * Call again later; tell the operator the `requestId` when it goes on.
 */
export interface Server extends MintmarkError {
  readonly kind: 'Server'
}
export const Server = errorClass<Server>('Server', retryable)

/**
 * No answer within the time allowed, on a call that is safe to send again or never left.
 *
 * Call again, with a longer `timeout` if need be.
 */
export interface Timeout extends MintmarkError {
  readonly kind: 'Timeout'
}
export const Timeout = errorClass<Timeout>('Timeout', retryable)

/**
 * No connection, or it broke, on a call that is safe to send again or never left.
 *
 * Look at `cause`: a wrong base URL stays wrong, a broken connection may be back. Call again.
 */
export interface Network extends MintmarkError {
  readonly kind: 'Network'
}
export const Network = errorClass<Network>('Network', retryable)

/**
 * The call may or may not have taken effect: it was sent, it is not safe to send twice, and no answer told the outcome.
 *
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

/**
 * The answer is not what the operation promises. `field` names the place; `received` is the data as it came.
 *
 * Do not send a write again when `accepted` is true. Against a server that answers otherwise on purpose, choose `responses:
 * 'report'` or `'off'`.
 */
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

/**
 * X-Timestamp is outside the server's window.
 *
 * The clients correct their clock by the answer and sign once more; set the machine's clock when it comes through all the same.
 */
export const STALE_TIMESTAMP = 40101
/**
 * This signature of a write was seen before.
 *
 * Sign anew: every attempt needs a signature of its own, which the clients see to.
 */
export const REPLAYED = 40102
/**
 * The gateway cannot read the chain that the call needs just now. Nothing was stored.
 *
 * Send the same call again later.
 */
export const CHAIN_UNREADABLE = 50301
