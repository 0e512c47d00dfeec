import { promoCodeCards } from '@mintmark/cards'
import { lazyMinting } from '@mintmark/contracts'
import { auctions, couponCodes, offers } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import type { PaymentObservation } from '../../chain/payment-observation.ts'
import { passTimes } from '../../domains/events/passed-times.ts'
import { resolveMint } from '../../domains/minting/watching/operator.ts'
import { confirmDelivery } from '../../domains/orders/verification/confirm-delivery.ts'
import { resolveOrder } from '../../domains/orders/verification/operator.ts'
import { recordRefund } from '../../domains/orders/verification/refunds.ts'
import { findInventory, orderPort } from '../../main/composition.ts'
import { createAuction, endIn } from '../auctions.ts'
import { createListing, createOwnedToken } from '../create-listing.ts'
import { createOffer } from '../create-offer.ts'
import { blockHashOf } from '../fake-payment-chain.ts'
import { createMintFixture } from '../mint-fixture.ts'
import { createOrderFixture, newHash } from '../order-fixture.ts'
import { addFinalMint, createLazyPresale, expireSignatures, runMintWatcher } from '../presales.ts'
import { newAddress, type SampleProject } from '../samples/sample.ts'
import { createCouponListing, type EventCase, newCard, type Prepare, prepareBuyout } from './event-case.ts'

const DECISION = { actor: 'ada', reason: 'a test', project: undefined }

type Outcome = Extract<PaymentObservation, { kind: 'mined' }>['outcome']

/** Reports a transaction of an order that is final with an outcome. */
async function report(project: SampleProject, order: Order, outcome: Outcome): Promise<string> {
  const { chain } = project.gateway
  const hash = newHash()
  chain.block += 3
  const block = chain.block - 2
  const mined = { kind: 'mined', block, blockHash: blockHashOf(chain, block), final: true, outcome } as const
  chain.sightings.set(hash, mined)
  await createOrderFixture(project).pay(order, hash)
  return hash
}

const verify = (project: SampleProject) => createOrderFixture(project).verify()

/** An order whose reported payment is final with an outcome. */
const paidOrder =
  (create: (project: SampleProject) => Promise<Order>, outcome: Outcome = 'paid'): Prepare =>
  async (project) => {
    await report(project, await create(project), outcome)
    return () => verify(project)
  }

const orderSome = async (project: SampleProject) =>
  await createOrderFixture(project).order(await createListing(project))
const orderAll = async (project: SampleProject) =>
  await createOrderFixture(project).order(await createListing(project), { quantity: 10 })

const orderWithCoupon = async (project: SampleProject) =>
  await createOrderFixture(project).order(await createCouponListing(project))

/** Wins an auction by its buyout. */
const winAuction = async (project: SampleProject) => await (await prepareBuyout(project))()

/** Accepts an offer for the only unit of a token, for which another wallet has made an offer too. */
async function acceptOffer(project: SampleProject): Promise<Order> {
  const token = await createOwnedToken(project.gateway, project.projectId, { quantity: 1 })
  await project.gateway.owner.system
    .updateTable('gateway.assets')
    .set({ nft_type: 'ERC721' })
    .where('nft_address', '=', token.nftAddress)
    .execute()
  const { id, owner } = await createOffer(project, {}, token)
  await createOffer(project, { totalPrice: '900' }, token)
  const { orderNo } = await offers.accept(project.client, { id, owner })
  return await orders.get(project.client, { orderNo })
}

const expireOrder =
  (create: (project: SampleProject) => Promise<Order>): Prepare =>
  async (project) => {
    await createOrderFixture(project).expire(await create(project))
    return () => verify(project)
  }

const payTwice: Prepare = async (project) => {
  const order = await orderSome(project)
  await report(project, order, 'paid')
  await report(project, order, 'paid')
  await verify(project)
  return () => verify(project)
}

