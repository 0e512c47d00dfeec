import { commonSales } from '@mintmark/market'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListing, createOwnedToken } from '../../../testing/create-listing.ts'
import { blockHashOf, FAKE_TOKEN } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'shelf')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

const refusedWith = (code: number) => expect.objectContaining({ code })
const offer = { quantity: 10, payPrice: '1000' }

/** Pays an order so that it succeeds. */
async function payFor(order: Awaited<ReturnType<OrderFixture['order']>>): Promise<void> {
  const hash = newHash()
  const blockHash = blockHashOf(gateway.chain, 101)
  gateway.chain.sightings.set(hash, { kind: 'mined', block: 101, blockHash, final: true, outcome: 'paid' })
  await orderFixture.pay(order, hash)
  await orderFixture.verify()
}

async function end(id: number): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.listings')
    .set({
      start_time: sql`clock_timestamp() - interval '2 seconds'`,
      end_time: sql`clock_timestamp() - interval '1 second'`,
    })
    .where('id', '=', id)
    .execute()
}

it('creating a listing reserves the seller’s tokens, for ten years by default', async () => {
  const listing = await createListing(project)
  expect(listing).toMatchObject({
    status: 'ON',
    quantity: 10,
    remaining: 10,
    sold: 0,
    marketType: 1,
    payPrice: '1000',
    payTokenAddress: '',
    payTokenType: 'NATIVE',
    payTokenDecimals: 18,
    reservedFor: [],
    nftName: 'Prints #7',
    nftType: 'ERC1155',
    chainId: '84532',
  })
  const years = new Date(listing.endTime).getUTCFullYear() - new Date(listing.startTime).getUTCFullYear()
  expect(years).toBe(10)
})

it('creating a listing is refused if the seller owns too few tokens', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const putOnShelf = (more: object) => commonSales.putOnShelf(project.client, { ...token, ...offer, ...more })
  await expect(putOnShelf({ seller: newAddress() })).rejects.toEqual(refusedWith(40931))
  await expect(putOnShelf({ nftId: '8' })).rejects.toEqual(refusedWith(40931))
  await expect(putOnShelf({ quantity: 11 })).rejects.toEqual(refusedWith(40931))
  await expect(putOnShelf({ nftAddress: newAddress() })).rejects.toMatchObject({ status: 404 })
  // Nothing is left of what was refused.
  const shelf = await commonSales.list(project.client, { nftAddress: token.nftAddress })
  expect(shelf.totalRow).toBe(0)
})

it('creating a listing accepts the seller’s address in any case', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const seller = token.seller.replace('0x', '').toUpperCase()
  const shouted = {
    ...token,
    seller: `0x${seller}`,
    nftAddress: token.nftAddress.toUpperCase().replace('X', 'x'),
  }
  expect((await commonSales.putOnShelf(project.client, { ...shouted, ...offer })).seller).toBe(token.seller)
})

it('creating a listing succeeds for ten of twenty concurrent calls that share ten tokens', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const putOnShelf = () => commonSales.putOnShelf(project.client, { ...token, quantity: 1, payPrice: '5' })
  const done = await Promise.allSettled(Array.from({ length: 20 }, putOnShelf))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  for (const each of done) if (each.status === 'rejected') expect(each.reason.code).toBe(40931)
})

it('creating a listing is refused on a chain without payments, naming the contract', async () => {
  const token = await createOwnedToken(gateway, project.projectId, { chainId: '5' })
  const putOnShelf = commonSales.putOnShelf(project.client, { ...token, ...offer })
  await expect(putOnShelf).rejects.toMatchObject({ status: 400, issues: [{ path: 'nftAddress' }] })
})

it('creating a listing is refused if no transfer can pay for the whole quantity', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const putOnShelf = (payPrice: bigint) =>
    commonSales.putOnShelf(project.client, { ...token, quantity: 2, payPrice: String(payPrice) })
  await expect(putOnShelf(2n ** 255n)).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'payPrice' }],
  })
  const order = await orderFixture.order(await putOnShelf(2n ** 255n - 1n), { quantity: 2 })
  expect(order.payAmount).toBe(String(2n ** 256n - 2n))
})

it('creating a listing is refused while the pay token cannot be read', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  gateway.chain.down = true
  try {
    const putOnShelf = commonSales.putOnShelf(project.client, {
      ...token,
      ...offer,
      payTokenAddress: FAKE_TOKEN,
    })
    await expect(putOnShelf).rejects.toMatchObject({ code: 50301, retryable: true })
    // What needs nothing of the chain is done all the same.
    await commonSales.putOnShelf(project.client, { ...token, ...offer })
  } finally {
    gateway.chain.down = false
  }
})

it('creating a listing can reserve the tokens of an ended listing before the job closes it', async () => {
  const token = await createOwnedToken(gateway, project.projectId)
  const first = await commonSales.putOnShelf(project.client, { ...token, ...offer })
  await expect(commonSales.putOnShelf(project.client, { ...token, ...offer })).rejects.toEqual(
    refusedWith(40931),
  )
  await end(first.id)
  await commonSales.putOnShelf(project.client, { ...token, ...offer })
  expect(await commonSales.get(project.client, { id: first.id })).toMatchObject({ status: 'EXPIRED' })
})

