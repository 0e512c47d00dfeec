import type { Bytes } from './bytes.ts'
import { type CredentialsSource, type GatewayCredentials, resolveCredentials } from './credentials.ts'
import { hmacSha256 } from './digest.ts'
import { type SignableRequest, type SignatureScheme, v1 } from './scheme.ts'

/** The three headers of a signed call (specification, "Authentication"), lower-case. */
export interface SignatureHeaders {
  'x-api-key': string
  'x-signature': string
  'x-timestamp': string
}

export type UnsignedRequest = Omit<SignableRequest, 'timestamp'>

export interface Signer {
  /** Signs one attempt. */
  sign(request: UnsignedRequest): Promise<SignatureHeaders>
  /**
   * Corrects the clock: milliseconds to add to the local time.
   */
  correct(offset: number): void
}

export interface SignerOptions {
  credentials: CredentialsSource<GatewayCredentials>
  /** Default {@link v1}. */
  scheme?: SignatureScheme | undefined
  /** Milliseconds since the epoch; default `Date.now`. */
  now?: (() => number) | undefined
}

/**
 * A signer for one client. Its timestamps are strictly increasing, so that two equal calls never carry the same signature
 * (a server refuses the second as a replay).
 */
export function createSigner({ credentials, scheme = v1, now = Date.now }: SignerOptions): Signer {
  let last = 0
  let offset = 0
  let known: { secret: string; mac: (text: string) => Bytes | Promise<Bytes> } | undefined
  return {
    async sign(request) {
      const found = resolveCredentials(credentials)
      const current = found instanceof Promise ? await found : found
      last = Math.max(last + 1, Math.trunc(now() + offset))
      const timestamp = String(last)
      const text = scheme.canonicalise({ ...request, timestamp })
      const stringToSign = typeof text === 'string' ? text : await text
      let mac: Uint8Array | Promise<Uint8Array>
      if ('sign' in current) mac = current.sign(stringToSign)
      else {
        if (known?.secret !== current.secret)
          known = { secret: current.secret, mac: hmacSha256(current.secret) }
        mac = known.mac(stringToSign)
      }
      return {
        'x-api-key': current.apiKey,
        'x-signature': scheme.encode(mac instanceof Promise ? await mac : mac),
        'x-timestamp': timestamp,
      }
    },
    correct(milliseconds) {
      offset = milliseconds
    },
  }
}
