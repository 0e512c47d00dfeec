import { type BearerCredentials, type CredentialsSource, resolveCredentials } from '@mintmark/core-auth'
import * as v from 'valibot'
import { createClient } from './client.ts'
import { field } from './failure.ts'
import type { FacilitatorClient } from './operation.ts'
import type { ClientOptions } from './options.ts'

export interface FacilitatorOptions extends ClientOptions {
  /** The key that is sent as `Authorization: Bearer …`; health, supported and the signing domain need none. */
  credentials?: CredentialsSource<BearerCredentials> | undefined
}

// The settlement in PAYMENT-RESPONSE: base64 of UTF-8 JSON.
function decodeHeader(header: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0))))
  } catch {
    return header
  }
}

/**
 * A client of the micropayment facilitator.
 *
 * @example
 * const facilitator = createFacilitator({ baseUrl: 'http://127.0.0.1:4001', credentials: { token } })
 * const settlement = await payments.settle(facilitator, { x402Version: 2, paymentPayload, paymentRequirements })
 */
export function createFacilitator(options: FacilitatorOptions): FacilitatorClient {
  const { credentials } = options
  return createClient('facilitator', options, {
    async headers(): Promise<Record<string, string>> {
      if (credentials === undefined) return {}
      return { authorization: `Bearer ${(await resolveCredentials(credentials)).token}` }
    },
    pending: ({ status, body }) => status === 503 && field(body, 'error') === 'SettlementPending',
    find({ result, data: schema }, { headers, body }) {
      if (result === 'none') return []
      if (result !== 'header') return [body, body, schema]
      // A facilitator need not send it.
      const header = headers.get('payment-response')
      if (!header) return []
      const data = decodeHeader(header)
      // Named, so that issues are.
      const name = 'PAYMENT-RESPONSE'
      return [data, { [name]: data }, v.looseObject({ [name]: schema })]
    },
  })
}
