import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { createPaymentStatus } from '@mintmark/seller/status'
import { createFacilitator } from '@mintmark/transport'
import { HTTPFacilitatorClient, x402HTTPResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddlewareFromHTTPServer, x402ResourceServer } from '@x402/express'
import express, { type Express } from 'express'

export interface PaidApiOptions {
  /** The facilitator's address. Its x402 API is below `/x402`. */
  readonly facilitatorUrl: string
  /** The key of the account that pays for settles. */
  readonly token: string
  /** The wallet that is paid. */
  readonly payTo: string
  /** The chain, such as `eip155:84532`. */
  readonly network: `${string}:${string}`
}

/** Creates an API whose weather report costs one cent per call. */
export function createPaidApi({ facilitatorUrl, token, payTo, network }: PaidApiOptions): Express {
  const headers = { Authorization: `Bearer ${token}` }
  const payments = new HTTPFacilitatorClient({
    // Without /x402 the middleware refuses to start: the native API has other responses.
    url: `${facilitatorUrl}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const facilitator = createFacilitator({ baseUrl: facilitatorUrl, credentials: { token } })
  const resources = new x402ResourceServer(payments).register(network, new ExactEvmScheme())
  const weather = {
    accepts: { scheme: 'exact', price: '$0.01', network, payTo },
    description: 'The weather of a city',
  } as const

  const app = express()
  app.get('/', (_, response) => void response.send('GET /weather/Berlin costs $0.01'))
  // No method in the key: 'GET /…' would let HEAD run the handler unpaid.
  const routes = new x402HTTPResourceServer(resources, { '/weather/[city]': weather })
  // A purchase is paid once and delivered once. A shop with several processes keeps its purchases in a database.
  const options = { store: createMemoryStore(), status: createPaymentStatus(facilitator) }
  app.use(deliverOnce(paymentMiddlewareFromHTTPServer, routes, options))
  app.get('/weather/:city', (request, response) => {
    response.json({ city: request.params.city, weather: 'sunny', celsius: 21 })
  })
  return app
}
