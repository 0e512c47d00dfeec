import type { MicropaymentOrder, Order, Page, PromoCodeCard } from 'mintmark'
import { createMintmark, isErrorOf } from 'mintmark'
import { respondTo, testClient } from 'mintmark/testing'
import { expectTypeOf } from 'vitest'

const gateway = { baseUrl: '', credentials: { apiKey: '', secret: '' } }
const facilitator = { baseUrl: '' }
const mintmark = createMintmark({ gateway, facilitator })

/* A bound operation takes the input and the options of a call, and resolves to the operation's data. */
expectTypeOf(mintmark.promoCodeCards.get({ id: 7 })).resolves.toEqualTypeOf<PromoCodeCard>()
expectTypeOf(mintmark.promoCodeCards.get).parameter(0).toEqualTypeOf<{ id: number }>()
mintmark.promoCodeCards.get({ id: 7 }, { retries: 0 })
// @ts-expect-error the input is required
mintmark.promoCodeCards.get()
// @ts-expect-error a field that the operation does not have
mintmark.promoCodeCards.get({ id: 7, name: '' })
// @ts-expect-error an option that does not exist
mintmark.promoCodeCards.get({ id: 7 }, { retry: 0 })
// @ts-expect-error the client is bound already
mintmark.promoCodeCards.get(testClient('gateway', []), { id: 7 })
// @ts-expect-error an operation that does not exist
mintmark.promoCodeCards.gte
mintmark.payments.health()

/* A paged operation has `pages` and `items` without the client. */
for await (const page of mintmark.micropaymentOrders.list.pages({ status: 'settled' }))
  expectTypeOf(page).toEqualTypeOf<Page<MicropaymentOrder>>()
for await (const item of mintmark.micropaymentOrders.list.items())
  expectTypeOf(item).toEqualTypeOf<MicropaymentOrder>()
// @ts-expect-error a field that the operation does not have
mintmark.micropaymentOrders.list.items({ owner: '' })
// @ts-expect-error an operation that is not paged
mintmark.micropaymentOrders.get.items

/* A function that calls an operation several times takes its input. */
expectTypeOf(mintmark.orders.waitFor({ orderNo: '7', until: 'delivered' })).resolves.toEqualTypeOf<Order>()
// @ts-expect-error a condition that does not exist
mintmark.orders.waitFor({ orderNo: '7', until: 'paid' })

/* A stream takes its options, and iterates over events whose type determines their data. */
for await (const event of mintmark.events.stream({ after: 7, types: 'order.*' })) {
  if (event.type === 'order.paid') expectTypeOf(event.data.orderNo).toEqualTypeOf<string>()
}
// @ts-expect-error an option that does not exist
mintmark.events.stream({ before: 7 })

/* A bound operation keeps the operation's id and errors. */
expectTypeOf(mintmark.promoCodeCards.get.id).toEqualTypeOf<'promoCodeCards.get'>()
declare const error: unknown
if (isErrorOf(mintmark.orders.preOrder, error)) {
  if (error.reason === 'OUT_OF_STOCK') error.message
  // @ts-expect-error a reason that the operation does not declare
  if (error.reason === 'SOLD_OTHERWISE') error.message
}

/* Records, rules and functions of the domains are no groups. */
// @ts-expect-error a rule
mintmark.NONCE_REUSED
// @ts-expect-error a function
mintmark.parseApplicableStores
// @ts-expect-error a record of a group
mintmark.promoCodeCards.PromoCodeCard

/* The groups of a service that is left out do not exist. */
const gatewayOnly = createMintmark({ gateway })
gatewayOnly.orders.get
// @ts-expect-error a group of the facilitator
gatewayOnly.payments
const facilitatorOnly = createMintmark({ facilitator })
facilitatorOnly.payments.health
// @ts-expect-error a group of the gateway
facilitatorOnly.promoCodeCards
// @ts-expect-error a service is required
createMintmark({})
// @ts-expect-error a service that does not exist
createMintmark({ gateway, ledger: {} })
// @ts-expect-error an option that does not exist
createMintmark({ gateway: { baseUrl: '', token: '' } })

/* What is left out is read from the environment. */
expectTypeOf(createMintmark()).toEqualTypeOf(mintmark)
createMintmark({ gateway: { timeout: 5000 } }).gateway.request({ method: 'GET', path: '/x' })
// @ts-expect-error the client of a service that was left out
createMintmark({ gateway }).facilitator

/* A client can be passed instead of options, but not the other service's. */
createMintmark({ gateway: testClient('gateway', []) })
// @ts-expect-error the facilitator's client for the gateway
createMintmark({ gateway: testClient('facilitator', []) })
// @ts-expect-error a record of another type
respondTo(mintmark.promoCodeCards.get, { id: '7' })
