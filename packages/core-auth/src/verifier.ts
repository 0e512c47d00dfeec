import { hmacSha256 } from '#digest'
import { equalInConstantTime } from './constant-time.ts'
import { canonicalQuery, type SignableRequest, type SignatureScheme, v1 } from './scheme.ts'
import type { UnsignedRequest } from './signer.ts'

/** A key as the verifier needs it. */
export interface VerificationKey {
  /** The secrets that may sign: two while one replaces the other. */
  readonly secrets: readonly string[]
}

/** Why a call was not accepted. All are 401; `stale` and `replayed` have codes of their own. */
export type VerificationFailure = 'missing' | 'unknown_key' | 'bad_signature' | 'stale' | 'replayed'

export type Verification<Key> = { ok: true; key: Key } | { ok: false; reason: VerificationFailure }

export interface VerifierOptions<Key extends VerificationKey> {
  findKey(apiKey: string): Key | undefined | Promise<Key | undefined>
  /**
   * Remembers a write's signature; answers false when it was seen before. Called after the signature proved right, and
   * only for writes. It must commit by itself: a call that fails later has still used its signature.
   */
  remember(key: Key, signature: string, timestamp: number): Promise<boolean>
  /** Default {@link v1}. */
  scheme?: SignatureScheme | undefined
  /** How far X-Timestamp may be from the clock, either way, in seconds; default 300. */
  skewSeconds?: number | undefined
  /** Milliseconds since the epoch; default `Date.now`. */
  now?: (() => number) | undefined
}

export interface SignedRequest extends UnsignedRequest {
  apiKey: string | undefined
  signature: string | undefined
  timestamp: string | undefined
}

export interface Verifier<Key> {
  verify(request: SignedRequest, options: { write: boolean }): Promise<Verification<Key>>
}

/** Checks the three headers of a call. The timestamp is judged only after the signature proved to be right. */
export function createVerifier<Key extends VerificationKey>(options: VerifierOptions<Key>): Verifier<Key> {
  const { scheme = v1, skewSeconds = 300, now = Date.now } = options
  return {
    async verify(request, { write }) {
      const { apiKey, signature, timestamp } = request
      if (!apiKey || !signature || !timestamp || !/^\d{1,15}$/.test(timestamp))
        return { ok: false, reason: 'missing' }
      const key = await options.findKey(apiKey)
      if (key === undefined) return { ok: false, reason: 'unknown_key' }
      const signable: SignableRequest = {
        ...request,
        canonicalQuery: canonicalQuery(request.query),
        timestamp,
      }
      const text = await scheme.canonicalise(signable)
      let right = false
      for (const secret of key.secrets) {
        // An empty secret would let anyone sign.
        if (secret === '') continue
        if (equalInConstantTime(signature, scheme.encode(await hmacSha256(secret, text)))) right = true
      }
      if (!right) return { ok: false, reason: 'bad_signature' }
      const time = Number(timestamp)
      if (Math.abs(now() - time) > skewSeconds * 1000) return { ok: false, reason: 'stale' }
      if (write && !(await options.remember(key, signature, time))) return { ok: false, reason: 'replayed' }
      return { ok: true, key }
    },
  }
}
