import {
  foundLately,
  type RateLimit,
  REFUSED_CALLS_LIMIT,
  Refusal,
  rateLimiter,
  refusedCalls,
  type UnreadCall,
} from '@mintmark/server-kit'

/** Whom a key speaks for. */
export interface Account {
  id: number
  /** The account's paying wallet, in lower case. */
  payer: string
  keyId: number
}

export interface AuthenticationOptions {
  findAccount(token: string): Promise<Account | undefined>
  rateLimit: RateLimit
  now?: (() => number) | undefined
}

export const DEFAULT_RATE_LIMIT: RateLimit = { perSecond: 50, burst: 100 }

/** Operations that anyone may call. */
const OPEN = new Set(['payments.health', 'payments.supported', 'payerQuotas.signingDomain', 'x402.supported'])

/** `Authorization: Bearer <key>`: 401 without a live key, 429 when the key asks too often. */
export function createAuthentication(options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  const take = rateLimiter(options.rateLimit, now)
  const beginAttempt = refusedCalls(REFUSED_CALLS_LIMIT, now)
  const accountOfToken = foundLately(options.findAccount, { now })
  return async function authenticate(call: UnreadCall): Promise<Account | undefined> {
    const header = call.header('authorization')
    const open = OPEN.has(call.operation.id)
    if (open && header === undefined) return undefined
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1]
    const attempt = beginAttempt(call.remoteAddress, token)
    const account = token === undefined ? undefined : await accountOfToken(token)
    if (token === undefined || account === undefined) {
      attempt.refuse()
      throw new Refusal(401, 'Unauthorized')
    }
    attempt.accept()
    take(account.keyId)
    return account
  }
}
