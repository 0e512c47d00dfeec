import { type BearerCredentials, type CredentialsSource, resolveCredentials } from '@mintmark/core-auth'
import { createClient } from './client.ts'
import type { FacilitatorClient } from './operation.ts'
import type { ClientOptions } from './options.ts'

export interface FacilitatorOptions extends ClientOptions {
  /** The key that is sent as `Authorization: Bearer …`; health, supported and the signing domain need none. */
  credentials?: CredentialsSource<BearerCredentials> | undefined
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
  })
}
