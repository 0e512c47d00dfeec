import { contracts } from '@mintmark/contracts'
import {
  auctions,
  commonSales,
  couponCodes,
  couponSales,
  limitedTimeCoupons,
  offers,
  specifiedSales,
} from '@mintmark/market'
import type { GatewayClient, InputOf } from '@mintmark/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuction } from '../src/testing/auctions.ts'
import { createListing, createOwnedToken } from '../src/testing/create-listing.ts'
import { createOffer } from '../src/testing/create-offer.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { callFromPage, createTestPublishableKey } from '../src/testing/publishable-caller.ts'
import { clientOf, sampleProject } from '../src/testing/samples/calls.ts'
import { newAddress } from '../src/testing/samples/sample.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** Two clients of one project whose keys have different wallets, and one whose key has none. */
async function clientsOf(project: string) {
  const keys = [{ wallet: newAddress() }, { wallet: newAddress() }, {}].map((key) =>
    gateway.newKey({ project, ...key }),
  )
  const [mine, theirs, server] = await Promise.all(keys)
  if (mine === undefined || theirs === undefined || server === undefined) throw new Error('There are three')
  const [client, other, walletless] = [mine, theirs, server].map((key) => clientOf(gateway, key))
  if (!client || !other || !walletless) throw new Error('There are three')
  return { client, other, walletless, projectId: mine.projectId, gateway }
}

interface Found {
  readonly list: readonly { readonly id: number; readonly reference?: string | undefined }[]
  readonly totalRow: number
}
interface Search {
  readonly orderBy?: string
  readonly from?: string
  readonly to?: string
}
type Project = Awaited<ReturnType<typeof clientsOf>>

const OFFERER = newAddress()
/** The lists that find items by a reference. Each creates an item, and searches for its reference. */
const lists: {
  readonly name: string
  readonly orders: readonly string[]
  readonly create: (
    project: Project,
    reference?: string,
  ) => Promise<{ id: number; reference?: string | undefined }>
  readonly search: (client: GatewayClient, reference: string, more?: Search) => Promise<Found>
}[] = [
  {
    name: 'listings',
    orders: ['', 'createTime', 'payPrice', 'endTime desc'],
    create: (project, reference) => createListing(project, { reference }),
    search: (client, reference, more) =>
      commonSales.list(client, { reference, ...more } as InputOf<typeof commonSales.list>),
  },
  {
    name: 'offers',
    orders: ['', 'createTime', 'totalPrice desc'],
    create: (project, reference) => createOffer(project, { reference, offerer: OFFERER }),
    search: (client, reference, more) =>
      offers.mine(client, { address: OFFERER, reference, ...more } as InputOf<typeof offers.mine>),
  },
  {
    name: 'contracts',
    orders: ['', 'createTime', 'name'],
    create: ({ client }, reference) =>
      contracts.add(client, {
        nftAddress: newAddress(),
        chainId: '84532',
        nftType: 'ERC721',
        name: 'Prints',
        reference,
      }),
    search: (client, reference, more) =>
      contracts.list(client, { reference, ...more } as InputOf<typeof contracts.list>),
  },
]

describe.each(lists)('the caller’s own reference of $name', ({ name, orders, create, search }) => {
  it('is returned, and finds exactly the items that have it, in every order', async () => {
    const project = await clientsOf(name)
    const first = await create(project, 'menu 7')
    const second = await create(project, 'menu 7')
    const [other, without] = [await create(project, 'Menu 7'), await create(project)]
    expect([first.reference, other.reference]).toEqual(['menu 7', 'Menu 7'])
    expect(without).not.toHaveProperty('reference')
    const ids = async (reference: string, more?: Search) => {
      const { list, totalRow } = await search(project.client, reference, more)
      expect(totalRow).toBe(list.length)
      return list.map(({ id }) => id).toSorted((a, b) => a - b)
    }
    for (const orderBy of orders) {
      expect(await ids('menu 7', { orderBy })).toEqual([first.id, second.id])
      expect(await ids('menu 7', { orderBy, from: '2020-01-01T00:00:00Z' })).toEqual([first.id, second.id])
      expect(await ids('menu 7', { orderBy, to: '2020-01-01T00:00:00Z' })).toEqual([])
      expect(await ids('Menu 7', { orderBy })).toEqual([other.id])
    }
    for (const odd of ['menu', 'menu%', 'menu_7', `' or true --`]) expect(await ids(odd)).toEqual([])
  })

  it('is read and found only by keys with the wallet of the key that set it', async () => {
    const project = await clientsOf(`${name} of wallets`)
    await create(project, 'secret')
    const { list, totalRow } = await search(project.client, 'secret')
    expect([totalRow, list[0]?.reference]).toEqual([1, 'secret'])
    for (const client of [project.other, project.walletless])
      expect((await search(client, 'secret')).totalRow).toBe(0)
  })
})

