import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

/** A seller of one article, made of stock x402 software, that settles through a facilitator. */
export interface Shop {
  url: string
  close(): Promise<void>
}

export async function startShop(
  facilitator: { url: string; token: string },
  payTo: string,
  chainId: number,
): Promise<Shop> {
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
  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a host and port has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
