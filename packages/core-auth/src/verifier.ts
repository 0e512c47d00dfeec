import { hmacSha256 } from '#digest'
import { equalInConstantTime } from './constant-time.ts'
import { canonicalQuery, type SignableRequest, type SignatureScheme, v1 } from './scheme.ts'
import type { UnsignedRequest } from './signer.ts'

/** A key as the verifier needs it. */
export interface VerificationKey {
  /** The secrets that can sign. Two during a rotation. */
  readonly secrets: readonly string[]
}

/** Why a call was rejected. Each is a 401; `stale` and `replayed` have their own codes. */
export type VerificationFailure = 'missing' | 'unknown_key' | 'bad_signature' | 'stale' | 'replayed'

interface Verified<Key> {
  /** Whether the call was accepted. */
  ok: true
  /** The key that signed it. */
  key: Key
}
interface Rejected {
  /** Whether the call was accepted. */
  ok: false
  /** Why it was rejected. */
  reason: VerificationFailure
}
export type Verification<Key> = Verified<Key> | Rejected

export interface VerifierOptions<Key extends VerificationKey> {
  /** Returns the key with an id, or undefined. */
  findKey(apiKey: string): Key | undefined | Promise<Key | undefined>
  /**
   * Records a write's signature. Returns false if it was recorded before. Called only for writes whose
   * signature is valid. It must commit on its own, because a call that fails later has still used its
   * signature.
   */
  remember(key: Key, signature: string, timestamp: number): Promise<boolean>
  /** Default {@link v1}. */
  scheme?: SignatureScheme | undefined
  /** Maximum difference between X-Timestamp and the clock, in seconds; default 300. */
  skewSeconds?: number | undefined
  /** Milliseconds since the epoch; default `Date.now`. */
  now?: (() => number) | undefined
}

/** The values of the three headers of a received call. */
interface ReceivedHeaders {
  /** X-Api-Key. */
  apiKey: string | undefined
  /** X-Signature. */
  signature: string | undefined
  /** X-Timestamp. */
  timestamp: string | undefined
}

export interface SignedRequest extends UnsignedRequest, ReceivedHeaders {}

export interface Verifier<Key> {
  /**
   * Checks everything that needs no body: that the headers are present and well-formed, that the key exists,
   * and that the timestamp is recent. A server can reject a call before it reads the body. A success does not
   * authenticate the caller.
   */
  identify(headers: ReceivedHeaders): Promise<Verification<Key>>
  /** Returns whether one of the key's secrets signed the request. */
  isSignedBy(key: Key, request: SignedRequest): Promise<boolean>
  /** Checks the headers, the signature, and that a write's signature is new. */
  verify(request: SignedRequest, options: { write: boolean }): Promise<Verification<Key>>
}

/** Creates a verifier of signed calls. */
export function createVerifier<Key extends VerificationKey>(options: VerifierOptions<Key>): Verifier<Key> {
  const { scheme = v1, skewSeconds = 300, now = Date.now } = options
  async function identify(headers: ReceivedHeaders): Promise<Verification<Key>> {
    const { apiKey, signature, timestamp } = headers
    if (!apiKey || !signature || !timestamp || !/^\d{1,15}$/.test(timestamp))
      return { ok: false, reason: 'missing' }
    const key = await options.findKey(apiKey)
    if (key === undefined) return { ok: false, reason: 'unknown_key' }
    const isStale = Math.abs(now() - Number(timestamp)) > skewSeconds * 1000
    return isStale ? { ok: false, reason: 'stale' } : { ok: true, key }
  }

  async function isSignedBy(key: Key, request: SignedRequest): Promise<boolean> {
    const { signature = '', timestamp = '' } = request
    const signable: SignableRequest = { ...request, canonicalQuery: canonicalQuery(request.query), timestamp }
    const text = await scheme.canonicalize(signable)
    let isValid = false
    for (const secret of key.secrets) {
      // Anyone could sign with an empty secret.
      if (secret === '') continue
      const expected = await hmacSha256(secret, text, scheme.encoding)
      if (equalInConstantTime(signature, expected)) isValid = true
    }
    return isValid
  }

  return {
    identify,
    isSignedBy,
    async verify(request, { write }) {
      const identified = await identify(request)
      if (!identified.ok) return identified
      const { key } = identified
      if (!(await isSignedBy(key, request))) return { ok: false, reason: 'bad_signature' }
      const { signature = '', timestamp } = request
      if (write && !(await options.remember(key, signature, Number(timestamp)))) {
        return { ok: false, reason: 'replayed' }
      }
      return { ok: true, key }
    },
  }
}
