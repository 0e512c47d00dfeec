import { createVerifier, type SignatureScheme, type VerificationFailure } from '@mintmark/core-auth'
import { REPLAYED, STALE_TIMESTAMP } from '@mintmark/envelope'
import { type Call, foundLately, type RateLimit, Refusal, rateLimiter } from '@mintmark/server-kit'
import { ALL_SCOPES, type LiveKey } from './keys/keys-store.ts'

const REFUSALS: Record<VerificationFailure, { code: number; message: string }> = {
  missing: {
    code: 401,
    message: 'X-Api-Key, X-Signature and X-Timestamp (milliseconds since the epoch) are required',
  },
  // One answer for both, so that nobody learns which keys there are.
  unknown_key: { code: 401, message: 'The key or the signature is wrong' },
  bad_signature: { code: 401, message: 'The key or the signature is wrong' },
  stale: { code: STALE_TIMESTAMP, message: 'X-Timestamp is too far from the clock of the server' },
  replayed: { code: REPLAYED, message: 'This signature was used before: sign each call anew' },
}

export interface AuthenticationOptions {
  findKey(apiKey: string): Promise<LiveKey | undefined>
  remember(keyId: number, signature: string, timestamp: number): Promise<boolean>
  scheme?: SignatureScheme | undefined
  skewSeconds?: number | undefined
  rateLimit: RateLimit
  now?: (() => number) | undefined
}

/** Establishes who is asking (401), whether they may (403) and whether they ask too often (429). */
export function createAuthentication(options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  const take = rateLimiter(options.rateLimit, now)
  const verifier = createVerifier<LiveKey>({
    scheme: options.scheme,
    skewSeconds: options.skewSeconds,
    now,
    findKey: foundLately(options.findKey, { now }),
    remember: (key, signature, timestamp) => options.remember(key.id, signature, timestamp),
  })
  return async function authenticate(call: Omit<Call<LiveKey>, 'caller'>): Promise<LiveKey> {
    const { operation } = call
    const signed = {
      method: call.method,
      path: call.path,
      query: call.query,
      body: call.body,
      apiKey: call.header('x-api-key'),
      signature: call.header('x-signature'),
      timestamp: call.header('x-timestamp'),
    }
    const verification = await verifier.verify(signed, { write: operation.effect === 'write' })
    if (!verification.ok) {
      const { code, message } = REFUSALS[verification.reason]
      throw new Refusal(401, message, { code })
    }
    const { key } = verification
    if (operation.scope && !key.scopes.has(operation.scope) && !key.scopes.has(ALL_SCOPES)) {
      throw new Refusal(403, `The key lacks the scope ${operation.scope}`)
    }
    take(key.id)
    return key
  }
}
