import { promoCodeCards } from '@mintmark/cards'
import { contracts, lazyMinting } from '@mintmark/contracts'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, payments, signPayerQuota, webhooks } from '@mintmark/facilitator'
import { auctions, CouponType, commonSales, couponSales, OFFER_CLOSED, offers } from '@mintmark/market'
import { OrderStatus, orders } from '@mintmark/orders'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { startSandbox } from './sandbox.ts'

const own = await createTestDatabase()
const sandbox = await startSandbox({ demo: true, databaseUrl: own.url })
afterAll(async () => {
  await sandbox.stop()
  await own.drop()
})

const { gateway, facilitator, accounts, clock } = sandbox
const nftAddress = sandbox.credentials.demo?.nftAddress ?? ''
const creator = accounts.creator.address
const buyer = accounts.buyer.address
const edition = { seller: creator, nftAddress, nftId: '1', quantity: 1 }
const MINUTE_MS = 60_000
/** Formats the time in some minutes by the sandbox's clock. */
const inMinutes = (minutes: number) => new Date(clock.now() + minutes * MINUTE_MS).toISOString()

// No test waits: the first read after `advance` finds the new state.

it('sandbox.clock.advance ends an auction, whose winner gets an order', async () => {
  const { id } = await auctions.create(gateway, {
    seller: creator,
    nftAddress,
    nftId: '1',
    quantity: 1,
    minimumBidAmount: '1000',
    buyoutBidAmount: '100000',
    startTime: inMinutes(-1),
    endTime: inMinutes(60),
  })
  await auctions.bid(gateway, { auctionId: id, bidder: buyer, amount: '2000' })
  expect((await auctions.get(gateway, { id })).orderNo).toBe('')
  await clock.advance('61m')
  const { orderNo } = await auctions.get(gateway, { id })
  expect(await orders.get(gateway, { orderNo })).toMatchObject({
    recipient: buyer.toLowerCase(),
    payAmount: '2000',
  })
})

it('sandbox.clock.advance expires an order, and its units can be sold again', async () => {
  const listing = await commonSales.putOnShelf(gateway, {
    seller: creator,
    nftAddress,
    nftId: '1',
    quantity: 1,
    payPrice: '1000',
  })
  const sale = { marketType: 1, listingId: listing.id, quantity: 1, recipient: buyer }
  const { orderNo } = await orders.preOrder(gateway, sale)
  expect((await commonSales.get(gateway, { id: listing.id })).remaining).toBe(0)
  await clock.advance('1h')
  expect((await orders.get(gateway, { orderNo })).orderStatus).toBe(OrderStatus.EXPIRED)
  expect((await commonSales.get(gateway, { id: listing.id })).remaining).toBe(1)
})

it('sandbox.clock.advance ends a listing', async () => {
  const { id } = await commonSales.putOnShelf(gateway, {
    ...edition,
    payPrice: '1000',
    endTime: inMinutes(30),
  })
  expect((await commonSales.get(gateway, { id })).status).toBe('ON')
  await clock.advance('31m')
  expect((await commonSales.get(gateway, { id })).status).toBe('EXPIRED')
})

it('sandbox.clock.advance ends a coupon, after which an order costs the full price', async () => {
  const coupon = { couponType: CouponType.AMOUNT_OFF, value: '400', endTime: inMinutes(30) }
  const listing = await couponSales.putOnShelfLimited(gateway, {
    ...edition,
    quantity: 2,
    payPrice: '1000',
    coupon,
    endTime: inMinutes(600),
  })
  const preOrder = async () =>
    (await orders.preOrder(gateway, { listingId: listing.id, quantity: 1, recipient: buyer })).payAmount
  expect(await preOrder()).toBe('600')
  await clock.advance('31m')
  expect(await preOrder()).toBe('1000')
})

it('sandbox.clock.advance expires an offer', async () => {
  const { nftId, quantity } = edition
  const terms = {
    offerer: buyer,
    nftAddress,
    nftId,
    quantity,
    totalPrice: '1000',
    expireTime: inMinutes(30),
  }
  const { id } = await offers.create(gateway, terms)
  await clock.advance('31m')
  await expect(offers.accept(gateway, { id, owner: creator })).rejects.toMatchObject({
    reason: OFFER_CLOSED.reason,
  })
})