const reorganizePayment: Prepare = async (project) => {
  const order = await orderSome(project)
  const hash = await report(project, order, 'paid')
  await verify(project)
  const { chain } = project.gateway
  const row = await project.gateway.owner.system
    .selectFrom('gateway.orders')
    .select('paid_block')
    .where('order_no', '=', order.orderNo)
    .executeTakeFirstOrThrow()
  chain.blockHashes.set(row.paid_block, `0x${'0e'.repeat(32)}`)
  chain.sightings.set(hash, { kind: 'unseen' })
  return () => verify(project)
}

type TimedTable = 'listings' | 'auctions' | 'offers' | 'cards' | 'coupons' | 'mint_phases' | 'mintable_nfts'

/** Moves a time of a row into the past, so that it is due. */
async function move(
  { gateway }: SampleProject,
  table: TimedTable,
  id: number,
  times: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [column, interval] of Object.entries(times)) {
    await sql`update ${sql.table(`gateway.${table}`)}
      set ${sql.ref(column)} = clock_timestamp() - ${interval}::interval where id = ${id}`.execute(
      gateway.owner.system,
    )
  }
}

const FUTURE = '2090-01-01T00:00:00Z'
const LATER = '2099-01-01T00:00:00Z'

const endListing: Prepare = async (project) => {
  const { id } = await createListing(project)
  await move(project, 'listings', id, START_AND_END)
  return () => verify(project)
}

const endAuction =
  (hasBid: boolean): Prepare =>
  async (project) => {
    const auction = await createAuction(project)
    const bid = { auctionId: auction.id, bidder: newAddress(), amount: '2000' }
    if (hasBid) await auctions.bid(project.client, bid)
    await endIn(project.gateway, auction, -1)
    return () => verify(project)
  }

const endOffer: Prepare = async (project) => {
  const { id } = await createOffer(project)
  await move(project, 'offers', id, { expire_time: '1 second' })
  return () => verify(project)
}

/** Signs the mint of a lazily minted NFT. */
async function signMint(project: SampleProject) {
  const fixture = createMintFixture(project.gateway, project)
  const presale = await fixture.aPresale({ pricedBy: 'CHAIN' })
  const { nftId } = await fixture.addNft(presale)
  return await fixture.sign(presale, newAddress(), { nftId })
}

const finishMint: Prepare = async (project) => {
  const { uid } = await signMint(project)
  addFinalMint(project.gateway, uid, '1')
  return () => runMintWatcher(project.gateway)
}

const expireMint: Prepare = async (project) => {
  await signMint(project)
  expireSignatures(project.gateway)
  return () => runMintWatcher(project.gateway)
}

/** The mint of a paid order. */
const deliverMint: Prepare = async (project) => {
  const fixture = createMintFixture(project.gateway, project)
  const presale = await fixture.aPresale()
  const { recipient } = await fixture.aPaidOrder(presale)
  const { uid } = await fixture.sign(presale, recipient)
  addFinalMint(project.gateway, uid, '1')
  return () => runMintWatcher(project.gateway)
}

const resolveAs =
  (event: 'resolved_success' | 'resolved_failed'): Prepare =>
  async (project) => {
    const order = await orderSome(project)
    await report(project, order, 'not_enough')
    await verify(project)
    const { system } = project.gateway.owner
    const resolution = {
      ...DECISION,
      orderNo: order.orderNo,
      event,
      withoutPayment: event === 'resolved_success',
    }
    return () => resolveOrder(system, findInventory, resolution)
  }

const refund: Prepare = async (project) => {
  const order = await orderSome(project)
  await report(project, order, 'paid')
  await report(project, order, 'paid')
  await verify(project)
  await verify(project)
  const { system } = project.gateway.owner
  return () =>
    recordRefund(system, findInventory, {
      ...DECISION,
      orderNo: order.orderNo,
      hash: undefined,
      payment: undefined,
    })
}

const deliver: Prepare = async (project) => {
  const token = await createListing(project, {}, { indexed: true })
  const order = await createOrderFixture(project).order(token)
  await report(project, order, 'paid')
  await verify(project)
  return () => confirmDelivery(project.gateway.owner.system, { ...DECISION, orderNo: order.orderNo })
}

