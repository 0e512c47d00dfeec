import { createHash, timingSafeEqual } from 'node:crypto'
import {
  ConfigurationError,
  createFailedAttemptLimiter,
  createFieldError,
  createRateLimiter,
  FAILED_ATTEMPT_LIMIT,
  HttpError,
  type RateLimit,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'

/** Who makes a change: a person, or a program that acts for one. */
export const ACTOR_HEADER = 'x-mintmark-actor'

const MIN_TOKEN_LENGTH = 32
/**
 * Printable ASCII, without a space at either end. Other characters would be read differently by different
 * servers.
 */
const ACTOR = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/
/** The actor of the facilitator's own transfers. */
const OWN_ACTOR = 'facilitator'

/** Parses OPERATOR_TOKEN. Undefined: there is no operator interface. */
export function parseOperatorToken(token: string | undefined): string | undefined {
  if (token !== undefined && !new RegExp(`^[\\x21-\\x7e]{${MIN_TOKEN_LENGTH},512}$`).test(token)) {
    throw new ConfigurationError(
      `OPERATOR_TOKEN: expected at least ${MIN_TOKEN_LENGTH} printable characters without spaces. Create one with: openssl rand -base64 32`,
    )
  }
  return token
}

export interface OperatorAuthenticationOptions {
  readonly token: string
  /** The rate of all operators together. */
  readonly rateLimit: RateLimit
  readonly now?: (() => number) | undefined
}

/** What the authentication reads of a call. */
export type OperatorCall = Pick<UnauthenticatedCall, 'operation' | 'header' | 'remoteAddress' | 'setHeader'>

/** The caller of an operation of operators. */
export interface OperatorCaller {
  /** Who makes the change. `''` for a read. */
  readonly actor: string
}

/**
 * Creates the authentication of operators: `Authorization: Bearer <OPERATOR_TOKEN>`, and X-Mintmark-Actor for
 * changes. 401 without the token, 400 without the actor, 429 above the rate limit.
 */
export function createOperatorAuthentication({ token, rateLimit, now }: OperatorAuthenticationOptions) {
  const { take } = createRateLimiter(rateLimit, now)
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const expected = hash(token)
  return async function authenticate(call: OperatorCall): Promise<OperatorCaller> {
    call.setHeader('cache-control', 'no-store')
    const received = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(call.header('authorization') ?? '')?.[1]
    const attempt = beginAttempt(call.remoteAddress, received)
    // Hashes have the same length, so the time of the comparison depends neither on the token's length nor on
    // its characters.
    if (received === undefined || !timingSafeEqual(hash(received), expected)) {
      attempt.fail()
      throw new HttpError(401, 'Unauthorized')
    }
    attempt.succeed()
    take('operators')
    return { actor: call.operation.effect === 'read' ? '' : readActor(call) }
  }
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

function readActor(call: OperatorCall): string {
  const actor = call.header(ACTOR_HEADER) ?? ''
  if (!isActor(actor)) throw createFieldError('X-Mintmark-Actor', ACTOR_EXPECTED)
  return actor
}

/** Whether a text can name who makes a change. */
export const isActor = (text: string): boolean => ACTOR.test(text) && text !== OWN_ACTOR

/** The message for a text that cannot. */
export const ACTOR_EXPECTED = 'Expected who makes this change: 1 to 200 printable ASCII characters'
