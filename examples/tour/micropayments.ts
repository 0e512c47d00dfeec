import { getRequestListener } from '@hono/node-server'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import {
  InvalidWebhookError,
  micropaymentOrders,
  payerQuotas,
  signPayerQuota,
  verifyWebhook,
  type WebhookEvent,
  webhooks,
} from '@mintmark/facilitator'
import type { DemoCredentials } from '@mintmark/sandbox'
import { withResponse } from '@mintmark/transport'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm'
import { ExactEvmScheme as ExactEvmServerScheme } from '@x402/evm/exact/server'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { paymentMiddleware, x402ResourceServer } from '@x402/hono'
import { Hono } from 'hono'
import { waitFor } from './orders.ts'
import { getDevAccount } from './payments.ts'
import type { Tour } from './tour.ts'

const YEAR_S = 365 * 24 * 3600

/**
 * A quota is signed, an article bought with stock x402 software, its webhook received, and its order read.
 */
export async function tourMicropayments(tour: Tour): Promise<void> {
  const { call, step, credentials, facilitator } = tour
  await using stops = new AsyncDisposableStack()
  const wallet = getDevAccount(credentials.facilitator.payer)
  const shop = await startShop(credentials, stops)
  const receiver = await startReceiver(stops)

  await step('Sign a quota for 10,000 settles', payerQuotas.register, async () => {
    const signing = await payerQuotas.signingDomain(facilitator)
    const validBefore = Math.floor(Date.now() / 1000) + YEAR_S
    const input = await signPayerQuota(wallet, signing, { limit: 20n * 10n ** 18n, validBefore })
    return await withResponse(payerQuotas.register, facilitator, input)
  })
  const webhook = await step('Configure a webhook', webhooks.configure, async () => {
    const result = await withResponse(webhooks.configure, facilitator, {
      url: `${receiver.url}/webhooks`,
      events: ['settlement.settled'],
      description: 'npm run tour',
    })
    return { ...result, printed: { ...result.data, secret: 'whsec_… (shown once)' } }
  })
  receiver.secrets = webhook.secret ?? ''
  const article = { id: 'GET /article', method: 'GET', path: `${shop}/article` }
  const title = 'Buy an article of an @x402/hono server, which settles here, with @x402/fetch'
  await step(title, article, async () => {
    const network = `eip155:${credentials.chain.chainId}` as const
    const schemes = [{ network, client: new ExactEvmScheme(wallet) }]
    const response = await wrapFetchWithPaymentFromConfig(fetch, { schemes })(article.path)
    const header = response.headers.get('payment-response')
    const payment = header && decodePaymentResponseHeader(header)
    const data = { article: await response.json(), payment }
    if (!response.ok) throw new Error(`The shop responded with ${response.status}: ${JSON.stringify(data)}`)
    return { status: response.status, data }
  })
  const target = { id: 'verifyWebhook', method: 'POST', path: `${receiver.url}/webhooks` }
  const event = await step('Receive its webhook and verify the signature', target, async () => {
    const find = () => receiver.events.find(({ type }) => type === 'settlement.settled')
    return {
      status: 204,
      data: await waitFor(
        async () => find(),
        (found) => found !== undefined,
      ),
    }
  })
  const orderNo = event && 'orderNo' in event.data ? event.data.orderNo : ''
  await call('Read its order', micropaymentOrders.get, { orderNo })
  await call('Remove the webhook', webhooks.remove, { id: webhook.id })
}

/** A server that receives webhooks. It refuses those that are not signed with `secrets`. */
interface Receiver {
  readonly url: string
  readonly events: readonly WebhookEvent[]
  secrets: string
}

async function startReceiver(stops: AsyncDisposableStack): Promise<Receiver> {
  const events: WebhookEvent[] = []
  const app = new Hono()
  app.post('/webhooks', async ({ req, body }) => {
    try {
      const content = await req.arrayBuffer()
      const { secrets } = receiver
      events.push(await verifyWebhook({ body: new Uint8Array(content), headers: req.raw.headers, secrets }))
      return body(null, 204)
    } catch (error) {
      if (!(error instanceof InvalidWebhookError)) throw error
      return body(null, 401)
    }
  })
  const url = await serveLocally(getRequestListener(app.fetch), stops)
  const receiver: Receiver = { url, events, secrets: '' }
  return receiver
}

/**
 * Starts a server of stock x402 software that sells one article and settles through the facilitator. Returns
 * its address.
 */
async function startShop(credentials: DemoCredentials, stops: AsyncDisposableStack): Promise<string> {
  const { facilitator, chain, demo } = credentials
  const headers = { Authorization: `Bearer ${facilitator.token}` }
  const client = new HTTPFacilitatorClient({
    url: `${facilitator.baseUrl}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const network = `eip155:${chain.chainId}` as const
  const resources = new x402ResourceServer(client).register(network, new ExactEvmServerScheme())
  const article = {
    accepts: { scheme: 'exact', price: '$0.01', network, payTo: demo.creator },
    description: 'One article',
    mimeType: 'application/json',
  }
  const app = new Hono()
  // No method in the key: 'GET /…' would let HEAD run the handler unpaid.
  app.use(paymentMiddleware({ '/article': article }, resources))
  app.get('/article', (context) => context.json({ title: 'Prints of the early web', words: 1200 }))
  return await serveLocally(getRequestListener(app.fetch), stops)
}