const resolveUndecidedMint: Prepare = async (project) => {
  const { id } = await signMint(project)
  const resolution = { ...DECISION, project: project.projectId, reservation: id, minted: undefined }
  await project.gateway.owner.system
    .updateTable('gateway.mint_reservations')
    .set({ undecided_attempts: 1 })
    .where('id', '=', id)
    .execute()
  return () => resolveMint(project.gateway.owner.system, orderPort, resolution)
}

const pass = ({ gateway }: SampleProject) => passTimes(gateway.owner.system)

/** Creates a record and moves its times into the past, which the job has not noticed. */
const passTimesOf =
  (
    table: TimedTable,
    times: Readonly<Record<string, string>>,
    create: (project: SampleProject) => Promise<number>,
  ): Prepare =>
  async (project) => {
    await move(project, table, await create(project), times)
    return () => pass(project)
  }

const START = { start_time: '1 second' }
const START_AND_END = { start_time: '1 hour', end_time: '1 second' }

const createCard =
  (startTime: string) =>
  async ({ client }: SampleProject): Promise<number> =>
    (await promoCodeCards.create(client, { ...newCard(), startTime })).id

const createFutureListing = async (project: SampleProject) =>
  (await createListing(project, { startTime: FUTURE, endTime: LATER })).id

async function createClosedListing(project: SampleProject): Promise<number> {
  const id = await createFutureListing(project)
  await project.gateway.owner.system
    .updateTable('gateway.listings')
    .set({ status: 'OFF' })
    .where('id', '=', id)
    .execute()
  return id
}

const createFutureAuction = async (project: SampleProject) =>
  (await createAuction(project, { startTime: FUTURE, endTime: LATER })).id

async function createFutureCoupon({ client }: SampleProject): Promise<number> {
  const terms = { couponType: 1, value: '1000', startTime: FUTURE, endTime: LATER } as const
  return (await couponCodes.create(client, terms)).coupon.id
}

const createFuturePhase = async ({ client }: SampleProject) =>
  (await createLazyPresale(client, { startTime: FUTURE, endTime: LATER })).phaseId

const endDraw: Prepare = async (project) => {
  const fixture = createMintFixture(project.gateway, project)
  const presale = await fixture.aPresale({ pricedBy: 'CHAIN' })
  const { id } = await fixture.addNft(presale)
  await lazyMinting.randomNft(project.client, { nftAddress: presale.nftAddress, recipient: newAddress() })
  await move(project, 'mintable_nfts', id, { reserved_until: '1 second' })
  return () => pass(project)
}

