import {
  cacheLookup,
  createFailedAttemptLimiter,
  createRateLimiter,
  FAILED_ATTEMPT_LIMIT,
  HttpError,
  type RateLimit,
  toAddressGroup,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'

/** The account of a key. */
export interface Account {
  id: number
  /** The account's paying wallet, in lower case. */
  payer: string
  keyId: number
  /** For how many milliseconds a settle may wait for others of one transaction. */
  batchDelayMs?: number
}

export interface AuthenticationOptions {
  findAccount(token: string): Promise<Account | undefined>
  rateLimit: RateLimit
  now?: (() => number) | undefined
}

export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 50, burst: 100 }

/** Operations that require no key. */
const PUBLIC_OPERATIONS = new Set([
  'accounts.open',
  'catalog.list',
  'catalog.search',
  'payments.health',
  'payments.supported',
  'payerQuotas.signingDomain',
  'x402.supported',
])

/** Public operations that use the database. */
const LIMITED_OPERATIONS = new Set(['accounts.open', 'catalog.list', 'catalog.search'])

/**
 * Authenticates `Authorization: Bearer <key>`: 401 without a valid key, 429 above the rate limit of the key,
 * or of the address for a search or an opening without a key.
 */
export function createAuthentication(options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  const { take } = createRateLimiter(options.rateLimit, now)
  const addresses = createRateLimiter(options.rateLimit, now)
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const findAccountOfToken = cacheLookup(options.findAccount, { now })
  return async function authenticate(call: UnauthenticatedCall): Promise<Account | undefined> {
    const header = call.header('authorization')
    const isPublic = PUBLIC_OPERATIONS.has(call.operation.id)
    if (isPublic && header === undefined) {
      if (LIMITED_OPERATIONS.has(call.operation.id) && call.remoteAddress !== undefined)
        addresses.take(toAddressGroup(call.remoteAddress))
      return undefined
    }
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1]
    const attempt = beginAttempt(call.remoteAddress, token)
    const account = token === undefined ? undefined : await findAccountOfToken(token)
    if (token === undefined || account === undefined) {
      attempt.fail()
      throw new HttpError(401, 'Unauthorized')
    }
    attempt.succeed()
    take(account.keyId)
    return account
  }
}
