import { micropaymentOrders, payerQuotas, signPayerQuota, webhooks } from '@mintmark/facilitator'
import type { CallResult } from '@mintmark/operation'
import type { FacilitatorClient } from '@mintmark/transport'
import { withResponse } from '@mintmark/transport'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import type { Credentials } from '../start/credentials.ts'
import type { Receiver } from './receiver.ts'
import { accountOf, type Stop, stopsOf } from './stops.ts'

/** A quota is signed, an article bought with stock x402 software, its webhook received, and its order read. */
export function micropaymentCalls(
  { facilitator: { payer }, chain }: Credentials,
  facilitator: FacilitatorClient,
  shop: string,
  receiver: Receiver,
): Stop[] {
  const stop = stopsOf(facilitator)
  const wallet = accountOf(payer)
  let [webhook, orderNo] = [0, '']

  async function buyArticle(): Promise<CallResult> {
    const schemes = [{ network: `eip155:${chain.chainId}` as const, client: new ExactEvmScheme(wallet) }]
    const response = await wrapFetchWithPaymentFromConfig(fetch, { schemes })(`${shop}/article`)
    const { status, headers } = response
    const payment = headers.get('payment-response')
    const data = { article: await response.json(), payment: payment && decodePaymentResponseHeader(payment) }
    if (!response.ok) throw new Error(`The shop responded with ${status}: ${JSON.stringify(data)}`)
    return { status, headers, data, requestId: undefined }
  }

  return [
    stop('Sign a quota for 10,000 settles', payerQuotas.register, async () => {
      const signing = await payerQuotas.signingDomain(facilitator)
      const validBefore = Math.floor(Date.now() / 1000) + 365 * 24 * 3600
      return await signPayerQuota(wallet, signing, { limit: 20n * 10n ** 18n, validBefore })
    }),
    {
      title: 'Configure a webhook',
      operation: webhooks.configure,
      async call() {
        const input = {
          url: receiver.url,
          events: ['settlement.settled' as const],
          description: 'npm run tour',
        }
        const result = await withResponse(webhooks.configure, facilitator, input)
        webhook = result.data.id
        receiver.expect(result.data.secret ?? '')
        return { ...result, data: { ...result.data, secret: 'whsec_… (shown once)' } }
      },
    },
    {
      title: 'Buy an article of an @x402/hono server, which settles here, with @x402/fetch',
      operation: { id: 'GET /article', method: 'GET', path: `${shop}/article` },
      call: buyArticle,
    },
    {
      title: 'Receive its webhook and verify the signature',
      operation: { id: 'verifyWebhook', method: 'POST', path: receiver.url },
      async call(): Promise<CallResult> {
        const event = await receiver.event('settlement.settled')
        if ('orderNo' in event.data) orderNo = event.data.orderNo
        return { status: 204, headers: new Headers(), data: event, requestId: undefined }
      },
    },
    stop('Read its order', micropaymentOrders.get, () => ({ orderNo })),
    stop('Remove the webhook', webhooks.remove, () => ({ id: webhook })),
  ]
}