it('a reference of a sale or a contract is not in the records that other wallets read', async () => {
  const project = await clientsOf('records')
  const { client, other, walletless } = project
  const reference = 'secret'
  const listing = await createListing(project, { reference })
  const offer = await createOffer(project, { reference })
  const auction = await createAuction(project, { reference })
  const { coupon } = await couponCodes.create(client, {
    couponType: 1,
    value: '1000',
    reference,
    code: 'SPRING',
  })
  const { nftAddress } = await contracts.add(client, {
    nftAddress: newAddress(),
    chainId: '84532',
    nftType: 'ERC721',
    name: 'Prints',
    reference,
  })
  const token = { nftAddress: offer.nftAddress, nftId: offer.nftId }
  const readAll = async (reader: GatewayClient) => [
    await commonSales.get(reader, { id: listing.id }),
    (await commonSales.list(reader)).list[0],
    (await offers.mine(reader, { address: offer.offerer })).list[0],
    (await offers.received(reader, { address: offer.owner })).list[0],
    (await offers.forNft(reader, token)).list[0],
    (await offers.highestByCollection(reader, { nftAddress: offer.nftAddress })).list[0],
    (await offers.highestByOwner(reader, { owner: offer.owner })).list[0],
    (await offers.maxByTokenType(reader, token))[0]?.offer,
    await auctions.get(reader, { id: auction.id }),
    await limitedTimeCoupons.getByCode(reader, { couponCode: 'SPRING' }),
    await contracts.get(reader, { nftAddress }),
    (await contracts.list(reader, { keyword: nftAddress })).list[0],
  ]
  expect([coupon.reference, auction.reference]).toEqual([reference, reference])
  expect((await readAll(client)).map((record) => record?.reference)).toEqual(Array(12).fill(reference))
  for (const reader of [other, walletless]) {
    const records = await readAll(reader)
    expect(records.map((record) => record?.id)).not.toContain(undefined)
    for (const record of records) expect(record).not.toHaveProperty('reference')
  }
})

it('a reference of a sale or a contract belongs to the listing or to its coupon', async () => {
  const project = await clientsOf('coupons')
  const token = await createOwnedToken(gateway, project.projectId)
  const listing = await couponSales.putOnShelf(project.client, {
    ...token,
    quantity: 1,
    payPrice: '1000',
    reference: 'shelf 1',
    coupon: { couponType: 1, value: '1000', reference: 'campaign 1' },
  })
  expect([listing.reference, listing.coupon.reference]).toEqual(['shelf 1', 'campaign 1'])
  const { coupon, ...fields } = await couponSales.get(project.other, { id: listing.id })
  expect(fields).not.toHaveProperty('reference')
  expect(coupon).not.toHaveProperty('reference')
  const search = (client: GatewayClient, reference: string) => couponSales.list(client, { reference })
  expect((await search(project.client, 'shelf 1')).totalRow).toBe(1)
  expect((await search(project.client, 'campaign 1')).totalRow).toBe(0)
  expect((await specifiedSales.list(project.client, { reference: 'shelf 1' })).totalRow).toBe(0)
})

it('a reference of a sale or a contract does not pass to the order of an accepted offer', async () => {
  const project = await clientsOf('accepted')
  const offer = await createOffer(project, { reference: 'offer 1' })
  const order = await offers.accept(project.client, { id: offer.id, owner: offer.owner })
  expect(order).not.toHaveProperty('reference')
})

it('a reference of a sale or a contract of a contract is changed by an update, which makes it the caller’s', async () => {
  const { client, other } = await clientsOf('updates')
  const nftAddress = newAddress()
  const input = { nftAddress, chainId: '84532', nftType: 'ERC721', name: 'Prints' }
  await contracts.add(client, { ...input, reference: 'mine' })
  expect(await contracts.update(other, { nftAddress, name: 'Posters' })).not.toHaveProperty('reference')
  expect(await contracts.get(client, { nftAddress })).toMatchObject({ name: 'Posters', reference: 'mine' })
  expect(await contracts.update(other, { nftAddress, reference: 'theirs' })).toMatchObject({
    reference: 'theirs',
  })
  expect(await contracts.get(client, { nftAddress })).not.toHaveProperty('reference')
  expect((await contracts.list(client, { reference: 'theirs' })).totalRow).toBe(0)
})

it('a reference of a sale or a contract is neither read nor found with a publishable key, even if a key without a wallet set it', async () => {
  const { client } = await sampleProject(gateway, 'demo')
  const nftAddress = newAddress()
  const input = { nftAddress, chainId: '84532', nftType: 'ERC721', name: 'Prints' }
  expect(await contracts.add(client, { ...input, reference: 'secret' })).toMatchObject({
    reference: 'secret',
  })
  const { publishableKey } = await createTestPublishableKey(gateway)
  const page = (path: string, query: string) => callFromPage(gateway, publishableKey, { path, query })
  const read = await page('/api/v1/contract/info', `nftAddress=${nftAddress}`)
  expect(read.json).toMatchObject({ code: 200, data: { nftAddress } })
  expect(read.json.data).not.toHaveProperty('reference')
  for (const path of ['/api/v1/contract/page', '/api/v1/market/common/list']) {
    const { json } = await page(path, 'reference=secret')
    expect(json).toMatchObject({ code: 400, data: { issues: [{ path: 'reference' }] } })
  }
})