export const jobCases: readonly EventCase[] = [
  {
    source: 'orders',
    title: 'a final payment of some units',
    types: ['listing.updated', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: paidOrder(orderSome),
  },
  {
    source: 'orders',
    title: 'a final payment of the last units',
    types: ['listing.sold_out', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: paidOrder(orderAll),
  },
  {
    source: 'orders',
    title: 'a final payment with a coupon',
    types: ['coupon.updated', 'listing.updated', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: paidOrder(orderWithCoupon),
  },
  {
    source: 'orders',
    title: 'a final payment of the winner of an auction',
    types: ['auction.sold', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: paidOrder(winAuction),
  },
  {
    source: 'orders',
    title: 'a final payment of an accepted offer for a unique token with other offers',
    types: ['offer.rejected', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: paidOrder(acceptOffer),
  },
  {
    source: 'orders',
    title: 'a payment that failed on the chain',
    types: ['listing.updated', 'order.failed'],
    prepare: paidOrder(orderSome, 'reverted'),
  },
  {
    source: 'orders',
    title: 'a payment that is too low',
    types: ['order.unresolved'],
    prepare: paidOrder(orderSome, 'not_enough'),
  },
  {
    source: 'orders',
    title: 'a second payment of a paid order',
    types: ['order.refund_due'],
    prepare: payTwice,
  },
  {
    source: 'orders',
    title: 'a final payment that a reorganization removed',
    types: ['order.unresolved'],
    prepare: reorganizePayment,
  },
  {
    source: 'orders',
    title: 'an overdue order of a listing with a coupon',
    types: ['coupon.updated', 'listing.updated', 'order.expired'],
    prepare: expireOrder(orderWithCoupon),
  },
  {
    source: 'orders',
    title: 'an overdue order of a won auction',
    types: ['auction.unpaid', 'order.expired'],
    prepare: expireOrder(winAuction),
  },
  {
    source: 'orders',
    title: 'an overdue order of an accepted offer',
    types: ['offer.expired', 'order.expired'],
    prepare: expireOrder(acceptOffer),
  },
  { source: 'ended sales', title: 'an ended listing', types: ['listing.expired'], prepare: endListing },
  {
    source: 'ended sales',
    title: 'an ended auction with a winner',
    types: ['auction.won', 'order.created'],
    prepare: endAuction(true),
  },
  {
    source: 'ended sales',
    title: 'an ended auction without bids',
    types: ['auction.unsold'],
    prepare: endAuction(false),
  },
  {
    source: 'ended sales',
    title: 'an offer that was not accepted',
    types: ['offer.expired'],
    prepare: endOffer,
  },
  {
    source: 'mints',
    title: 'a final mint',
    types: ['lazy_nft.updated', 'mint.minted', 'transfer.recorded'],
    prepare: finishMint,
  },
  {
    source: 'mints',
    title: 'a final mint of a paid order',
    types: ['mint.minted', 'order.delivered', 'transfer.recorded'],
    prepare: deliverMint,
  },
  {
    source: 'mints',
    title: 'an unused signature that has expired',
    types: ['lazy_nft.updated', 'mint.released', 'phase.updated'],
    prepare: expireMint,
  },
  {
    source: 'passed times',
    title: 'the start of a card',
    types: ['card.started'],
    prepare: passTimesOf('cards', START, createCard(FUTURE)),
  },
  {
    source: 'passed times',
    title: 'the end of a card',
    types: ['card.expired'],
    prepare: passTimesOf('cards', { validity_period: '1 second' }, createCard('2020-01-01T00:00:00Z')),
  },
  {
    source: 'passed times',
    title: 'the start of a listing',
    types: ['listing.started'],
    prepare: passTimesOf('listings', START, createFutureListing),
  },
  {
    source: 'passed times',
    title: 'the start of a closed listing',
    types: [],
    prepare: passTimesOf('listings', START, createClosedListing),
  },
  {
    source: 'passed times',
    title: 'the start of an auction',
    types: ['auction.started'],
    prepare: passTimesOf('auctions', START, createFutureAuction),
  },
  {
    source: 'passed times',
    title: 'the start of a coupon',
    types: ['coupon.started'],
    prepare: passTimesOf('coupons', START, createFutureCoupon),
  },
  {
    source: 'passed times',
    title: 'the start and the end of a coupon',
    types: ['coupon.expired', 'coupon.started'],
    prepare: passTimesOf('coupons', START_AND_END, createFutureCoupon),
  },
  {
    source: 'passed times',
    title: 'the start and the end of a phase',
    types: ['phase.ended', 'phase.started'],
    prepare: passTimesOf('mint_phases', START_AND_END, createFuturePhase),
  },
  { source: 'passed times', title: 'the end of a draw', types: ['lazy_nft.updated'], prepare: endDraw },
  {
    source: 'orders resolve --as success',
    title: 'an unresolved order',
    types: ['listing.updated', 'order.delivered', 'order.paid', 'transfer.recorded'],
    prepare: resolveAs('resolved_success'),
  },
  {
    source: 'orders resolve --as failed',
    title: 'an unresolved order',
    types: ['listing.updated', 'order.failed'],
    prepare: resolveAs('resolved_failed'),
  },
  { source: 'orders refunded', title: 'a refund that was due', types: ['order.refunded'], prepare: refund },
  {
    source: 'orders delivered',
    title: 'an order of an indexed contract',
    types: ['order.delivered'],
    prepare: deliver,
  },
  {
    source: 'mints resolve --as unused',
    title: 'an undecided mint',
    types: ['lazy_nft.updated', 'mint.released', 'phase.updated'],
    prepare: resolveUndecidedMint,
  },
]
