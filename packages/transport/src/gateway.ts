import {
  type CredentialsSource,
  createSigner,
  type GatewayCredentials,
  type SignatureScheme,
} from '@mintmark/core-auth'
import { STALE_TIMESTAMP } from '@mintmark/envelope'
import { createClient } from './client.ts'
import type { GatewayClient } from './operation.ts'
import type { ClientOptions } from './options.ts'

export interface GatewayOptions extends ClientOptions {
  /** The key and its secret, a function that answers them, or a signer that keeps the secret elsewhere. */
  credentials: CredentialsSource<GatewayCredentials>
  /** How calls are signed; default `v1`. */
  scheme?: SignatureScheme | undefined
}

/** A clock this far off, in milliseconds, is left alone: the Date header tells whole seconds. */
const TOLERATED = 2000

/**
 * A client of the marketplace gateway. It holds no connection and no timer; make one and keep it.
 *
 * @example
 * const gateway = createGateway({ baseUrl: 'http://127.0.0.1:4000', credentials: { apiKey, secret } })
 * const card = await promoCodeCards.get(gateway, { id: 7 })
 */
export function createGateway(options: GatewayOptions): GatewayClient {
  const now = options.now ?? Date.now
  const signer = createSigner({ credentials: options.credentials, scheme: options.scheme, now })
  return createClient('gateway', options, {
    headers: async (request) => ({ ...(await signer.sign(request)) }),
    async again(response, sentAt) {
      const date = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(date)) {
        const offset = date - (sentAt + now()) / 2
        signer.correct(Math.abs(offset) < TOLERATED ? 0 : offset)
      }
      if (response.status !== 401) return false
      // Only the code tells: messages are for people.
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => undefined)
      return typeof body === 'object' && body !== null && 'code' in body && body.code === STALE_TIMESTAMP
    },
  })
}