it('a listing is taken off the shelf in every open state, idempotently', async () => {
  const listing = await createListing(project)
  const off = await commonSales.takeOffShelf(project.client, { id: listing.id })
  expect(off).toMatchObject({ status: 'OFF', remaining: 10 })
  expect(await commonSales.takeOffShelf(project.client, { id: listing.id })).toEqual(off)
  const inactive = await createListing(project)
  await gateway.owner.system
    .updateTable('gateway.listings')
    .set({ status: 'INACTIVE' })
    .where('id', '=', inactive.id)
    .execute()
  expect(await commonSales.takeOffShelf(project.client, { id: inactive.id })).toMatchObject({
    status: 'OFF',
  })
})

it('a listing is SOLD when nothing is left, and cannot be taken off then', async () => {
  const listing = await createListing(project, { quantity: 2 })
  await payFor(await orderFixture.order(listing))
  expect(await commonSales.get(project.client, { id: listing.id })).toMatchObject({
    status: 'ON',
    remaining: 1,
    sold: 1,
  })
  await payFor(await orderFixture.order(listing))
  expect(await commonSales.get(project.client, { id: listing.id })).toMatchObject({
    status: 'SOLD',
    remaining: 0,
    sold: 2,
  })
  await expect(commonSales.takeOffShelf(project.client, { id: listing.id })).rejects.toEqual(
    refusedWith(40932),
  )
})

it('a listing that has ended is closed by the job, which releases its tokens', async () => {
  const listing = await createListing(project)
  await end(listing.id)
  await orderFixture.verify()
  const asset = await gateway.owner.system
    .selectFrom('gateway.assets')
    .select('reserved')
    .where('nft_address', '=', listing.nftAddress)
    .executeTakeFirst()
  expect(asset).toEqual({ reserved: '0' })
  await expect(commonSales.takeOffShelf(project.client, { id: listing.id })).rejects.toEqual(
    refusedWith(40932),
  )
})

describe('the shelf', () => {
  it('the shelf filters by contract, seller, pay token and price, in each order', async () => {
    const token = await createOwnedToken(gateway, project.projectId)
    const { nftAddress, seller } = token
    for (const [payPrice, payTokenAddress] of [
      ['30', ''],
      ['10', ''],
      ['20', FAKE_TOKEN],
    ] as const) {
      await commonSales.putOnShelf(project.client, { ...token, quantity: 1, payPrice, payTokenAddress })
    }
    const prices = async (query: object) =>
      (await commonSales.list(project.client, { nftAddress, ...query })).list.map(({ payPrice }) => payPrice)
    expect(await prices({})).toEqual(['20', '10', '30'])
    expect(await prices({ orderBy: 'payPrice' })).toEqual(['10', '20', '30'])
    expect(
      await prices({ orderBy: 'payPrice desc', seller: seller.toUpperCase().replace('X', 'x') }),
    ).toEqual([...['30', '20', '10']])
    expect(await prices({ payTokenAddress: '', orderBy: 'payPrice' })).toEqual(['10', '30'])
    expect(await prices({ minPrice: '20', orderBy: 'payPrice' })).toEqual(['20', '30'])
    expect(await prices({ maxPrice: '20', orderBy: 'payPrice' })).toEqual(['10', '20'])
    const walked: string[] = []
    const query = { nftAddress, orderBy: 'payPrice', pageSize: 1 } as const
    for await (const { payPrice } of commonSales.list.items(project.client, query)) walked.push(payPrice)
    expect(walked).toEqual(['10', '20', '30'])
  })

  it('the shelf shows the listings, floor price and volume of a collection in its most frequent pay token', async () => {
    const shop = await sampleProject(gateway, 'collections')
    const till = createOrderFixture(shop)
    const token = await createOwnedToken(gateway, shop.projectId)
    const putOnShelf = (payPrice: string, payTokenAddress: string) =>
      commonSales.putOnShelf(shop.client, { ...token, quantity: 2, payPrice, payTokenAddress })
    await putOnShelf('1', '')
    const soldListing = await putOnShelf('500', FAKE_TOKEN)
    await putOnShelf('400', FAKE_TOKEN)
    const order = await till.order(soldListing)
    const hash = newHash()
    const blockHash = blockHashOf(gateway.chain, 101)
    gateway.chain.sightings.set(hash, { kind: 'mined', block: 101, blockHash, final: true, outcome: 'paid' })
    await till.pay(order, hash)
    await till.verify()
    const page = await commonSales.collections(shop.client)
    expect(page.list).toMatchObject([
      {
        contract: { nftAddress: token.nftAddress, name: 'Prints', chainId: '84532' },
        listed: 3,
        floorPrice: '400',
        volume: '500',
        payTokenAddress: FAKE_TOKEN,
      },
    ])
    expect((await commonSales.collections(shop.client, { chainId: '1' })).list).toEqual([])
  })
})
