import type { NotFoundError } from '@mintmark/envelope'
import type { DataOf, ErrorsOf, InputOf, ReasonOf } from '@mintmark/operation'
import {
  CHAIN_UNREADABLE,
  type ListOrdersInput,
  MarketType,
  type ORDER_NOT_CANCELLABLE,
  ORDER_NOT_PAYABLE,
  type Order,
  type OrderInfo,
  type OrderReason,
  OrderStatus,
  orders,
  type PreOrderInput,
  type RemoveUnsuccessfulOrdersResult,
} from '@mintmark/orders'
import { createFacilitator, createGateway, isErrorOf, reroute } from '@mintmark/transport'
import { expectTypeOf } from 'vitest'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* The stated operation returns the stated record. Mintmark's operations return it with more fields. */
expectTypeOf<InputOf<typeof orders.payOrder>>().toEqualTypeOf<{
  hash: string
  orderNo: string
  recipient: string
}>()
expectTypeOf<DataOf<typeof orders.payOrder>>().toEqualTypeOf<OrderInfo>()
expectTypeOf<DataOf<typeof orders.get>>().toEqualTypeOf<Order>()
expectTypeOf<Order>().toExtend<OrderInfo>()
expectTypeOf<OrderInfo['id']>().toEqualTypeOf<number>()
expectTypeOf<OrderInfo['deleted']>().toEqualTypeOf<boolean>()
expectTypeOf<OrderInfo['orderTypes']>().toEqualTypeOf<number[]>()
// Prices of the stated record are numbers. The exact amount to pay is a decimal text.
expectTypeOf<Pick<Order, 'payPrice' | 'payAmount'>>().toEqualTypeOf<{ payPrice: number; payAmount: string }>()
// @ts-expect-error not a field of the stated record
expectTypeOf<OrderInfo['payAmount']>()

/* Placing an order. */
const placement = { marketType: MarketType.COMMON, listingId: 7, quantity: 1, recipient: '0x' }
const placementOfPhase: PreOrderInput = { phaseId: 7, quantity: 1, recipient: '0x' }
expectTypeOf(orders.preOrder(gateway, placement)).resolves.toEqualTypeOf<Order>()
orders.preOrder(gateway, { ...placement, couponCode: undefined }, { idempotencyKey: 'auto' })
expectTypeOf(orders.preOrder(gateway, placementOfPhase)).resolves.toEqualTypeOf<Order>()
orders.preOrder(gateway, { ...placement, phaseId: undefined })
// @ts-expect-error a listing or a phase, not both
orders.preOrder(gateway, { ...placement, phaseId: 7 })
// @ts-expect-error a listing or a phase is required
orders.preOrder(gateway, { quantity: 1, recipient: '0x' })
// @ts-expect-error an id is a number
orders.preOrder(gateway, { ...placement, listingId: '7' })
// @ts-expect-error an id is a number
orders.preOrder(gateway, { ...placementOfPhase, phaseId: '7' })
// @ts-expect-error the recipient is required
orders.preOrder(gateway, { marketType: 1, listingId: 7, quantity: 1 })
// @ts-expect-error the price is the listing's
orders.preOrder(gateway, { ...placement, payPrice: '1' })

/* Lists yield their item's record. An input without required fields can be omitted. */
orders.list(gateway)
for await (const order of orders.list.items(gateway)) expectTypeOf(order).toEqualTypeOf<Order>()
for await (const order of orders.soldList.items(gateway, { sender: '0x' }))
  expectTypeOf(order).toEqualTypeOf<Order>()
// @ts-expect-error the seller is required
orders.soldList(gateway)
expectTypeOf<RemoveUnsuccessfulOrdersResult>().toEqualTypeOf<{ count: number }>()
orders.list(gateway, { orderStatus: OrderStatus.SUCCESS })
expectTypeOf(OrderStatus.PRE).toEqualTypeOf<0>()
expectTypeOf<OrderStatus>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5 | 6>()
expectTypeOf<OrderInfo['orderStatus']>().toEqualTypeOf<OrderStatus | (number & {})>()
expectTypeOf<PreOrderInput['marketType']>().toEqualTypeOf<MarketType | (number & {}) | undefined>()
expectTypeOf<ListOrdersInput['marketType']>().toEqualTypeOf<MarketType | (number & {}) | undefined>()
expectTypeOf<ListOrdersInput['orderStatus']>().toEqualTypeOf<OrderStatus | (number & {}) | undefined>()
expectTypeOf<OrderInfo['marketType']>().toEqualTypeOf<MarketType | (number & {})>()
expectTypeOf<Order['reason']>().toEqualTypeOf<OrderReason | (string & {})>()

/* Operations declare their errors with the codes of their rules. */
expectTypeOf<ErrorsOf<typeof orders.cancel>>().toEqualTypeOf<
  typeof NotFoundError | typeof ORDER_NOT_CANCELLABLE
>()
expectTypeOf<typeof ORDER_NOT_PAYABLE>().toExtend<ErrorsOf<typeof orders.payOrder>>()
expectTypeOf<typeof CHAIN_UNREADABLE>().toExtend<ErrorsOf<typeof orders.preOrder>>()
expectTypeOf<typeof ORDER_NOT_CANCELLABLE>().toExtend<{
  readonly code: 40905
  readonly reason: 'ORDER_NOT_CANCELLABLE'
}>()
expectTypeOf<ReasonOf<typeof orders.cancel>>().toEqualTypeOf<'ORDER_NOT_CANCELLABLE'>()

/* An error of an operation has the reasons that the operation declares. */
declare const caught: unknown
if (isErrorOf(orders.cancel, caught)) {
  expectTypeOf(caught.reason).toEqualTypeOf<
    'ORDER_NOT_CANCELLABLE' | 'STALE_TIMESTAMP' | 'SIGNATURE_REPLAYED' | 'IDEMPOTENCY_KEY_REUSED' | undefined
  >()
  // @ts-expect-error a misspelled reason
  caught.reason === 'ORDER_NOT_CANCELABLE'
  // @ts-expect-error a rule of another operation
  caught.reason === 'OUT_OF_STOCK'
}

/* Comparing the reason narrows the detail to that of the rule. */
if (isErrorOf(orders.preOrder, caught)) {
  if (caught.reason === 'OUT_OF_STOCK') expectTypeOf(caught.detail.remaining).toEqualTypeOf<number>()
  if (caught.reason === 'LISTING_NOT_OPEN')
    expectTypeOf(caught.detail?.opensAt).toEqualTypeOf<string | undefined>()
  if (caught.reason === 'COUPON_INVALID') expectTypeOf(caught.detail).toEqualTypeOf<undefined>()
  // @ts-expect-error the detail of a rule that was not compared
  caught.detail.remaining
}

/* Operations accept only the gateway's client. Operations that the specification defines cannot be rerouted. */
// @ts-expect-error the facilitator's client
orders.get(facilitator, { orderNo: '1' })
reroute(orders.list, { path: '/api/v2/order/list' })
// @ts-expect-error a stated operation
reroute(orders.payOrder, { path: '/api/v2/order/payOrder' })

export { CHAIN_UNREADABLE, ORDER_NOT_PAYABLE }
