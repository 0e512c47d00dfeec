import type { InsufficientBalanceError, NotFoundError, RefusedError } from '@mintmark/envelope'
import {
  type DUPLICATE_SETTLEMENT,
  InvalidWebhookError,
  type MicropaymentOrder,
  type MicropaymentOrderStatus,
  micropaymentOrders,
  PAYER_MISMATCH,
  type PayerQuota,
  type PaymentPayloadV2,
  type PaymentRequirementsV2,
  payerQuotas,
  payments,
  type Settlement,
  type SettlePaymentInput,
  signPayerQuota,
  type TypedDataWallet,
  type VerifyResponse,
  verifyWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookStatus,
  type WebhookType,
  webhooks,
} from '@mintmark/facilitator'
import { type DataOf, type ErrorsOf, type InputOf, isErrorOf } from '@mintmark/operation'
import { createFacilitator, createGateway, reroute, withResponse } from '@mintmark/transport'
import { expectTypeOf } from 'vitest'

const facilitator = createFacilitator({ baseUrl: '', credentials: { token: '' } })
const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })

/* `settle` accepts x402 objects with extensions, and returns the settlement of the header, which may be absent. */
const paymentRequirements: PaymentRequirementsV2 = {
  scheme: 'exact',
  network: 'eip155:84532',
  asset: '0x',
  amount: '1000',
  payTo: '0x',
  maxTimeoutSeconds: 60,
}
const paymentPayload: PaymentPayloadV2 = {
  x402Version: 2,
  accepted: paymentRequirements,
  payload: { signature: '0x' },
  extensions: { 'payment-identifier': {} },
}
const payment = { x402Version: 2, paymentPayload, paymentRequirements }
expectTypeOf(payments.settle(facilitator, payment)).resolves.toEqualTypeOf<Settlement | undefined>()
expectTypeOf(payments.verify(facilitator, payment)).resolves.toEqualTypeOf<VerifyResponse>()
expectTypeOf<Settlement>().toEqualTypeOf<{
  success: boolean
  errorReason?: string | undefined
  errorMessage?: string | undefined
  payer?: string | undefined
  transaction: string
  network: string
  amount?: string | undefined
  extra?: { [name: string]: unknown } | undefined
}>()
// @ts-expect-error no requirements
payments.settle(facilitator, { x402Version: 2, paymentPayload })
// @ts-expect-error a payload of neither version
payments.verify(facilitator, { ...payment, paymentPayload: { x402Version: 3, payload: {} } })

/* An input without required fields can be omitted. */
payments.supported(facilitator)
payments.health(facilitator, {}, { timeout: 1000 })
webhooks.list(facilitator)
expectTypeOf((await withResponse(webhooks.list, facilitator)).data).toEqualTypeOf<Webhook[]>()

/* A wallet signs a quota, which is then the input of its registration. */
declare const wallet: TypedDataWallet
const signing = await payerQuotas.signingDomain(facilitator)
const quota = await signPayerQuota(wallet, signing, { limit: 5n, validBefore: 2_000_000_000 })
expectTypeOf(quota).toExtend<InputOf<typeof payerQuotas.register>>()
expectTypeOf(payerQuotas.register(facilitator, quota)).resolves.toEqualTypeOf<PayerQuota>()
// @ts-expect-error an unsigned quota
payerQuotas.register(facilitator, { payer: '0x', limit: '5', validAfter: 0, validBefore: 1, nonce: '1' })
// @ts-expect-error a wallet that cannot sign
signPayerQuota({ address: '0x' }, signing, { limit: 5n, validBefore: 1 })

/* Ids are numbers, order numbers are texts; lists yield their item's record. */
expectTypeOf<InputOf<typeof webhooks.rotateSecret>['secret']>().toEqualTypeOf<string | undefined>()
expectTypeOf<InputOf<typeof webhooks.redeliver>>().toEqualTypeOf<{ id: number; deliveryId: number }>()
expectTypeOf<InputOf<typeof micropaymentOrders.get>>().toEqualTypeOf<{ orderNo: string }>()
for await (const order of micropaymentOrders.list.items(facilitator))
  expectTypeOf(order).toEqualTypeOf<MicropaymentOrder>()
for await (const past of payerQuotas.history.items(facilitator, { payer: '0x' }))
  expectTypeOf(past).toEqualTypeOf<PayerQuota>()

/* The type of an event determines the type of its data. */
const event = await verifyWebhook({ body: '', headers: new Headers(), secrets: 'whsec_' })
expectTypeOf(event).toEqualTypeOf<WebhookEvent>()
expectTypeOf(event.type).toEqualTypeOf<WebhookType>()
if (event.type === 'settlement.settled') expectTypeOf(event.data.transaction).toEqualTypeOf<string>()
if (event.type === 'payer_balance.low') expectTypeOf(event.data.threshold).toEqualTypeOf<string>()
// @ts-expect-error not every event has a transaction
event.data.transaction
// @ts-expect-error an unknown type of event
event.type === 'settlement.done'
expectTypeOf<InvalidWebhookError['reason']>().toEqualTypeOf<
  'missing_headers' | 'stale' | 'bad_signature' | 'not_an_event' | 'body_not_raw' | 'bad_secret'
>()

/* Inputs have names. Values of records are open. */
expectTypeOf<SettlePaymentInput>().toEqualTypeOf<InputOf<typeof payments.settle>>()
expectTypeOf<MicropaymentOrder['status']>().toEqualTypeOf<MicropaymentOrderStatus | (string & {})>()
expectTypeOf<Webhook['status']>().toEqualTypeOf<WebhookStatus | (string & {})>()

/* Operations declare their errors. */
expectTypeOf<ErrorsOf<typeof payments.settle>>().toEqualTypeOf<
  typeof RefusedError | typeof DUPLICATE_SETTLEMENT | typeof InsufficientBalanceError
>()
expectTypeOf<ErrorsOf<typeof payerQuotas.active>>().toEqualTypeOf<
  typeof NotFoundError | typeof PAYER_MISMATCH
>()
expectTypeOf<DataOf<typeof payments.health>['chains']>().toEqualTypeOf<string[]>()

/* Operations accept only the facilitator's client. Operations that the specification defines cannot be rerouted. */
// @ts-expect-error the gateway's client
payments.supported(gateway)
// @ts-expect-error the gateway's client, for items
micropaymentOrders.list.items(gateway)
reroute(payments.supported, { path: '/v1/supported' })
// @ts-expect-error a stated operation
reroute(payments.settle, { path: '/x402/settle' })

export { InvalidWebhookError, PAYER_MISMATCH }

/* A refused settle has a declared reason or one of x402. No call of the facilitator is signed. */
const settleError: unknown = new Error()
if (isErrorOf(payments.settle, settleError)) {
  settleError.reason === 'duplicate_settlement'
  settleError.reason === 'insufficient_funds'
}
const quotaError: unknown = new Error()
if (isErrorOf(payerQuotas.active, quotaError))
  expectTypeOf(quotaError.reason).toEqualTypeOf<'payer_mismatch' | undefined>()
