import { setTimeout as pause } from 'node:timers/promises'
import { commonSales } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { withResponse } from '@mintmark/transport'
import type { Tour } from './tour.ts'

/** Long enough for a block, its confirmation and the gateway's next observation. */
const CONFIRMATION_TIMEOUT_MS = 30_000

/** Repeats a read until its result is complete. */
export async function waitFor<Result>(
  read: () => Promise<Result>,
  isComplete: (result: Result) => boolean,
): Promise<Result> {
  for (const deadline = Date.now() + CONFIRMATION_TIMEOUT_MS; ; await pause(250)) {
    const result = await read()
    if (isComplete(result)) return result
    if (Date.now() > deadline)
      throw new Error(`Not complete after ${CONFIRMATION_TIMEOUT_MS} ms: ${JSON.stringify(result)}`)
  }
}

type UnpaidOrder = Pick<Order, 'orderNo' | 'sender' | 'payAmount'>

/** Pays an order on the chain, and returns the input that reports the payment. */
async function payOnChain({ payments, credentials }: Tour, { orderNo, sender, payAmount }: UnpaidOrder) {
  const hash = await payments.payOrder(orderNo, sender, BigInt(payAmount))
  return { orderNo, hash, recipient: credentials.demo.wallet }
}

function waitForSuccess({ gateway }: Tour, { orderNo }: UnpaidOrder) {
  const isPaid = ({ data }: { data: Order }) => data.orderStatus === OrderStatus.SUCCESS
  return waitFor(() => withResponse(orders.get, gateway, { orderNo }), isPaid)
}

/** Pays an order, reports the payment, and waits until the gateway has observed it. */
export async function payOrder(tour: Tour, title: string, order: UnpaidOrder): Promise<void> {
  await tour.step(title, orders.get, async () => {
    await orders.payOrder(tour.gateway, await payOnChain(tour, order))
    return await waitForSuccess(tour, order)
  })
}

/** A print is put on the shelf, ordered, paid on the chain, and sold. */
export async function tourOrders(tour: Tour): Promise<void> {
  const { demo, chain } = tour.credentials
  const { id } = await tour.call('Put a print on the shelf', commonSales.putOnShelf, {
    seller: demo.creator,
    nftAddress: demo.nftAddress,
    nftId: '1',
    quantity: 1,
    payPrice: '12500000',
    payTokenAddress: chain.token,
  })
  const sale = { marketType: 1, listingId: id, quantity: 1, recipient: demo.wallet }
  const order = await tour.call('Order it', orders.preOrder, sale)
  await tour.step('Pay it on the chain and report the payment', orders.payOrder, async () =>
    withResponse(orders.payOrder, tour.gateway, await payOnChain(tour, order)),
  )
  await tour.step('Wait until the payment is confirmed and the print is sold', orders.get, () =>
    waitForSuccess(tour, order),
  )
  const sales = { sender: demo.creator, pageSize: 1 }
  await tour.call("List the creator's sales", orders.soldList, sales)
}
