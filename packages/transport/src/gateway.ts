import {
  type BrowserOptions,
  type CredentialsSource,
  createCanonicalSigner,
  type GatewayCredentials,
  type SignatureScheme,
} from '@mintmark/core-auth'
import type { STALE_TIMESTAMP } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import { createClient } from './client.ts'
import { getGatewayPayload } from './gateway-payload.ts'
import type { ClientOptions } from './options.ts'
import { getField } from './received.ts'

export interface GatewayOptions extends ClientOptions, BrowserOptions {
  /** The key and its secret, a function that returns them, or a signer that keeps the secret elsewhere. */
  credentials: CredentialsSource<GatewayCredentials>
  /** How calls are signed; default `v1`. */
  scheme?: SignatureScheme | undefined
}

/** Smaller differences of clocks are ignored: the Date header has whole seconds, and responses take time. */
const CLOCK_TOLERANCE_MS = 2000
type StaleTimestampCode = (typeof STALE_TIMESTAMP)['code']

/**
 * Creates a client of the marketplace gateway. It holds no connection and no timer; create it once and keep
 * it.
 *
 * @example
 * const gateway = createGateway({ baseUrl: 'http://127.0.0.1:4000', credentials: { apiKey, secret } })
 * const card = await promoCodeCards.get(gateway, { id: 7 })
 */
export function createGateway(options: GatewayOptions): GatewayClient {
  const signer = createCanonicalSigner(options)
  let offset = 0
  return createClient('gateway', options, {
    headers: signer.sign,
    correctClock({ status, body, headers }, sentAt) {
      // On average, half of the second in the Date header has passed.
      const measured = Date.parse(headers.get('date') ?? '') + 500 - sentAt
      if (Math.abs(measured - offset) > CLOCK_TOLERANCE_MS) {
        offset = Math.abs(measured) > CLOCK_TOLERANCE_MS ? measured : 0
        signer.correct(offset)
      }
      const isStale = status === 401 && getField(body, 'code') === (40101 satisfies StaleTimestampCode)
      return isStale && !Number.isNaN(measured)
    },
    payload: getGatewayPayload,
  })
}
