import { setTimeout as pause } from 'node:timers/promises'
import { commonSales } from '@mintmark/market'
import type { CallResult } from '@mintmark/operation'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { withResponse } from '@mintmark/transport'
import type { Credentials } from '../start/credentials.ts'
import type { DemoPayments } from './payments.ts'
import { type Stop, stopsOf } from './stops.ts'

/** Long enough for a block, its confirmation and the gateway's next observation. */
export const CONFIRMATION_TIMEOUT_MS = 30_000

/** Waits until the gateway has observed an order's payment. */
async function waitForSuccess(gateway: GatewayClient, orderNo: string): Promise<CallResult<Order>> {
  for (const deadline = Date.now() + CONFIRMATION_TIMEOUT_MS; ; await pause(250)) {
    const result = await withResponse(orders.get, gateway, { orderNo })
    if (result.data.orderStatus === OrderStatus.SUCCESS) return result
    if (Date.now() > deadline) throw new Error(`The order still has status ${result.data.orderStatus}`)
  }
}

/** The order that is placed last, with stops that pay it. */
export function lastOrder({ demo }: Credentials, gateway: GatewayClient, payments: DemoPayments) {
  let order: Pick<Order, 'orderNo' | 'sender' | 'payAmount'> | undefined
  const current = () => {
    if (order === undefined) throw new Error('The order was not created')
    return order
  }
  const report = async () => {
    const { orderNo, sender, payAmount } = current()
    const hash = await payments.payOrder(orderNo, sender, BigInt(payAmount))
    return { orderNo, hash, recipient: demo.wallet }
  }
  return {
    keep(data: NonNullable<typeof order>): void {
      order = data
    },
    /** Pays on the chain and returns the input that reports the payment. */
    report,
    confirmed: (title: string): Stop => ({
      title,
      operation: orders.get,
      call: () => waitForSuccess(gateway, current().orderNo),
    }),
    paid: (title: string): Stop => ({
      title,
      operation: orders.get,
      async call() {
        await orders.payOrder(gateway, await report())
        return await waitForSuccess(gateway, current().orderNo)
      },
    }),
  }
}

/** A print is put on the shelf, ordered, paid on the chain, and sold. */
export function orderCalls(credentials: Credentials, gateway: GatewayClient, payments: DemoPayments): Stop[] {
  const { demo, chain } = credentials
  const stop = stopsOf(gateway)
  const order = lastOrder(credentials, gateway, payments)
  let listingId = 0
  return [
    stop(
      'Put a print on the shelf',
      commonSales.putOnShelf,
      () => ({
        seller: demo.creator,
        nftAddress: demo.nftAddress,
        nftId: '1',
        quantity: 1,
        payPrice: '12500000',
        payTokenAddress: chain.token,
      }),
      ({ id }) => {
        listingId = id
      },
    ),
    stop(
      'Order it',
      orders.preOrder,
      () => ({ marketType: 1, listingId, quantity: 1, recipient: demo.wallet }),
      order.keep,
    ),
    stop('Pay it on the chain and report the payment', orders.payOrder, order.report),
    order.confirmed('Wait until the payment is confirmed and the print is sold'),
    stop("List the creator's sales", orders.soldList, () => ({ sender: demo.creator, pageSize: 1 })),
  ]
}
