import { campaigns, commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import { contracts, lazyMinting } from '@mintmark/contracts'
import { auctions, commonSales, type Listing, offers, productCards } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { follows } from '@mintmark/wallet'
import { sql } from 'kysely'
import { createListing } from '../create-listing.ts'
import { createOffer } from '../create-offer.ts'
import { createMintFixture } from '../mint-fixture.ts'
import { createOrderFixture, newHash } from '../order-fixture.ts'
import { createLazyPresale, createProductPresale, orderMint } from '../presales.ts'
import { type Input, rawCallOf } from '../samples/calls.ts'
import { samples } from '../samples/index.ts'
import { makeRefund, underpay } from '../samples/orders.ts'
import { newAddress, type SampleProject } from '../samples/sample.ts'
import { createCouponListing, type EventCase, newCard, type Prepare, prepareBuyout } from './event-case.ts'

const past = sql<Date>`clock_timestamp() - interval '1 second'`

/** A verification of a card that does not exist is recorded as refused. */
const refusedVerification =
  (group: typeof promoCodeCards | typeof eventCards | typeof membershipCards): Prepare =>
  async ({ key }) => {
    const action = group === promoCodeCards ? 'REDEEM' : 'CHECK_IN'
    const input = { id: 999_999_999, action, nonce: crypto.randomUUID() }
    return async () => await call(key, group.createVerification, input)
  }

async function call(
  key: SampleProject['key'],
  operation: Parameters<typeof rawCallOf>[0],
  input: Input,
): Promise<void> {
  const { status, text } = await key.call(rawCallOf(operation, input))
  if (status !== 200) throw new Error(`${operation.path} returned ${status}: ${text}`)
}

const lastRedemption: Prepare = async ({ client }) => {
  const card = await promoCodeCards.create(client, newCard())
  const input = { id: card.id, action: 'REDEEM', nonce: crypto.randomUUID() } as const
  return () => promoCodeCards.createVerification(client, input)
}

async function removeDefaultCollection({ client }: SampleProject): Promise<void> {
  for (const { id, chainId } of (await contracts.list(client)).list)
    if (chainId === '') await contracts.remove(client, { id })
}

const firstDefaultTemplate: Prepare = async (project) => {
  await removeDefaultCollection(project)
  const card = { ...newCard(), nftAddress: undefined }
  const input = { name: 'Summer', program: 'promoCodeCards', cards: 1, card } as const
  return () => campaigns.create(project.client, input)
}

/** A project without its default collection, which the first card without a contract creates. */
const firstDefaultCard =
  (operation: Parameters<typeof rawCallOf>[0]): Prepare =>
  async (project) => {
    const { key } = project
    await removeDefaultCollection(project)
    const card = { ...newCard(), nftAddress: undefined }
    return () => call(key, operation, operation.id.endsWith('.createBatch') ? { cards: [card] } : card)
  }

const endOfCheckIn: Prepare = async ({ client }) => {
  const { id } = await eventCards.create(client, newCard())
  await eventCards.createVerification(client, { id, action: 'CHECK_IN', nonce: crypto.randomUUID() })
  return () => eventCards.update(client, { id, isCheckedIn: false })
}

const endOfFollow: Prepare = async ({ client }) => {
  const input = { address: newAddress(), nftAddress: newAddress() }
  await follows.add(client, input)
  return () => follows.add(client, { ...input, following: false })
}

const phase = { startTime: '2020-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z', price: '1000' }

/** Replaces the phases of a presale: one is new, one has changed, and one is removed. */
const replacedPhases =
  (program: typeof lazyMinting | typeof productCards): Prepare =>
  async ({ client }) => {
    const { nftAddress } = await createLazyPresale(client)
    const early = { ...phase, name: 'early', endTime: '2021-01-01T00:00:00Z' }
    const middle = {
      ...phase,
      name: 'middle',
      startTime: '2021-01-01T00:00:00Z',
      endTime: '2022-01-01T00:00:00Z',
    }
    const late = { ...phase, name: 'late', startTime: '2022-01-01T00:00:00Z' }
    await program.updatePresale(client, { nftAddress, phases: [early, middle] })
    return () => program.updatePresale(client, { nftAddress, phases: [{ ...middle, price: '2000' }, late] })
  }

const changedWhitelistLimit =
  (program: typeof lazyMinting | typeof productCards): Prepare =>
  async ({ client }) => {
    const { nftAddress } = await createLazyPresale(client)
    await program.updatePresale(client, {
      nftAddress,
      phases: [{ ...phase, name: 'list', whitelistMode: 'LIST' }],
    })
    const entry = { address: newAddress(), limit: '2' }
    await program.addToWhitelist(client, { nftAddress, phase: 'list', entries: [entry] })
    return () =>
      program.addToWhitelist(client, { nftAddress, phase: 'list', entries: [{ ...entry, limit: '3' }] })
  }

const orderListing = (project: SampleProject, listing: Listing, quantity = 1) =>
  createOrderFixture(project).order(listing, { quantity })

/** All units are reserved by an order that was not paid in time. */
const orderAfterExpiry: Prepare = async (project) => {
  const listing = await createListing(project)
  const overdue = await orderListing(project, listing, listing.quantity)
  await createOrderFixture(project).expire(overdue)
  return () => orderListing(project, listing)
}

/** The buyer replaces the transaction by another one. */
const payAgain: Prepare = async (project) => {
  const fixture = createOrderFixture(project)
  const order = await orderListing(project, await createListing(project))
  await fixture.pay(order, newHash())
  return () => fixture.pay(order, newHash())
}

/** Orders that change what other records count, such as the uses of a coupon. */
const COUNTED_ORDERS: readonly {
  readonly title: string
  /** The types of the events of the other records, when the order is placed and when it ends. */
  readonly types: readonly string[]
  readonly prepare: Prepare<Order>
}[] = [
  {
    title: 'a listing with a coupon',
    types: ['coupon.updated', 'listing.updated'],
    async prepare(project) {
      const listing = await createCouponListing(project)
      return () => orderListing(project, listing)
    },
  },
  {
    title: 'a lazily minted NFT',
    types: ['lazy_nft.updated', 'phase.updated'],
    async prepare(project) {
      const presale = await createLazyPresale(project.client)
      const { nftId } = await createMintFixture(project.gateway, project).addNft(presale)
      return () => orderMint(project.client, presale, { nftId })
    },
  },
  {
    title: 'the last unit of a product',
    types: ['phase.updated', 'product_nft.updated'],
    async prepare({ client }) {
      const presale = await createProductPresale(client, { limited: 1 })
      return () => orderMint(client, presale)
    },
  },
]

const placeAndCancel =
  (place: Prepare<Order>): Prepare =>
  async (project) => {
    const { orderNo } = await (await place(project))()
    return () => orders.cancel(project.client, { orderNo })
  }

const placeAndDecline =
  (place: Prepare<Order>): Prepare =>
  async (project) => {
    const { orderNo } = await underpay(project, await (await place(project))())
    return () => orders.decline(project.client, { orderNo })
  }

const refundInPart: Prepare = async (project) => {
  const { orderNo } = await underpay(project, await orderListing(project, await createListing(project)))
  await orders.decline(project.client, { orderNo })
  return () => orders.recordRefund(project.client, { orderNo, hash: makeRefund(project, 1n) })
}

const cancelAcceptedOffer: Prepare = async (project) => {
  const { id, owner } = await createOffer(project)
  const { orderNo } = await offers.accept(project.client, { id, owner })
  return () => orders.cancel(project.client, { orderNo })
}

/** The only NFT, or the only unit of the phase, is reserved by an order that was not paid in time. */
const afterOverdueMint =
  (
    program: 'lazy' | 'product',
    work: (project: SampleProject, nftAddress: string, nftId: string) => Promise<unknown>,
  ): Prepare =>
  async (project) => {
    const { client, gateway } = project
    const presale =
      program === 'lazy'
        ? await createLazyPresale(client)
        : await createProductPresale(client, { limited: 1 })
    const nftId =
      'nftId' in presale
        ? String(presale.nftId)
        : (await createMintFixture(gateway, project).addNft(presale)).nftId
    const overdue = await orderMint(client, presale, { nftId })
    await createOrderFixture(project).expire(overdue)
    await gateway.owner.system
      .updateTable('gateway.mint_phases')
      .set({ priced_by: 'CHAIN' })
      .where('id', '=', presale.phaseId)
      .execute()
    return () => work(project, presale.nftAddress, nftId)
  }

const signLazyMint = ({ client }: SampleProject, nftAddress: string, nftId: string) =>
  lazyMinting.mintSign(client, { nftAddress, nftId, recipient: newAddress() })
const signProductMint = ({ client }: SampleProject, nftAddress: string, nftId: string) =>
  productCards.mintSign(client, { nftAddress, nftId, recipient: newAddress(), quantity: 1 })
const drawNft = ({ client }: SampleProject, nftAddress: string) =>
  lazyMinting.randomNft(client, { nftAddress, recipient: newAddress() })

/** The operations that reserve units of a seller's token, with the types of their own events. */
const SALES: Readonly<Record<string, readonly string[]>> = {
  'commonSales.putOnShelf': ['listing.created'],
  'couponSales.putOnShelf': ['coupon.created', 'listing.created'],
  'couponSales.putOnShelfLimited': ['coupon.created', 'listing.created'],
  'limitedTimeCoupons.putOnShelf': ['coupon.created', 'listing.created'],
  'couponCodes.putOnShelf': ['listing.created'],
  'specifiedSales.putOnShelf': ['listing.created'],
  'auctions.create': ['auction.created'],
  'offers.accept': ['offer.accepted', 'order.created'],
}

/**
 * The units of the token are reserved by an ended sale, which the call closes without waiting for the job.
 */
const afterEndedSale =
  (id: string, kind: 'listing' | 'auction'): Prepare =>
  async (project) => {
    const { gateway, key, client } = project
    const sample = samples.find(({ operation }) => operation.id === id)
    if (sample === undefined) throw new Error(`${id} has no sample`)
    const input = (await sample.input(project)) as Input
    const asset = await gateway.owner.system
      .selectFrom('gateway.assets')
      .selectAll()
      .where('project_id', '=', project.projectId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const token = { seller: asset.owner, nftAddress: asset.nft_address, nftId: asset.nft_id }
    const quantity = Number(asset.quantity)
    const endTime = '2099-01-01T00:00:00Z'
    if (kind === 'listing') {
      const listing = await commonSales.putOnShelf(client, { ...token, quantity, payPrice: '1000', endTime })
      await gateway.owner.system
        .updateTable('gateway.listings')
        .set({ start_time: sql<Date>`clock_timestamp() - interval '1 hour'`, end_time: past })
        .where('id', '=', listing.id)
        .execute()
    } else {
      const startTime = '2020-01-01T00:00:00Z'
      const terms = { quantity, minimumBidAmount: '1000', startTime, endTime }
      const auction = await auctions.create(client, { ...token, ...terms })
      await gateway.owner.system
        .updateTable('gateway.auctions')
        .set({ end_time: past })
        .where('id', '=', auction.id)
        .execute()
    }
    return () => call(key, sample.operation, input)
  }

export const operationCases: readonly EventCase[] = [
  ...[promoCodeCards, eventCards, membershipCards].map((group) => ({
    source: group.createVerification.id,
    title: 'a card that does not exist',
    types: ['verification.refused'],
    prepare: refusedVerification(group),
  })),
  {
    source: 'promoCodeCards.createVerification',
    title: 'a redemption that uses up the card',
    types: ['card.updated', 'verification.accepted'],
    prepare: lastRedemption,
  },
  ...[commemorativeCards, eventCards, membershipCards, promoCodeCards]
    .flatMap(({ create, createBatch }) => [create, createBatch])
    .map((operation) => ({
      source: operation.id,
      title: 'the first card of the default collection',
      types: ['card.created', 'contract.created'],
      prepare: firstDefaultCard(operation),
    })),
  {
    source: 'campaigns.create',
    title: 'the first template of the default collection',
    types: ['campaign.created', 'contract.created'],
    prepare: firstDefaultTemplate,
  },
  {
    source: 'eventCards.update',
    title: 'the end of a check-in',
    types: ['card.updated', 'verification.reversed'],
    prepare: endOfCheckIn,
  },
  { source: 'follows.add', title: 'the end of a follow', types: ['follow.removed'], prepare: endOfFollow },
  ...([lazyMinting, productCards] as const).flatMap((program) => [
    {
      source: program.updatePresale.id,
      title: 'a presale whose phases are replaced',
      types: ['phase.created', 'phase.removed', 'phase.updated'],
      prepare: replacedPhases(program),
    },
    {
      source: program.addToWhitelist.id,
      title: 'a wallet that is on the whitelist with another limit',
      types: ['whitelist_entry.updated'],
      prepare: changedWhitelistLimit(program),
    },
  ]),
  {
    source: 'lazyMinting.mintSign',
    title: 'an NFT that an overdue order reserves',
    types: ['lazy_nft.updated', 'mint.signed', 'order.expired', 'phase.updated'],
    prepare: afterOverdueMint('lazy', signLazyMint),
  },
  {
    source: 'lazyMinting.randomNft',
    title: 'an NFT that an overdue order reserves',
    types: ['lazy_nft.updated', 'order.expired', 'phase.updated'],
    prepare: afterOverdueMint('lazy', drawNft),
  },
  {
    source: 'productCards.mintSign',
    title: 'the last unit of a product that an overdue order reserves',
    types: ['mint.signed', 'order.expired', 'phase.updated', 'product_nft.updated'],
    prepare: afterOverdueMint('product', signProductMint),
  },
  {
    source: 'auctions.bid',
    title: 'a bid at the buyout price',
    types: ['auction.won', 'bid.placed', 'order.created'],
    prepare: prepareBuyout,
  },
  ...Object.entries(SALES).flatMap(([source, types]) => [
    {
      source,
      title: 'units that an ended listing reserves',
      types: [...types, 'listing.expired'].sort(),
      prepare: afterEndedSale(source, 'listing'),
    },
    {
      source,
      title: 'units that an ended auction without a winner reserves',
      types: [...types, 'auction.unsold'].sort(),
      prepare: afterEndedSale(source, 'auction'),
    },
  ]),
  ...COUNTED_ORDERS.flatMap(({ title, types, prepare }) => [
    { source: 'orders.preOrder', title, types: [...types, 'order.created'].sort(), prepare },
    {
      source: 'orders.cancel',
      title: `an order of ${title}`,
      types: [...types, 'order.cancelled'].sort(),
      prepare: placeAndCancel(prepare),
    },
    {
      source: 'orders.decline',
      title: `an order of ${title}`,
      types: [...types, 'order.failed', 'order.refund_due'].sort(),
      prepare: placeAndDecline(prepare),
    },
  ]),
  {
    source: 'orders.preOrder',
    title: 'a listing whose units an overdue order reserves',
    types: ['listing.updated', 'order.created', 'order.expired'],
    prepare: orderAfterExpiry,
  },
  {
    source: 'orders.payOrder',
    title: 'a second transaction of the same order',
    types: ['order.updated'],
    prepare: payAgain,
  },
  {
    source: 'orders.recordRefund',
    title: 'a part of what is due',
    types: ['order.updated'],
    prepare: refundInPart,
  },
  {
    source: 'orders.cancel',
    title: 'the order of a won auction',
    types: ['auction.unpaid', 'order.cancelled'],
    prepare: placeAndCancel(prepareBuyout),
  },
  {
    source: 'orders.cancel',
    title: 'the order of an accepted offer',
    types: ['offer.cancelled', 'order.cancelled'],
    prepare: cancelAcceptedOffer,
  },
]
