import { couponCodes, couponSales, type Listing, limitedTimeCoupons, specifiedSales } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListing, createOwnedToken } from '../../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'coupons')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

type Terms = Parameters<typeof couponCodes.create>[1]
const HALF = { couponType: 1, value: '5000' } as const

/** A listing that takes codes, at 1000 each, and one of its codes. */
async function codeSale(terms: Partial<Terms> = {}, quantity = 10) {
  const { coupon, codes } = await couponCodes.create(project.client, { ...HALF, ...terms })
  const token = await createOwnedToken(gateway, project.projectId, { quantity })
  const sale = { ...token, quantity, payPrice: '1000', couponId: coupon.id }
  const listing = await couponCodes.putOnShelf(project.client, sale)
  return { listing, couponId: coupon.id, codes, code: codes[0] ?? '' }
}

interface Buying {
  readonly recipient?: string
  readonly quantity?: number
  readonly couponCode?: string
}
async function buy(listing: Listing, { recipient = newAddress(), quantity = 1, ...more }: Buying = {}) {
  const { id: listingId, marketType } = listing
  return await orders.preOrder(project.client, { marketType, listingId, quantity, recipient, ...more })
}

const refusedWith = (code: number) => expect.objectContaining({ code })

async function uses(couponId: number) {
  const { rows } = await sql<{ used: number; redeemed: number; wallets: number }>`
    select used, redeemed, (select coalesce(sum(w.used), 0)::int from gateway.coupon_wallets w where w.coupon_id = c.id) as wallets
    from gateway.coupons c where id = ${couponId}`.execute(gateway.owner.system)
  return rows[0]
}

async function pay(order: Order) {
  const hash = newHash()
  const paid = { kind: 'mined', block: 101, blockHash: newHash(), final: true, outcome: 'paid' } as const
  gateway.chain.sightings.set(hash, paid)
  await orderFixture.pay(order, hash)
  await orderFixture.verify()
}

it('a coupon code reduces the price of an order, in any case, and the order shows the full price too', async () => {
  const { listing, code } = await codeSale()
  const order = await buy(listing, { quantity: 3, couponCode: code.toLowerCase() })
  expect(order).toMatchObject({ couponCode: code, couponType: 1, payAmount: '1500', orderAmount: '3000' })
})

it('a coupon code is optional: an order without one has the full price', async () => {
  const { listing, couponId } = await codeSale()
  expect(await buy(listing)).toMatchObject({ couponCode: '', couponType: 0, payAmount: '1000' })
  expect(await uses(couponId)).toEqual({ used: 0, redeemed: 0, wallets: 0 })
})

it.each([
  ['amount off', { couponType: 2, value: '1700' }, '300'],
  ['amount off, not below zero', { couponType: 2, value: '9999' }, '0'],
  ['fixed price of one', { couponType: 3, value: '250' }, '500'],
] as const)('a coupon code takes off by its coupon: %s', async (_, terms, payAmount) => {
  const { listing, code } = await codeSale(terms)
  expect(await buy(listing, { quantity: 2, couponCode: code })).toMatchObject({ payAmount })
})

it('a coupon code of another coupon or of none is refused without a reservation', async () => {
  const { listing } = await codeSale()
  const { code } = await codeSale()
  for (const couponCode of [code, 'NOBODYS-CODE']) {
    await expect(buy(listing, { couponCode })).rejects.toEqual(refusedWith(40910))
  }
  expect((await couponCodes.get(project.client, { id: listing.id })).remaining).toBe(10)
})

it('a coupon code is unique within a project only', async () => {
  const theirs = await sampleProject(gateway, 'others')
  await couponCodes.create(project.client, { ...HALF, code: 'SHARED-1' })
  await couponCodes.create(theirs.client, { ...HALF, code: 'shared-1' })
  await expect(couponCodes.create(project.client, { ...HALF, code: 'Shared-1' })).rejects.toEqual(
    refusedWith(40933),
  )
})

it('a coupon code is drawn ten thousand times without a repetition', async () => {
  const { codes, coupon } = await couponCodes.create(project.client, { ...HALF, count: 10_000 })
  expect(new Set(codes).size).toBe(10_000)
  const couponCode = codes.at(-1) ?? ''
  expect(await limitedTimeCoupons.getByCode(project.client, { couponCode })).toMatchObject({
    id: coupon.id,
  })
})

it('the limit of a coupon applies to all of its codes together', async () => {
  const { listing, codes } = await codeSale({ count: 3, maxRedemptions: 2 })
  const [one = '', two = '', three = ''] = codes
  await buy(listing, { couponCode: one })
  await buy(listing, { couponCode: two })
  await expect(buy(listing, { couponCode: three })).rejects.toEqual(refusedWith(40911))
})

