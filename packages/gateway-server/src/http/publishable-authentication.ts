import type { OperationShape } from '@mintmark/operation'
import {
  cacheLookup,
  createConcurrencyLimiter,
  createFailedAttemptLimiter,
  createRateLimiter,
  FAILED_ATTEMPT_LIMIT,
  HttpError,
  type RateLimit,
  toAddressGroup,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import { isPublishableKey, type PublishableKey } from '../keys/publishable-keys-store.ts'
import type { Caller } from './authentication.ts'
import { createCharge } from './call-charge.ts'
import { refuseMoved } from './moving-projects.ts'

/** The header of a publishable key. The headers of a signed call never contain one. */
export const PUBLISHABLE_KEY_HEADER = 'x-publishable-key'
const SIGNATURE_HEADERS = ['x-api-key', 'x-signature', 'x-timestamp']
/** The headers that a page can read. */
const EXPOSED_HEADERS = 'Date, Retry-After, X-Request-Id'

/**
 * The limits of calls with publishable keys. Anybody can use up what a key has, so it is less than what a
 * project's own servers have.
 */
export interface PublishableLimits {
  /** The rate of each key, from all addresses. */
  readonly rateLimit: RateLimit
  /** The rate of each client address, with all keys. */
  readonly addressRateLimit: RateLimit
}

export const DEFAULT_PUBLISHABLE_LIMITS: PublishableLimits = {
  rateLimit: { perSecond: 50, burst: 100 },
  addressRateLimit: { perSecond: 5, burst: 30 },
}

export interface PublishableAuthenticationOptions {
  findKey(publishableKey: string): Promise<PublishableKey | undefined>
  limits: PublishableLimits
  /**
   * Most concurrent calls of one project with publishable keys, in addition to its other calls: visitors of
   * pages must not be able to use up those.
   */
  concurrentCalls: number
  /** The origin of this server as browsers see it: that of pages that are served beside it. */
  ownOrigin: string
  now?: (() => number) | undefined
}

/**
 * Creates the authentication of calls with a publishable key. The key is no secret: it names a project, and
 * its limits are what protects the project. It may call only reads that are declared `publishable`, from
 * pages of its origins. Other websites can therefore not use it in the browsers of their visitors. A program
 * can send any Origin, so everything that a publishable key may read is public.
 */
export function createPublishableAuthentication(options: PublishableAuthenticationOptions) {
  const { limits, ownOrigin, now = Date.now } = options
  const findKey = cacheLookup(options.findKey, { now })
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const addressLimiter = createRateLimiter(limits.addressRateLimit, now)
  // Not those of signed calls, which pages must not be able to use up.
  const charge = createCharge(limits.rateLimit, now)
  const enter = createConcurrencyLimiter(options.concurrentCalls)

  return async function authenticate(call: UnauthenticatedCall): Promise<Caller> {
    const { operation, remoteAddress } = call
    const publishableKey = call.header(PUBLISHABLE_KEY_HEADER) ?? ''
    // A cache must not serve the response of one origin or key to another, nor after the key is revoked.
    call.setHeader('vary', 'Origin, X-Publishable-Key')
    call.setHeader('cache-control', 'no-store')
    const attempt = beginAttempt(remoteAddress, publishableKey)
    const unauthorized = (message: string) => {
      attempt.fail()
      return new HttpError(401, message)
    }
    if (SIGNATURE_HEADERS.some((name) => call.header(name) !== undefined))
      throw unauthorized('Send X-Publishable-Key or a signature, not both')
    const key = isPublishableKey(publishableKey) ? await findKey(publishableKey) : undefined
    // The same response for a key that never existed and one that was revoked.
    if (key === undefined) throw unauthorized('The publishable key is wrong or revoked')
    attempt.succeed()
    const origin = findOrigin(call, ownOrigin)
    if (origin === undefined || !key.origins.has(origin))
      throw new HttpError(403, 'The publishable key does not allow calls from this origin')
    call.setHeader('access-control-allow-origin', origin)
    call.setHeader('access-control-expose-headers', EXPOSED_HEADERS)
    refuseMoved(key)
    if (remoteAddress !== undefined) addressLimiter.take(toAddressGroup(remoteAddress))
    checkOperation(key, operation)
    call.onEnd(enter(key.project))
    charge(call, publishableKey, 0)
    const { project, name } = key
    const isAuthorized = async () => {
      const current = await findKey(publishableKey)
      return current?.cell === undefined && current?.origins.has(origin) === true
    }
    return {
      project,
      wallet: '',
      name,
      isPublic: true,
      isAuthorized,
      actor: `publishable-key:${publishableKey}`,
      holdsScope: () => false,
    }
  }
}

/**
 * Returns the origin of the page that makes a call. Browsers send no Origin with a GET to the page's own
 * origin, but Sec-Fetch-Site, which no script can set.
 */
function findOrigin({ method, header }: UnauthenticatedCall, ownOrigin: string): string | undefined {
  const origin = header('origin')
  if (origin !== undefined) return origin
  return method === 'GET' && header('sec-fetch-site') === 'same-origin' ? ownOrigin : undefined
}

function checkOperation(key: PublishableKey, { effect, publishable, scope }: OperationShape): void {
  if (publishable !== true || effect !== 'read' || scope === undefined)
    throw new HttpError(403, 'A publishable key cannot call this operation. Call it from your server')
  if (!key.scopes.has(scope)) throw new HttpError(403, `The key lacks the scope ${scope}`)
}
