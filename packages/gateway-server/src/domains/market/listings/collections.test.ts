import { commonSales } from '@mintmark/market'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTenant, type Tenant } from '../../../database/tenant.ts'
import { FAKE_TOKEN } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { addAssets, addListings, addNfts, addOrders, LISTED_CONTRACT } from '../../../testing/list-rows.ts'
import { captureStatements } from '../../../testing/list-statements.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import type { SampleProject } from '../../../testing/samples/sample.ts'
import { listTokenStatistics } from './collections-store.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())
afterEach(() => void vi.restoreAllMocks())

async function addCollection(name: string, listings: number): Promise<SampleProject> {
  const shop = await sampleProject(gateway, name)
  const { system } = gateway.owner
  await addNfts(system, shop.projectId, 1)
  await addAssets(system, shop.projectId, listings)
  await addListings(system, shop.projectId)
  return shop
}

/** Adds a sale for each order of a shop, and nothing else. */
async function addSales({ projectId }: SampleProject, token: string): Promise<void> {
  await sql`
    insert into gateway.sales (project_id, order_id, market_type, chain_id, nft_address, nft_id, seller, buyer, quantity, amount, pay_token_address, hash)
    select project_id, id, 1, '84532', nft_address, '1', sender, recipient, 1, 1, ${token}, order_no
    from gateway.orders where project_id = ${projectId}`.execute(gateway.owner.system)
}

describe('the statistics of a collection with 500 listings', () => {
  let shop: SampleProject
  beforeAll(async () => {
    shop = await addCollection('collection of 500', 500)
  })

  async function readStatistics() {
    const { list } = await commonSales.collections(shop.client)
    const { listed, volume } = list[0] ?? {}
    return { listed, volume }
  }

  async function countOpen(): Promise<number | undefined> {
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from gateway.listings where project_id = ${shop.projectId} and status = 'ON'
        and start_time <= clock_timestamp() and end_time > clock_timestamp()`.execute(gateway.owner.system)
    return rows[0]?.open
  }

  it('the statistics of a collection with 500 listings no longer count a listing that was taken off the shelf', async () => {
    const listed = (await countOpen()) ?? 0
    expect(await readStatistics()).toEqual({ listed, volume: '0' })
    const { list } = await commonSales.list(shop.client)
    await commonSales.takeOffShelf(shop.client, { id: list[0]?.id ?? 0 })
    expect(await readStatistics()).toEqual({ listed: listed - 1, volume: '0' })
  })

  it('the statistics of a collection with 500 listings count a sale at once', async () => {
    await addOrders(gateway.owner.system, shop.projectId, 0, 1)
    expect(await readStatistics()).toMatchObject({ volume: '0' })
    await addSales(shop, '')
    expect(await readStatistics()).toMatchObject({ volume: '1' })
  })

  it.each([
    ['starts', 'start_time', sql`start_time > now()`],
    ['ends', 'end_time', sql`start_time < now() and end_time > now()`],
  ] as const)(
    'the statistics of a collection with 500 listings follow the clock when a listing %s',
    async (_, column, isChosen) => {
      const before = await countOpen()
      await sql`
      update gateway.listings set ${sql.ref(column)} = clock_timestamp() + interval '4 seconds' where id = (
        select max(id) from gateway.listings
        where project_id = ${shop.projectId} and status = 'ON' and ${isChosen})`.execute(gateway.owner.system)
      await readStatistics()
      await expect.poll(countOpen, { timeout: 20_000 }).not.toBe(before)
      expect(await readStatistics()).toMatchObject({ listed: await countOpen() })
    },
  )

  it('the statistics of a collection with 500 listings are those that a transaction sees, within it only', async () => {
    const { listed } = await readStatistics()
    const tenant = openTenant(gateway.database, shop.projectId)
    const read = (within: Tenant) => listTokenStatistics(within, 1, [LISTED_CONTRACT])
    const undone = tenant.transaction(async (trx) => {
      await trx.updateTable('gateway.listings').set({ status: 'OFF' }).execute()
      expect(await read(trx)).toEqual([])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await read(tenant)).toMatchObject([{ listed }])
  })
})

it('the statistics of a collection with more than 10,000 listings and sales may be those of ten seconds ago, and are read once for all callers', async () => {
  const shop = await addCollection('large collection', 10_200)
  let time = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => time)
  const readListed = async () => (await commonSales.collections(shop.client)).list[0]?.listed ?? 0
  const listed = await readListed()
  expect(listed).toBeGreaterThan(10_000)
  const { list } = await commonSales.list(shop.client)
  await commonSales.takeOffShelf(shop.client, { id: list[0]?.id ?? 0 })
  time += 4000
  expect(await readListed()).toBe(listed)
  time += 11_000
  const statements = await captureStatements(async () => {
    const counts = await Promise.all([readListed(), readListed(), readListed()])
    expect(counts).toEqual([listed - 1, listed - 1, listed - 1])
  })
  expect(statements.filter(({ text }) => text.includes('floor_price'))).toHaveLength(1)
})

it('the statistics of a collection with more than 10,000 listings and sales are cached if it has many sales in a pay token without a listing', async () => {
  const shop = await addCollection('sold collection', 3)
  await addOrders(gateway.owner.system, shop.projectId, 0, 10_001)
  await addSales(shop, FAKE_TOKEN)
  const first = await captureStatements(() => commonSales.collections(shop.client))
  const second = await captureStatements(() => commonSales.collections(shop.client))
  const countReads = (statements: typeof first) =>
    statements.filter(({ text }) => text.includes('floor_price')).length
  expect([countReads(first), countReads(second)]).toEqual([1, 0])
})
