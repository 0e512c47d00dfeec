import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { expect } from 'vitest'
import { createListing } from '../create-listing.ts'
import { newHash } from '../order-fixture.ts'
import { newAddress, type Sample, type SampleProject, sample } from './sample.ts'

async function anOrder(project: SampleProject) {
  const listing = await createListing(project)
  const recipient = newAddress()
  return await orders.preOrder(project.client, {
    marketType: 1,
    listingId: listing.id,
    quantity: 2,
    recipient,
    reference: 'cart 4711',
  })
}

async function aCancelledOrder(project: SampleProject) {
  return await orders.cancel(project.client, { orderNo: (await anOrder(project)).orderNo })
}

async function aSoldOrder(project: SampleProject) {
  const order = await anOrder(project)
  await project.gateway.owner.system
    .updateTable('gateway.orders')
    .set({ status: OrderStatus.SUCCESS })
    .where('order_no', '=', order.orderNo)
    .execute()
  return order
}

/** An order of which 700 base units were paid. */
async function anUnderpaidOrder(project: SampleProject) {
  return await underpay(project, await anOrder(project))
}

/** Stores that 700 base units of an order were paid. */
export async function underpay(project: SampleProject, order: Order): Promise<Order> {
  const db = project.gateway.owner.system
  await db
    .updateTable('gateway.orders')
    .set({ status: OrderStatus.UNRESOLVED, reason: 'not_enough' })
    .where('order_no', '=', order.orderNo)
    .execute()
  const payment = { outcome: 'not_enough', paid_amount: '700', mined_block: 101 }
  await db
    .insertInto('gateway.order_payments')
    .values({ ...payment, project_id: project.projectId, order_id: order.id, hash: newHash() })
    .execute()
  return order
}

async function aDeclinedOrder(project: SampleProject) {
  return await orders.decline(project.client, { orderNo: (await anUnderpaidOrder(project)).orderNo })
}

/** Makes a final transfer from the seller of an order to its buyer. */
export function makeRefund({ gateway }: SampleProject, paid = 700n): string {
  const hash = newHash()
  const place = { block: 102, blockHash: newHash(), final: true }
  gateway.chain.sightings.set(hash, { kind: 'mined', ...place, outcome: 'paid', paid })
  return hash
}

export const orderSamples: readonly Sample[] = [
  sample(orders.preOrder, {
    notSent: ['phaseId', 'nftId', 'proof', 'limit', 'couponCode'],
    input: async (project) => ({
      marketType: 1,
      listingId: (await createListing(project)).id,
      quantity: 3,
      recipient: newAddress(),
    }),
    refused: [
      ['recipient', { recipient: 'nobody' }],
      ['listingId', { listingId: undefined }],
      ['phaseId', { phaseId: 1 }],
      ['marketType', { marketType: 2 }],
      ['couponCode', { couponCode: 'SPRING' }],
      ['nftId', { nftId: '1' }],
      ['reference', { reference: 'cart\n4711' }],
    ],
    checkResponse: (data, { recipient }) =>
      expect(data).toMatchObject({
        recipient,
        orderStatus: OrderStatus.PRE,
        payAmount: '3000',
        orderAmount: '3000',
        blockNumber: 100,
      }),
  }),
  sample(orders.payOrder, {
    async input(project) {
      const { orderNo, recipient } = await anOrder(project)
      return { orderNo, recipient, hash: newHash() }
    },
    refused: [['hash', { hash: '0x12' }]],
    contains: { orderStatus: OrderStatus.IN_PROGRESS },
  }),
  sample(orders.cancel, {
    input: async (project) => ({ orderNo: (await anOrder(project)).orderNo }),
    contains: { orderStatus: OrderStatus.CANCELLED },
  }),
  sample(orders.decline, {
    input: async (project) => ({ orderNo: (await anUnderpaidOrder(project)).orderNo }),
    contains: { orderStatus: OrderStatus.FAILED, reason: 'not_enough', refundDue: true },
  }),
  sample(orders.getRefunds, {
    input: async (project) => ({ orderNo: (await aDeclinedOrder(project)).orderNo }),
    contains: { due: '700', refunded: '0', refunds: [], transfer: { data: '0x' } },
  }),
  sample(orders.recordRefund, {
    input: async (project) => ({
      orderNo: (await aDeclinedOrder(project)).orderNo,
      hash: makeRefund(project),
    }),
    refused: [['hash', { hash: '0x12' }]],
    checkResponse: (data, { hash }) =>
      expect(data).toMatchObject({ due: '0', refunded: '700', refunds: [{ hash, blockNumber: 102 }] }),
  }),
  sample(orders.removeUnsuccessful, {
    input: async (project) => ({ recipient: (await aCancelledOrder(project)).recipient }),
    otherProject: { data: { count: 0 } },
    checkResponse: (data) => expect(data).toEqual({ count: 1 }),
  }),
  sample(orders.get, {
    input: async (project) => ({ orderNo: (await anOrder(project)).orderNo }),
    checkResponse: (data, { orderNo }) => expect(data).toMatchObject({ orderNo, quantity: 2 }),
  }),
  sample(orders.list, {
    input: async (project) => ({
      recipient: (await anOrder(project)).recipient,
      orderStatus: OrderStatus.PRE,
      marketType: 1,
      refundDue: false,
      searchKey: 'PRINTS',
      reference: 'cart 4711',
      from: '2020-01-01T00:00:00Z',
      to: '2098-01-01T00:00:00Z',
    }),
    refused: [
      ['from', { from: '2026-02-30T00:00:00Z' }],
      ['orderStatus', { orderStatus: 7 }],
      ['marketType', { marketType: 10 }],
    ],
  }),
  sample(orders.nftHistory, {
    async input(project) {
      const { nftAddress, nftId } = await aSoldOrder(project)
      return { nftAddress, nftId }
    },
  }),
  sample(orders.soldList, { input: async (project) => ({ sender: (await aSoldOrder(project)).sender }) }),
]
