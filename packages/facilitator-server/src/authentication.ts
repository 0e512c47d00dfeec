import { type Call, type RateLimit, Refusal, rateLimiter } from '@mintmark/server-kit'

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

/** How long a key that was looked up is used without looking again, in milliseconds. */
const KEY_KEPT_MS = 1000
const KEYS_KEPT = 10_000

/** Operations that anyone may call. */
const OPEN = new Set(['payments.health', 'payments.supported', 'payerQuotas.signingDomain', 'x402.supported'])

/** `Authorization: Bearer <key>`: 401 without a live key, 429 when the key asks too often. */
export function createAuthentication(options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  const take = rateLimiter(options.rateLimit, now)
  const kept = new Map<string, { account: Account; until: number }>()
  async function accountOfToken(token: string): Promise<Account | undefined> {
    const known = kept.get(token)
    const time = now()
    if (known && known.until > time) return known.account
    const account = await options.findAccount(token)
    if (account === undefined) {
      kept.delete(token)
      return undefined
    }
    if (kept.size >= KEYS_KEPT) kept.clear()
    kept.set(token, { account, until: time + KEY_KEPT_MS })
    return account
  }
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
