import { type Call, foundLately, type RateLimit, Refusal, rateLimiter } from '@mintmark/server-kit'

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
  const accountOfToken = foundLately(options.findAccount, { now })
  return async function authenticate(
    call: Omit<Call<Account | undefined>, 'caller'>,
  ): Promise<Account | undefined> {
    const header = call.header('authorization')
    const open = OPEN.has(call.operation.id)
    const token = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1]
    const account = token === undefined ? undefined : await accountOfToken(token)
    if (account === undefined && (!open || header !== undefined)) throw new Refusal(401, 'Unauthorized')
    if (account !== undefined) take(account.keyId)
    return account
  }
}
