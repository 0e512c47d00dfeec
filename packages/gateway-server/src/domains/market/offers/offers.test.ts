import { auctions, commonSales, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOwnedToken, type OwnedToken } from '../../../testing/create-listing.ts'
import { createOffer } from '../../../testing/create-offer.ts'
import { FAKE_TOKEN } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'offers')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

const refusedWith = (code: number) => expect.objectContaining({ code })
const own = (more?: Parameters<typeof createOwnedToken>[2]) =>
  createOwnedToken(gateway, project.projectId, more)

/** Gives some of a token to another wallet too. */
async function alsoOwned(nftAddress: string, nftId = '7', owner = newAddress()): Promise<string> {
  const token = { project_id: project.projectId, chain_id: '84532', nft_address: nftAddress, nft_id: nftId }
  await gateway.owner.system
    .insertInto('gateway.assets')
    .values({ ...token, nft_type: 'ERC1155', owner, quantity: '1' })
    .execute()
  return owner
}

async function readReserved(nftAddress: string): Promise<number> {
  const rows = await gateway.owner.system
    .selectFrom('gateway.assets')
    .select('reserved')
    .where('nft_address', '=', nftAddress)
    .execute()
  return rows.reduce((sum, row) => sum + Number(row.reserved), 0)
}

async function expireOffer(id: number): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.offers')
    .set({ expire_time: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

async function pay({ orderNo, recipient }: { orderNo: string; recipient: string }): Promise<void> {
  const hash = newHash()
  const paid = { kind: 'mined', block: 101, blockHash: newHash(), final: true, outcome: 'paid' } as const
  gateway.chain.sightings.set(hash, paid)
  await orders.payOrder(project.client, { orderNo, recipient, hash }).catch(() => {})
  await orderFixture.verify()
}

const nftOf = ({ nftAddress, nftId }: OwnedToken) => ({ nftAddress, nftId })
const maxOf = (token: OwnedToken) => offers.maxByTokenType(project.client, nftOf(token))
const mine = async (address: string) => (await offers.mine(project.client, { address })).list

it('the highest offer is the highest in its pay token, and the earliest among equals', async () => {
  const token = await own()
  await createOffer(project, { totalPrice: '900' }, token)
  const first = await createOffer(project, { totalPrice: '1000' }, token)
  await createOffer(project, { totalPrice: '1000' }, token)
  const other = await createOffer(project, { totalPrice: '5', payTokenAddress: FAKE_TOKEN }, token)
  const result = await maxOf(token)
  expect(result.map((each) => [each.payTokenAddress, each.payTokenType, each.offer.id])).toEqual([
    ['', 'NATIVE', first.id],
    [FAKE_TOKEN, 'ERC20', other.id],
  ])
  const listOffers = await offers.highestByCollection(project.client, { nftAddress: token.nftAddress })
  expect(listOffers.list.map(({ id }) => id)).toEqual([other.id, first.id])
})

it('the highest offer is compared by the exact unit price', async () => {
  const token = await own()
  const quantity = 3
  const high = 10n ** 70n
  await createOffer(project, { totalPrice: String(high * 3n), quantity }, token)
  const higher = await createOffer(project, { totalPrice: String(high * 3n + 1n), quantity }, token)
  await createOffer(project, { totalPrice: String(high) }, token)
  const [result] = await maxOf(token)
  expect(result?.offer.id).toBe(higher.id)
})

it('the highest offer is active and has not expired when it is read', async () => {
  const token = await own()
  const best = await createOffer(project, { totalPrice: '3000' }, token)
  const second = await createOffer(project, { totalPrice: '2000' }, token)
  const third = await createOffer(project, { totalPrice: '1000' }, token)
  await expireOffer(best.id)
  const { id, offerer } = second
  expect((await maxOf(token))[0]?.offer.id).toBe(id)
  await offers.cancel(project.client, { id, offerer })
  expect((await maxOf(token))[0]?.offer.id).toBe(third.id)
  expect((await offers.forNft(project.client, nftOf(token))).list.map((each) => each.id)).toEqual([third.id])
})

it('the highest offer for a collection counts for each of its tokens, and separately for the collection', async () => {
  const token = await own()
  const one = await createOffer(project, { totalPrice: '1000' }, token)
  const { nftAddress } = token
  const all = await offers.create(project.client, {
    offerer: newAddress(),
    nftAddress,
    quantity: 1,
    totalPrice: '1500',
    expireTime: '2090-01-01T00:00:00Z',
  })
  expect(all).toMatchObject({ nftId: '', nftName: 'Prints' })
  expect((await maxOf(token))[0]?.offer.id).toBe(all.id)
  const result = await offers.highestByCollection(project.client, { nftAddress })
  expect(result.list.map(({ id }) => id)).toEqual([all.id, one.id])
})

it('the highest offer for an owner is of another wallet and for an owned token', async () => {
  const token = await own()
  await createOffer(project, { totalPrice: '9000', offerer: token.seller }, token)
  const best = await createOffer(project, {}, token)
  await createOffer(project)
  const result = await offers.highestByOwner(project.client, { owner: token.seller })
  expect(result.list.map(({ id }) => id)).toEqual([best.id])
  expect((await offers.received(project.client, { address: token.seller })).list).toHaveLength(1)
})

it('accepting an offer reserves the token and creates the order whose payment transfers it', async () => {
  const offer = await createOffer(project, { quantity: 2 })
  const { id, owner, offerer, nftAddress } = offer
  const order = await offers.accept(project.client, { id, owner })
  expect(order).toMatchObject({ sender: owner, recipient: offerer, quantity: 2, payAmount: '1000' })
  const seconds = (Date.parse(order.expireTime) - Date.now()) / 1000
  expect(Math.round(seconds / 3600)).toBe(24)
  expect(await readReserved(nftAddress)).toBe(2)
  expect(await mine(offerer)).toMatchObject([{ status: 'ACCEPTED', orderNo: order.orderNo }])
  await pay(order)
  expect(await orders.get(project.client, { orderNo: order.orderNo })).toMatchObject({
    orderStatus: 2,
    delivery: 'done',
    nftName: 'Prints #7',
  })
  expect(await orderFixture.getOwnedQuantity(offer as never, offerer)).toBe(2)
  expect(await readReserved(nftAddress)).toBe(0)
  expect(await mine(offerer)).toMatchObject([{ status: 'ACCEPTED' }])
  // Accepted and rejected offers stay in the list after the token has another owner.
  expect((await offers.received(project.client, { address: owner })).list).toHaveLength(1)
})

it('accepting an offer keeps the other offers active until the payment, which rejects those for a unique token', async () => {
  const token = await own({ quantity: 1 })
  await gateway.owner.system
    .updateTable('gateway.assets')
    .set({ nft_type: 'ERC721' })
    .where('nft_address', '=', token.nftAddress)
    .execute()
  const { id, owner } = await createOffer(project, {}, token)
  const other = await createOffer(project, {}, token)
  const order = await offers.accept(project.client, { id, owner })
  expect(await mine(other.offerer)).toMatchObject([{ status: 'ACTIVE' }])
  await expect(offers.accept(project.client, { id: other.id, owner })).rejects.toEqual(refusedWith(40931))
  await pay(order)
  expect(await mine(other.offerer)).toMatchObject([{ status: 'REJECTED' }])
})

it('accepting an offer makes the offer EXPIRED and releases the token without a payment in time', async () => {
  const { id, owner, offerer, nftAddress } = await createOffer(project)
  const { orderNo } = await offers.accept(project.client, { id, owner })
  await orderFixture.expire(await orders.get(project.client, { orderNo }))
  await orderFixture.verify()
  expect(await mine(offerer)).toMatchObject([{ status: 'EXPIRED', orderNo }])
  expect(await readReserved(nftAddress)).toBe(0)
  await expect(offers.accept(project.client, { id, owner })).rejects.toEqual(refusedWith(40938))
})

it('accepting an offer cancels the offer when the offerer cancels the order', async () => {
  const { id, owner, offerer, nftAddress } = await createOffer(project)
  const { orderNo } = await offers.accept(project.client, { id, owner })
  await orders.cancel(project.client, { orderNo })
  expect(await mine(offerer)).toMatchObject([{ status: 'CANCELLED' }])
  expect(await readReserved(nftAddress)).toBe(0)
})

it('accepting an offer requires a token for an offer for a collection', async () => {
  const { nftAddress, seller: owner, nftId } = await own()
  const request = { offerer: newAddress(), nftAddress, quantity: 1, totalPrice: '7' }
  const { id } = await offers.create(project.client, { ...request, expireTime: '2090-01-01T00:00:00Z' })
  await expect(offers.accept(project.client, { id, owner })).rejects.toMatchObject({ status: 400 })
  await expect(offers.accept(project.client, { id, owner, nftId: '8' })).rejects.toEqual(refusedWith(40931))
  expect(await offers.accept(project.client, { id, owner, nftId })).toMatchObject({ nftId })
})

it('accepting an offer is refused for a closed offer, by the offerer, with too few tokens, and without the chain', async () => {
  const { id, owner, offerer } = await createOffer(project)
  await expect(offers.accept(project.client, { id, owner: offerer })).rejects.toMatchObject({ status: 400 })
  await expect(offers.accept(project.client, { id, owner: newAddress() })).rejects.toEqual(refusedWith(40931))
  gateway.chain.down = true
  await expect(offers.accept(project.client, { id, owner })).rejects.toEqual(refusedWith(50301))
  gateway.chain.down = false
  await expireOffer(id)
  await expect(offers.accept(project.client, { id, owner })).rejects.toEqual(refusedWith(40938))
  const many = await createOffer(project, { quantity: 11 })
  await expect(offers.accept(project.client, { id: many.id, owner: many.owner })).rejects.toEqual(
    refusedWith(40931),
  )
})

it('accepting an offer succeeds for one of two concurrent owners', async () => {
  const { id, owner, nftAddress } = await createOffer(project)
  const other = await alsoOwned(nftAddress)
  const tried = await Promise.allSettled(
    [owner, other, owner, other].map((each) => offers.accept(project.client, { id, owner: each })),
  )
  const refusals = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(refusals).toEqual([40938, 40938, 40938])
  expect(await readReserved(nftAddress)).toBe(1)
})

it('accepting an offer is reported as closed to concurrent calls of an owner who has just enough for one', async () => {
  const { id, nftAddress } = await createOffer(project)
  const owner = await alsoOwned(nftAddress)
  const tried = await Promise.allSettled(
    Array.from({ length: 4 }, () => offers.accept(project.client, { id, owner })),
  )
  const refusals = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(refusals).toEqual([40938, 40938, 40938])
})

it('an offer is EXPIRED from its expiry on, before the job writes it, also in lists', async () => {
  const { id, offerer, owner } = await createOffer(project)
  await expireOffer(id)
  const listOffers = async (status: 'ACTIVE' | 'EXPIRED') =>
    (await offers.mine(project.client, { address: offerer, status })).totalRow
  expect([await listOffers('ACTIVE'), await listOffers('EXPIRED')]).toEqual([0, 1])
  expect((await offers.received(project.client, { address: owner, status: 'EXPIRED' })).totalRow).toBe(1)
  await orderFixture.verify()
  expect([await listOffers('ACTIVE'), await listOffers('EXPIRED')]).toEqual([0, 1])
  await expect(offers.cancel(project.client, { id, offerer })).rejects.toEqual(refusedWith(40938))
})

it('an offer is cancelled by its offerer only, idempotently', async () => {
  const { id, offerer, owner } = await createOffer(project)
  await expect(offers.cancel(project.client, { id, offerer: owner })).rejects.toEqual(refusedWith(40312))
  const cancelled = await offers.cancel(project.client, { id, offerer })
  expect(await offers.cancel(project.client, { id, offerer })).toEqual(cancelled)
})

it('an offer is rejected by the owner, idempotently', async () => {
  const { id, offerer, owner } = await createOffer(project)
  await expect(offers.reject(project.client, { id, owner: offerer })).rejects.toEqual(refusedWith(40312))
  const rejected = await offers.reject(project.client, { id, owner })
  expect(rejected).toMatchObject({ status: 'REJECTED' })
  expect(await offers.reject(project.client, { id, owner })).toEqual(rejected)
})

it('an offer that other owners can accept cannot be rejected by one owner', async () => {
  const { id, owner, nftAddress } = await createOffer(project)
  await alsoOwned(nftAddress)
  await expect(offers.reject(project.client, { id, owner })).rejects.toEqual(refusedWith(40939))
})

it('reserves a token for one of a concurrent listing, auction and accepted offer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const token = await own({ quantity: 1 })
    const { id, owner } = await createOffer(project, {}, token)
    const when = { startTime: '2026-01-01T00:00:00Z', endTime: '2090-01-01T00:00:00Z' }
    const tried = await Promise.allSettled([
      commonSales.putOnShelf(project.client, { ...token, quantity: 1, payPrice: '1' }),
      auctions.create(project.client, { ...token, quantity: 1, minimumBidAmount: '1', ...when }),
      offers.accept(project.client, { id, owner }),
    ])
    const refusals = tried.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refusals).toEqual([40931, 40931])
    expect(await readReserved(token.nftAddress)).toBe(1)
  }
})
