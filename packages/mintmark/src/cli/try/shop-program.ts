/** What the program of a shop needs to install. */
export const SHOP_PACKAGES = '@mintmark/seller @x402/core @x402/evm @x402/hono hono @hono/node-server'

/** Returns the program of a shop that sells a call, with the stock middleware of x402. It reads the key from the environment. */
export function formatShopProgram(facilitatorUrl: string, payTo: string, network: string): string {
  return `import { serve } from '@hono/node-server'
import { createMemoryStore } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/hono'
import { HTTPFacilitatorClient, x402HTTPResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddlewareFromHTTPServer, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'

const headers = { Authorization: \`Bearer \${process.env.MINTMARK_FACILITATOR_TOKEN}\` }
const facilitator = new HTTPFacilitatorClient({
  url: ${JSON.stringify(`${facilitatorUrl.replace(/\/+$/, '')}/x402`)},
  createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
})
const network = ${JSON.stringify(network)}
const resources = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
const accepts = { scheme: 'exact', price: '$0.01', network, payTo: ${JSON.stringify(payTo)} }
const routes = new x402HTTPResourceServer(resources, { '/weather': { accepts } })
const app = new Hono()
app.use(deliverOnce(paymentMiddlewareFromHTTPServer, routes, { store: createMemoryStore() }))
app.get('/weather', (context) => context.text('Sunny, 24 °C'))
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4021) }, ({ port }) => console.log(\`http://127.0.0.1:\${port}/weather\`))
`
}