it('sandbox.clock.advance ends the overlap in which the previous secret of a webhook signs too', async () => {
  const [webhook] = await webhooks.list(facilitator)
  const own = await webhooks.configure(facilitator, { url: webhook?.url ?? '' })
  const { secret = '' } = await webhooks.rotateSecret(facilitator, { id: own.id, overlapHours: 2 })
  sandbox.webhooks.trust(secret)
  const read = () => webhooks.get(facilitator, { id: own.id })
  expect(await read()).toHaveProperty('previousSecretExpireTime')
  await clock.advance('2h')
  expect(await read()).not.toHaveProperty('previousSecretExpireTime')
  await webhooks.remove(facilitator, { id: own.id })
})

it('sandbox.clock.advance expires a card', async () => {
  const name = `A coffee on the house ${crypto.randomUUID()}`
  const terms = { name, nftAddress, startTime: inMinutes(-1), endTime: inMinutes(30), totalIssued: 1 }
  await promoCodeCards.create(gateway, terms)
  const countActive = async () =>
    (await promoCodeCards.search(gateway, { keyword: name, status: 'ACTIVE' })).totalRow
  expect(await countActive()).toBe(1)
  await clock.advance('31m')
  expect(await countActive()).toBe(0)
})

it('sandbox.clock.advance opens a phase of a presale', async () => {
  const drops = '0x00000000000000000000000000000000000000dd'
  const { chainId } = sandbox.chain
  await contracts.add(gateway, {
    nftAddress: drops,
    name: 'Drops',
    nftType: 'ERC721',
    chainId: String(chainId),
    owner: creator,
  })
  const phase = { name: 'public', startTime: inMinutes(3 * 24 * 60), price: '1000' }
  await lazyMinting.updatePresale(gateway, { nftAddress: drops, phases: [phase] })
  expect((await lazyMinting.presale(gateway, { nftAddress: drops })).active).toBe('')
  await clock.advance('3d')
  expect((await lazyMinting.presale(gateway, { nftAddress: drops })).active).toBe('public')
})

it('sandbox.clock.advance expires a signed quota, which then pays no settle', async () => {
  const snapshot = await sandbox.snapshot()
  const { payer } = accounts
  const signing = await payerQuotas.signingDomain(facilitator)
  const validBefore = Math.floor(clock.now() / 1000) + 3600
  const quota = await signPayerQuota(payer, signing, { limit: 10n ** 18n, validBefore })
  await payerQuotas.register(facilitator, quota)
  const settle = async () => payments.settle(facilitator, await sandbox.signPayment({ payTo: creator }))
  expect(await settle()).toMatchObject({ success: true })
  await clock.advance('2h')
  expect(await payerQuotas.active(facilitator, { payer: payer.address })).toMatchObject({
    status: 'EXPIRED',
  })
  const error: unknown = await settle().catch((caught: unknown) => caught)
  expect(isMintmarkError(error)).toBe(true)
  await snapshot.restore()
  expect(await settle()).toMatchObject({ success: true })
})

it('sandbox.clock.advance reports what ended by webhooks', async () => {
  await sandbox.reset()
  const name = 'Opening night'
  const terms = { name, nftAddress, startTime: inMinutes(-1), endTime: inMinutes(30), totalIssued: 1 }
  const { id } = await promoCodeCards.create(gateway, terms)
  await clock.advance('1h')
  expect((await sandbox.webhooks.waitFor('card.expired')).data.card).toMatchObject({ id, name })
})

it('sandbox.clock.advance moves the clock of rules: a sale cannot end before the new time', async () => {
  await clock.advance('30d')
  const listing = { seller: creator, nftAddress, nftId: '1', quantity: 1, payPrice: '1000' }
  const inOneDay = new Date(Date.now() + 24 * 60 * MINUTE_MS).toISOString()
  await expect(commonSales.putOnShelf(gateway, { ...listing, endTime: inOneDay })).rejects.toThrow(
    'Expected a time in the future',
  )
  await commonSales.putOnShelf(gateway, { ...listing, endTime: inMinutes(60) })
})

it.each(['3 days', '', '-1d', Number.NaN, -1])(
  'sandbox.clock.advance refuses %j, which is no duration',
  async (duration) => {
    await expect(clock.advance(duration)).rejects.toThrow(RangeError)
  },
)

it('no function of the servers reads a clock that the sandbox cannot move', async () => {
  const client = new pg.Client({ connectionString: own.url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('gateway', 'facilitator') and (
      p.prosrc ~* '\\m(current_timestamp|current_date|current_time|localtimestamp|localtime)\\M'
      or p.prosrc ~* '\\m(clock_timestamp|statement_timestamp|transaction_timestamp|now|timeofday)\\s*\\('
        and exists (select from unnest(p.proconfig) c where c like 'search_path=%' and c not like 'search_path=sandbox,%'))`,
  )
  await client.end()
  expect(rows).toEqual([])
})
