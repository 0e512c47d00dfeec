import { commonSales } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { type CallResult, withResponse } from '@mintmark/transport/operation'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'
import type { DemoPayments } from './payments.ts'
import { sold } from './sold.ts'

/** A print is put on the shelf, ordered, paid on the chain, and sold. */
export function orderCalls(
  { demo, chain }: Credentials,
  gateway: GatewayClient,
  payments: DemoPayments,
): Stop[] {
  let listingId = 0
  let order: Order | undefined
  const placed = (): Order => {
    if (order === undefined) throw new Error('the order was not made')
    return order
  }
  const noted = async (call: Promise<CallResult<Order>>) => {
    const result = await call
    order = result.data
    return result
  }
  return [
    {
      title: 'A print is put on the shelf',
      operation: commonSales.putOnShelf,
      async call() {
        const result = await withResponse(commonSales.putOnShelf, gateway, {
          seller: demo.creator,
          nftAddress: demo.nftAddress,
          nftId: '1',
          quantity: 1,
          payPrice: '12500000',
          payTokenAddress: chain.token,
        })
        listingId = result.data.id
        return result
      },
    },
    {
      title: 'A buyer orders it: what must be paid, to whom and until when',
      operation: orders.preOrder,
      call: () =>
        noted(
          withResponse(
            orders.preOrder,
            gateway,
            { marketType: 1, listingId, quantity: 1, recipient: demo.wallet },
            { idempotencyKey: 'auto' },
          ),
        ),
    },
    {
      title: 'pays it on the chain, and reports the payment',
      operation: orders.payOrder,
      async call() {
        const { orderNo, sender, payAmount } = placed()
        const hash = await payments.payOrder(orderNo, sender, BigInt(payAmount))
        return await withResponse(orders.payOrder, gateway, { orderNo, hash, recipient: demo.wallet })
      },
    },
    {
      title: 'The gateway sees the payment confirmed: the print is sold',
      operation: orders.get,
      async call() {
        return await sold(gateway, placed().orderNo)
      },
    },
    {
      title: 'It stands among what the creator has sold',
      operation: orders.soldList,
      call: () => withResponse(orders.soldList, gateway, { sender: demo.creator, pageSize: 1 }),
    },
  ]
}
