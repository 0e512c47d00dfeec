import { micropaymentOrders, payerQuotas, signPayerQuota, webhooks } from '@mintmark/facilitator'
import type { FacilitatorClient } from '@mintmark/transport'
import { type CallResult, withResponse } from '@mintmark/transport/operation'
import { ExactEvmScheme } from '@x402/evm'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { devAccounts } from '../devchain/accounts.ts'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'
import type { Receiver } from './receiver.ts'
import type { Shop } from './shop.ts'

/** A payer's day: a quota is signed, an article is bought with stock x402 software, the webhook comes, the order is read. */
export function micropaymentCalls(
  { facilitator: { payer }, chain }: Credentials,
  facilitator: FacilitatorClient,
  shop: Shop,
  receiver: Receiver,
): Stop[] {
  const wallet = devAccounts.find(({ address }) => address.toLowerCase() === payer.toLowerCase())
  if (wallet === undefined) throw new Error(`${payer} is not one of the dev chain's wallets`)
  let webhook = 0
  let orderNo = ''
  return [
    {
      title: 'The payer allows 10,000 settles by signing a quota',
      operation: payerQuotas.register,
      async call() {
        const signing = await payerQuotas.signingDomain(facilitator)
        const validBefore = Math.floor(Date.now() / 1000) + 365 * 24 * 3600
        const quota = await signPayerQuota(wallet, signing, { limit: 20n * 10n ** 18n, validBefore })
        return await withResponse(payerQuotas.register, facilitator, quota)
      },
    },
    {
      title: 'A webhook is configured',
      operation: webhooks.configure,
      async call() {
        const result = await withResponse(webhooks.configure, facilitator, {
          url: receiver.url,
          events: ['settlement.settled'],
          description: 'npm run tour',
        })
        webhook = result.data.id
        receiver.expect(result.data.secret ?? '')
        return { ...result, data: { ...result.data, secret: 'whsec_… (shown once)' } }
      },
    },
    {
      title: '@x402/fetch buys an article of an @x402/hono server that settles here',
      operation: { id: 'GET /article', method: 'GET', path: `${shop.url}/article` },
      async call(): Promise<CallResult> {
        const network = `eip155:${chain.chainId}` as const
        const buy = wrapFetchWithPaymentFromConfig(fetch, {
          schemes: [{ network, client: new ExactEvmScheme(wallet) }],
        })
        const answer = await buy(`${shop.url}/article`)
        const paid = answer.headers.get('payment-response')
        const data = { article: await answer.json(), payment: paid && decodePaymentResponseHeader(paid) }
        if (!answer.ok) throw new Error(`the shop answered ${answer.status}: ${JSON.stringify(data)}`)
        return { status: answer.status, headers: answer.headers, data, requestId: undefined }
      },
    },
    {
      title: 'Its webhook arrives, and its signature is verified',
      operation: { id: 'verifyWebhook', method: 'POST', path: receiver.url },
      async call(): Promise<CallResult> {
        const event = await receiver.event('settlement.settled')
        if ('orderNo' in event.data) orderNo = event.data.orderNo
        return { status: 204, headers: new Headers(), data: event, requestId: undefined }
      },
    },
    {
      title: 'and its order is read',
      operation: micropaymentOrders.get,
      call: () => withResponse(micropaymentOrders.get, facilitator, { orderNo }),
    },
    {
      title: 'The webhook goes again',
      operation: webhooks.remove,
      call: () => withResponse(webhooks.remove, facilitator, { id: webhook }),
    },
  ]
}