it('the limit of a coupon per wallet counts the orders of that wallet only', async () => {
  const { listing, code } = await codeSale({ maxPerWallet: 1 })
  const recipient = newAddress()
  await buy(listing, { recipient, couponCode: code })
  await expect(buy(listing, { recipient, couponCode: code })).rejects.toEqual(refusedWith(40912))
  await buy(listing, { couponCode: code })
})

it('the limit of a coupon for the minimum amount applies to the whole order', async () => {
  const { listing, code } = await codeSale({ minimumAmount: '2000' })
  await expect(buy(listing, { couponCode: code })).rejects.toEqual(refusedWith(40913))
  expect(await buy(listing, { couponCode: code, quantity: 2 })).toMatchObject({ payAmount: '1000' })
})

it('the limit of a coupon in time applies at both ends', async () => {
  const { listing, code } = await codeSale({ startTime: '2099-01-01T00:00:00Z' })
  await expect(buy(listing, { couponCode: code })).rejects.toEqual(refusedWith(40910))
  const running = await codeSale({ endTime: '2099-01-01T00:00:00Z' })
  await buy(running.listing, { couponCode: running.code })
  await gateway.owner.system
    .updateTable('gateway.coupons')
    .set({
      start_time: sql`clock_timestamp() - interval '2 seconds'`,
      end_time: sql`clock_timestamp() - interval '1 second'`,
    })
    .where('id', '=', running.couponId)
    .execute()
  await expect(buy(running.listing, { couponCode: running.code })).rejects.toEqual(refusedWith(40910))
})

// More buyers than connections, but few enough that a loaded machine serves all of them before one has
// waited too long (503).
it('the limit of a coupon of ten allows ten of sixty concurrent buyers with any of its codes', async () => {
  const { listing, codes, couponId } = await codeSale({ count: 20, maxRedemptions: 10 }, 60)
  const tried = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => buy(listing, { couponCode: codes[index % 20] ?? '' })),
  )
  const refusals = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(refusals).toEqual(Array.from({ length: 50 }, () => 40911))
  expect(await uses(couponId)).toEqual({ used: 10, redeemed: 0, wallets: 10 })
  expect((await couponCodes.get(project.client, { id: listing.id })).remaining).toBe(50)
})

it('the limit of a coupon of one per wallet applies to concurrent orders of a wallet', async () => {
  const { listing, code, couponId } = await codeSale({ maxPerWallet: 1 })
  const recipient = newAddress()
  const tried = await Promise.allSettled(
    Array.from({ length: 4 }, () => buy(listing, { recipient, couponCode: code })),
  )
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await uses(couponId)).toEqual({ used: 1, redeemed: 0, wallets: 1 })
})

it('the use of a coupon is released with a cancelled order, also for the same wallet', async () => {
  const { listing, code, couponId } = await codeSale({ maxRedemptions: 1, maxPerWallet: 1 })
  const recipient = newAddress()
  const order = await buy(listing, { recipient, couponCode: code })
  await expect(buy(listing, { couponCode: code })).rejects.toEqual(refusedWith(40911))
  await orders.cancel(project.client, { orderNo: order.orderNo })
  expect(await uses(couponId)).toEqual({ used: 0, redeemed: 0, wallets: 0 })
  await buy(listing, { recipient, couponCode: code })
})

it('the use of a coupon of an expired order is available before the job releases it', async () => {
  const { listing, code, couponId } = await codeSale({ maxRedemptions: 1 })
  const order = await buy(listing, { couponCode: code })
  await orderFixture.expire(order)
  await buy(listing, { couponCode: code })
  expect(await uses(couponId)).toEqual({ used: 1, redeemed: 0, wallets: 1 })
  expect(await orderFixture.readState(order)).toMatchObject({ status: 'EXPIRED' })
})

it('the use of a coupon is redeemed by the payment', async () => {
  const { listing, code, couponId } = await codeSale({ maxRedemptions: 1 })
  await pay(await buy(listing, { couponCode: code }))
  expect(await uses(couponId)).toEqual({ used: 1, redeemed: 1, wallets: 1 })
  await expect(buy(listing, { couponCode: code })).rejects.toEqual(refusedWith(40911))
})

it('the use of a coupon is reserved again for a late payment if one is left', async () => {
  const { listing, code, couponId } = await codeSale({ maxRedemptions: 1 })
  const late = await buy(listing, { couponCode: code })
  await orders.cancel(project.client, { orderNo: late.orderNo })
  await expect(pay(late)).rejects.toEqual(refusedWith(40901))
  await orderFixture.verify()
  expect(await orderFixture.readState(late)).toMatchObject({ status: 'SUCCESS' })
  expect(await uses(couponId)).toEqual({ used: 1, redeemed: 1, wallets: 1 })
})

