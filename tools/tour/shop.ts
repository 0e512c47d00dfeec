import { getRequestListener } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { serveLocally } from '../http.ts'

/** Starts a server of stock x402 software that sells one article and settles through a facilitator. Returns its address. */
export async function startShop(
  facilitator: { url: string; token: string },
  payTo: string,
  chainId: number,
  stops: AsyncDisposableStack,
): Promise<string> {
  const headers = { Authorization: `Bearer ${facilitator.token}` }
  const client = new HTTPFacilitatorClient({
    url: `${facilitator.url}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const network = `eip155:${chainId}` as const
  const resources = new x402ResourceServer(client).register(network, new ExactEvmScheme())
  const app = new Hono()
  const price = '$0.01'
  const article = {
    accepts: { scheme: 'exact', price, network, payTo },
    description: 'One article',
    mimeType: 'application/json',
  }
  app.use(paymentMiddleware({ 'GET /article': article }, resources))
  app.get('/article', (context) => context.json({ title: 'Prints of the early web', words: 1200 }))
  return await serveLocally(getRequestListener(app.fetch), stops)
}
