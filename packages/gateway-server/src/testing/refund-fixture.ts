import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import type { Hex } from 'viem'
import { createListing } from './create-listing.ts'
import { PRICE, payToken, send, transfer } from './payment-cases.ts'
import type { PaymentFixture } from './payment-fixture.ts'
import { newAddress } from './samples/sample.ts'

/** The development account that sells. */
export const SELLER = 2
export const seller = devAccount(SELLER).address.toLowerCase()
export const buyer = devAccount(1).address.toLowerCase()
export const HALF = PRICE / 2n

export interface Terms {
  readonly payPrice?: bigint
  readonly native?: boolean
  readonly stock?: number
  readonly from?: string
  readonly partialPayments?: boolean
}

/** Places and pays orders of a seller that can pay back, and calls the operations of refunds. */
export function createRefundFixture(fixture: PaymentFixture) {
  const { project, orderFixture, chain } = fixture
  const list = ({
    payPrice = PRICE,
    native = false,
    stock = 10,
    from = seller,
  }: Terms = {}): Promise<Listing> =>
    createListing(
      project,
      {
        payPrice: payPrice.toString(),
        payTokenAddress: native ? '' : chain.token,
        quantity: stock,
      },
      { seller: from },
    )
  const get = ({ orderNo }: Order) => orders.get(project.client, { orderNo })
  const placeOrder = async ({ partialPayments = false, ...terms }: Terms = {}) =>
    orderFixture.order(await list(terms), { recipient: buyer, partialPayments })

  /** Pays an order and reports that. */
  async function report(order: Order, amount: bigint): Promise<Hex> {
    const isNative = order.payTokenAddress === ''
    const hash = isNative
      ? await send(fixture, order.sender, { value: amount })
      : await payToken(fixture, order, amount)
    // A payment of an order that has ended is recorded and refused.
    await orderFixture.pay(order, hash).catch(() => {})
    return hash
  }

  /** Pays an order, reports that, and waits until the payment is final. */
  async function pay(order: Order, amount: bigint): Promise<Hex> {
    const hash = await report(order, amount)
    await fixture.mineAndVerify()
    await orderFixture.verify()
    return hash
  }

  return {
    list,
    placeOrder,
    report,
    pay,
    get,
    decline: ({ orderNo }: Order) => orders.decline(project.client, { orderNo }),
    getRefunds: ({ orderNo }: Order) => orders.getRefunds(project.client, { orderNo }),
    record: ({ orderNo }: Order, hash: string) => orders.recordRefund(project.client, { orderNo, hash }),

    /** Creates an UNRESOLVED order, of which half was paid. */
    async underpay(terms?: Terms): Promise<{ order: Order; payment: Hex }> {
      const order = await placeOrder(terms)
      const payment = await pay(order, HALF)
      await expectUnresolved(order, 'not_enough')
      return { order, payment }
    },

    /** Creates a paid order whose listing was sold out when its payment arrived, and the order that has the stock. */
    async paySoldOut(amount = PRICE): Promise<{ order: Order; winner: Order }> {
      const listing = await list({ stock: 1 })
      const order = await orderFixture.order(listing, { recipient: buyer })
      await orderFixture.expire(order)
      await orderFixture.verify()
      const winner = await orderFixture.order(listing, { recipient: newAddress() })
      await pay(order, amount)
      await expectUnresolved(order, 'no_stock')
      return { order, winner }
    },

    /** Sends a transfer of the seller to the buyer, and mines it until it is final. */
    async refund(amount: bigint, token: string = chain.token): Promise<Hex> {
      const hash = await send(fixture, token, { data: transfer(buyer, amount), account: SELLER })
      await chain.client.mine({ blocks: 2 })
      return hash
    },
  }

  async function expectUnresolved(order: Order, reason: string): Promise<void> {
    const state = await orderFixture.readState(order)
    if (state.status !== 'UNRESOLVED' || state.reason !== reason)
      throw new Error(`The order is ${state.status} (${state.reason})`)
  }
}
