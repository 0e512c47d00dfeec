import type { GatewayClient } from '@mintmark/operation'
import { createClient } from './client.ts'
import { getGatewayPayload } from './gateway-payload.ts'
import type { ClientOptions } from './options.ts'

export { createSessionFacilitator, createSessionGateway, type SessionGatewayOptions } from './session.ts'

export interface BrowserGatewayOptions extends ClientOptions {
  /** A publishable key, such as `pk_…`. It is no secret: everybody who opens the page can read it. */
  publishableKey: string
}

/**
 * Creates a client of the gateway for pages. It calls the reads that are declared `publishable`, such as
 * `nfts.list`; other operations throw a TypeError. The gateway accepts the key only from pages of the key's
 * origins.
 *
 * @example
 * const gateway = createBrowserGateway({ baseUrl: 'https://gateway.example', publishableKey: 'pk_…' })
 * const page = await commonSales.list(gateway, { pageSize: 20 })
 */
export function createBrowserGateway(options: BrowserGatewayOptions): GatewayClient {
  const { publishableKey } = options
  if (!/^pk_/.test(publishableKey)) throw new TypeError('publishableKey does not begin with pk_')
  const client = createClient('gateway', options, {
    headers: async () => ({ 'x-publishable-key': publishableKey }),
    payload: getGatewayPayload,
  })
  return {
    kind: client.kind,
    async call(operation, input, callOptions) {
      if (!operation.publishable)
        throw new TypeError(
          `${operation.id} is not available with a publishable key. Call it from your server`,
        )
      return await client.call(operation, input, callOptions)
    },
  }
}
