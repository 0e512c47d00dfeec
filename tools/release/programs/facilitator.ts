// The facilitator alone: what it supports, a signed payment verified and settled, and the order that it
// became.
import { micropaymentOrders, payerQuotas, payments } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import given from './given.json' with { type: 'json' }

const { baseUrl, token, payer, network, paymentRequirements, payload } = given.facilitator
const facilitator = createFacilitator({ baseUrl, credentials: { token } })

const { paymentKinds } = await payments.supported(facilitator)
if (!paymentKinds.some((kind) => kind.network === network)) throw new Error(`${network} is not supported`)
const { remaining } = await payerQuotas.active(facilitator, { payer })

const resource = { url: 'https://example.com/articles/1', description: 'One article', mimeType: 'text/html' }
const payment = {
  x402Version: 2,
  paymentRequirements,
  paymentPayload: { x402Version: 2, resource, accepted: paymentRequirements, payload },
} as const
const verdict = await payments.verify(facilitator, payment)
if (!verdict.valid) throw new Error(`not valid: ${verdict.reason}`)
const settlement = await payments.settle(facilitator, payment, { idempotencyKey: 'auto' })
if (!settlement?.success) throw new Error(`not settled: ${JSON.stringify(settlement)}`)
const { list } = await micropaymentOrders.list(facilitator, { payer, status: 'settled' })
if (list[0]?.transaction !== settlement.transaction) throw new Error('the settle became no order')

console.log(`settled; of the quota ${remaining} wei were left before`)