it('the use of a coupon leaves a late payment unresolved if none is left', async () => {
  const { listing, code, couponId } = await codeSale({ maxRedemptions: 1 })
  const late = await buy(listing, { couponCode: code })
  await orders.cancel(project.client, { orderNo: late.orderNo })
  await buy(listing, { couponCode: code })
  await expect(pay(late)).rejects.toEqual(refusedWith(40901))
  await orderFixture.verify()
  expect(await orderFixture.readState(late)).toMatchObject({
    status: 'UNRESOLVED',
    reason: 'no_stock',
    stock: 'released',
  })
  expect(await uses(couponId)).toEqual({ used: 1, redeemed: 0, wallets: 1 })
})

describe('a listing with its own coupon', () => {
  async function ownSale(coupon: Partial<Terms> = {}) {
    const token = await createOwnedToken(gateway, project.projectId)
    const sale = { ...token, quantity: 10, payPrice: '1000', coupon: { ...HALF, ...coupon } }
    return await couponSales.putOnShelf(project.client, sale)
  }

  it('a listing with its own coupon has the reduced price without a code and shows its coupon', async () => {
    const listing = await ownSale({ code: `own-${newAddress().slice(-6)}` })
    expect(await buy(listing)).toMatchObject({ payAmount: '500', couponType: 1, couponCode: '' })
    const current = await couponSales.get(project.client, { id: listing.id })
    expect(current.coupon).toMatchObject({ code: listing.coupon.code, used: 1, value: '5000' })
  })

  it('a listing with its own coupon has the full price after the last use, and refuses an order that names the code', async () => {
    const listing = await ownSale({ maxRedemptions: 1 })
    expect(await buy(listing)).toMatchObject({ payAmount: '500' })
    expect(await buy(listing)).toMatchObject({ payAmount: '1000', couponType: 0 })
    const couponCode = String(listing.coupon.code)
    await expect(buy(listing, { couponCode })).rejects.toEqual(refusedWith(40911))
  })

  it('a listing with its own coupon with an end is a limited-time coupon listing, whichever operation created it', async () => {
    const token = await createOwnedToken(gateway, project.projectId)
    const sale = {
      ...token,
      quantity: 1,
      payPrice: '1000',
      coupon: { ...HALF, endTime: '2099-01-01T00:00:00Z' },
    }
    const { id } = await couponSales.putOnShelfLimited(project.client, sale)
    expect(await limitedTimeCoupons.get(project.client, { id })).toMatchObject({ marketType: 3 })
    await expect(couponSales.get(project.client, { id })).rejects.toMatchObject({ status: 404 })
  })

  it('a listing with its own coupon does not share its coupon with other listings', async () => {
    const { id: couponId } = (await ownSale()).coupon
    const token = await createOwnedToken(gateway, project.projectId)
    const sale = { ...token, quantity: 1, payPrice: '1000', couponId: Number(couponId) }
    await expect(couponCodes.putOnShelf(project.client, sale)).rejects.toMatchObject({ status: 404 })
  })

  it('a listing with its own coupon is not created, nor its coupon, if the seller owns too few tokens', async () => {
    const token = await createOwnedToken(gateway, project.projectId, { quantity: 1 })
    const coupon = { ...HALF, code: 'NOT-MADE-1' }
    await expect(
      couponSales.putOnShelf(project.client, { ...token, quantity: 2, payPrice: '1', coupon }),
    ).rejects.toEqual(refusedWith(40931))
    await expect(
      limitedTimeCoupons.getByCode(project.client, { couponCode: 'NOT-MADE-1' }),
    ).rejects.toMatchObject({ status: 404 })
  })
})

it('refuses a code for a listing without a coupon', async () => {
  await expect(buy(await createListing(project), { couponCode: 'ANYTHING' })).rejects.toMatchObject({
    status: 400,
  })
})

it('sells a specified sale to the named wallets only', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const friend = newAddress()
  const sale = {
    ...token,
    quantity: 2,
    payPrice: '1000',
    reservedFor: [friend.toUpperCase().replace('X', 'x')],
  }
  const listing = await specifiedSales.putOnShelf(project.client, sale)
  await expect(buy(listing)).rejects.toEqual(refusedWith(40311))
  expect(await buy(listing, { recipient: friend })).toMatchObject({ marketType: 5, payAmount: '1000' })
})
