import {
  type CredentialsSource,
  createCanonicalSigner,
  type GatewayCredentials,
  type SignatureScheme,
} from '@mintmark/core-auth'
import { type Envelope, type Schema, STALE_TIMESTAMP } from '@mintmark/envelope'
import * as v from 'valibot'
import { createClient } from './client.ts'
import { field } from './failure.ts'
import type { GatewayClient } from './operation.ts'
import type { ClientOptions } from './options.ts'

export interface GatewayOptions extends ClientOptions {
  /** The key and its secret, a function that answers them, or a signer that keeps the secret elsewhere. */
  credentials: CredentialsSource<GatewayCredentials>
  /** How calls are signed; default `v1`. */
  scheme?: SignatureScheme | undefined
}

/** A clock this far off, in milliseconds, is left alone: the Date header tells whole seconds, and answers take time. */
const TOLERATED = 2000

/**
 * A client of the marketplace gateway. It holds no connection and no timer; make one and keep it.
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
    again({ status, headers, body }, askedAt) {
      // The Date header's second is half over on average.
      const measured = Date.parse(headers.get('date') ?? '') + 500 - askedAt
      if (Math.abs(measured - offset) > TOLERATED) {
        offset = Math.abs(measured) > TOLERATED ? measured : 0
        signer.correct(offset)
      }
      // Only the code tells: messages are for people.
      return status === 401 && !Number.isNaN(measured) && field(body, 'code') === STALE_TIMESTAMP.code
    },
    find: ({ data }, { body }) =>
      field(body, 'success') !== false && [
        field(body, 'data'),
        body,
        // `Envelope` with the data's schema in it, so that issues name its fields from the envelope on.
        v.looseObject({ code: v.number(), data, msg: v.string(), success: v.boolean() }) as Schema<Envelope>,
      ],
  })
}
