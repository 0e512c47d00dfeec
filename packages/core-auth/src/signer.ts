import { hmacSha256 } from '#digest'
import { refuseSecretInPage } from '#page'
import { encodeBytes } from './bytes.ts'
import {
  type BrowserOptions,
  type CredentialsSource,
  type GatewayCredentials,
  resolveCredentials,
} from './credentials.ts'
import { canonicalQuery, type SignableRequest, type SignatureScheme, v1 } from './scheme.ts'

/** The three headers of a signed call (specification, "Authentication"), in lower case. */
export type SignatureHeaders = {
  'x-api-key': string
  'x-signature': string
  'x-timestamp': string
}

export type UnsignedRequest = Omit<SignableRequest, 'timestamp' | 'canonicalQuery'>
export type CanonicalRequest = Omit<SignableRequest, 'timestamp'>

export interface Signer<Request = UnsignedRequest> {
  /** Signs one attempt. */
  sign(request: Request): Promise<SignatureHeaders>
  /** Corrects the clock: milliseconds to add to the local time. */
  correct(offset: number): void
}

export interface SignerOptions extends BrowserOptions {
  /** The key and its secret, a function that returns them, or a signer that keeps the secret elsewhere. */
  credentials: CredentialsSource<GatewayCredentials>
  /** Default {@link v1}. */
  scheme?: SignatureScheme | undefined
  /** Milliseconds since the epoch. Default: the time, up to half a second earlier. */
  now?: (() => number) | undefined
}

/** How much earlier than the time a timestamp may be. Every server must tolerate a second. */
const SPREAD_MS = 500

/** Programs often begin in the same millisecond: equal calls of theirs should not have the same timestamp. */
const readSpreadTime = () => Date.now() - Math.random() * SPREAD_MS

/**
 * Creates a signer for one client. Its timestamps are strictly increasing, so two equal calls never have the
 * same signature. A server would reject the second as a replay. Equal calls of several clients with one key
 * rarely have the same one, because a timestamp is up to half a second earlier than the call.
 */
export function createSigner(options: SignerOptions): Signer {
  const { sign, correct } = createCanonicalSigner(options)
  return {
    sign: (request) => sign({ ...request, canonicalQuery: canonicalQuery(request.query) }),
    correct,
  }
}

/** Creates a signer like {@link createSigner} for a client that passes the canonical form of its queries. */
export function createCanonicalSigner(options: SignerOptions): Signer<CanonicalRequest> {
  let last = 0
  let offset = 0
  const { now = readSpreadTime, credentials, scheme = v1 } = options
  refuseSecretInPage(credentials, options)
  return {
    async sign(request) {
      const current = await resolveCredentials(credentials)
      refuseSecretInPage(current, options)
      last = Math.max(last + 1, Math.trunc(now() + offset))
      const timestamp = String(last)
      const text = await scheme.canonicalize({ ...request, timestamp })
      const { encoding } = scheme
      const signature =
        'sign' in current
          ? encodeBytes(await current.sign(text), encoding)
          : await hmacSha256(current.secret, text, encoding)
      return {
        'x-api-key': current.apiKey,
        'x-signature': signature,
        'x-timestamp': timestamp,
      }
    },
    correct(milliseconds) {
      // The clock was ahead and goes back. Strictly increasing timestamps would stay ahead of it.
      if (milliseconds < offset) last = 0
      offset = milliseconds
    },
  }
}
