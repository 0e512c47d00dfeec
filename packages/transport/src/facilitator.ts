import {
  type BearerCredentials,
  type BrowserOptions,
  type CredentialsSource,
  refuseSecretInPage,
  resolveCredentials,
} from '@mintmark/core-auth'
import type { FacilitatorClient } from '@mintmark/operation'
import * as v from 'valibot'
import { createClient } from './client.ts'
import type { ClientOptions } from './options.ts'
import { getField } from './received.ts'

export interface FacilitatorOptions extends ClientOptions, BrowserOptions {
  /** The key that is sent as `Authorization: Bearer …`. Health, supported and the signing domain need none. */
  credentials?: CredentialsSource<BearerCredentials> | undefined
}

/** Decodes the settlement in PAYMENT-RESPONSE: base64 of UTF-8 JSON. Returns the text when it is malformed. */
function decodeHeader(header: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return header
  }
}

/**
 * Creates a client of the micropayment facilitator.
 *
 * @example
 * const facilitator = createFacilitator({ baseUrl: 'http://127.0.0.1:4001', credentials: { token } })
 * const settlement = await payments.settle(facilitator, { x402Version: 2, paymentPayload, paymentRequirements })
 */
export function createFacilitator(options: FacilitatorOptions): FacilitatorClient {
  const { credentials } = options
  refuseSecretInPage(credentials, options)
  return createClient('facilitator', options, {
    async headers(): Promise<Record<string, string>> {
      if (credentials === undefined) return {}
      const current = await resolveCredentials(credentials)
      refuseSecretInPage(current, options)
      const { token } = current
      if (!token) throw new TypeError('Token is empty. Is the environment variable set?')
      return { authorization: `Bearer ${token}` }
    },
    pending: ({ status, body }) => status === 503 && getField(body, 'error') === 'SettlementPending',
    payload({ result, data: schema }, { headers, body }) {
      if (result === 'none') return {}
      if (result !== 'header') return { data: body, value: body, schema }
      // The header is optional.
      const header = headers.get('payment-response')
      if (!header) return {}
      const data = decodeHeader(header)
      // An object around the data, so that the paths of issues begin with the header's name.
      const name = 'PAYMENT-RESPONSE'
      return { data, value: { [name]: data }, schema: v.looseObject({ [name]: schema }) }
    },
  })
}
