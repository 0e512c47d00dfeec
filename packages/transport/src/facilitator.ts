import {
  type BearerCredentials,
  type BrowserOptions,
  type CredentialsSource,
  refuseSecretInPage,
  resolveCredentials,
} from '@mintmark/core-auth'
import type { FacilitatorClient } from '@mintmark/operation'
import { createClient } from './client.ts'
import { readFacilitatorResponse } from './facilitator-response.ts'
import type { ClientOptions } from './options.ts'

export interface FacilitatorOptions extends ClientOptions, BrowserOptions {
  /**
   * The key that is sent as `Authorization: Bearer …`. Health, supported, the catalog and the signing domain
   * need none.
   */
  credentials?: CredentialsSource<BearerCredentials> | undefined
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
    ...readFacilitatorResponse,
  })
}
