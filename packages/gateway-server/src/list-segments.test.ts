import { eventCards, promoCodeCards } from '@mintmark/cards'
import { assets, nfts } from '@mintmark/contracts'
import { commonSales, offers } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { createGateway } from '@mintmark/transport'
import { addressBook, fans } from '@mintmark/wallet'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import {
  addAssets,
  addCards,
  addListings,
  addNfts,
  addOrders,
  addTransfers,
  addVerifications,
  addWalletRows,
  LISTED_CONTRACT,
  LISTED_OWNER,
} from './testing/list-rows.ts'
import {
  captureStatements,
  countRowsTouched,
  getPlan,
  isCount,
  isPage,
  type Statement,
} from './testing/list-statements.ts'
import { clientOf, type Input, rawCallOf } from './testing/samples/calls.ts'
import { updateSegments } from './testing/update-segments.ts'

/** More rows than are counted one by one. */
const ROWS = 12_000
/**
 * How many rows a page or a later count may touch. A segment has at most 2,000 rows, and each is in two nodes
 * of a plan.
 */
const MAX_TOUCHED_ROWS = 5000
/** The same in a range of prices: the rows of its first and its last segment are counted too. */
const MAX_TOUCHED_PRICED_ROWS = 2 * MAX_TOUCHED_ROWS
const PAGE_SIZE = 20
/** Longer than a large count is cached. */
const LATER_MS = 20_000

let gateway: TestGateway
let project: TestKey
beforeAll(async () => {
  gateway = await testGateway()
  project = gateway.key
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())
afterEach(() => void vi.restoreAllMocks())

interface ListPage {
  readonly list: readonly { readonly id?: number; readonly sequence?: number; readonly orderNo?: string }[]
  readonly totalRow: number
}

async function call(operation: OperationShape, input: Input): Promise<ListPage> {
  const { status, json } = await project.call(rawCallOf(operation, { pageSize: PAGE_SIZE, ...input }))
  expect(status, JSON.stringify(json)).toBe(200)
  // Every list returns a page.
  return json.data as unknown as ListPage
}

const isOfList = (statement: Statement) =>
  isPage(statement) || isCount(statement) || statement.text.includes('list_segments')

/** How many rows the statements of a call touch. */
async function countTouched(work: () => Promise<unknown>): Promise<number> {
  const statements = (await captureStatements(work)).filter(isOfList)
  let touched = 0
  for (const statement of statements) {
    touched += countRowsTouched(await getPlan(gateway, project.projectId, statement))
  }
  return touched
}

interface LongList {
  readonly name: string
  readonly operation: OperationShape
  readonly input: Input
  readonly table: string
  readonly order: string
  readonly condition: string
}

/** Creates a list in the order of creation, the newest first. */
function createLongList(
  name: string,
  operation: OperationShape,
  input: Input,
  table: string,
  { order = 'created_at desc, id desc', condition = 'true' } = {},
): LongList {
  return { name, operation, input, table, order, condition }
}

const owner = LISTED_OWNER
const nftAddress = LISTED_CONTRACT
const ofStatus = { condition: 'status = 2' }
const onShelf = {
  condition: "status = 'ON' and start_time <= clock_timestamp() and end_time > clock_timestamp()",
}
const PRICES = { minPrice: '2', maxPrice: '2600' }
const inPrices = `${onShelf.condition} and pay_price between 2 and 2600`
const ofProgram = { order: 'id desc', condition: "program = 'promo_code'" }

const longLists: readonly LongList[] = [
  createLongList('all orders', orders.list, {}, 'orders'),
  createLongList('the orders of a status', orders.list, { orderStatus: 2 }, 'orders', ofStatus),
  createLongList('the orders of a kind of sale', orders.list, { marketType: 1 }, 'orders'),
  createLongList(
    'the orders of a status and a kind of sale',
    orders.list,
    { orderStatus: 2, marketType: 1 },
    'orders',
    ofStatus,
  ),
  createLongList('the orders of a buyer', orders.list, { recipient: owner }, 'orders'),
  createLongList(
    'the orders of a buyer and a status',
    orders.list,
    { recipient: owner, orderStatus: 2 },
    'orders',
    ofStatus,
  ),
  createLongList('the orders of a seller', orders.soldList, { sender: owner }, 'orders', ofStatus),
  createLongList('the cards of a program', promoCodeCards.list, {}, 'cards', ofProgram),
  createLongList(
    'the cards of a creator',
    promoCodeCards.listByCreator,
    { creator: owner },
    'cards',
    ofProgram,
  ),
  createLongList('the cards of a contract', promoCodeCards.listByNft, { nftAddress }, 'cards', ofProgram),
  createLongList('the verifications of a program', eventCards.verifications, {}, 'card_verifications'),
  createLongList(
    'the verifications of a store',
    eventCards.verifications,
    { store: 'Berlin' },
    'card_verifications',
  ),
  createLongList('all NFTs', nfts.list, {}, 'nfts'),
  createLongList('the NFTs of a contract', nfts.list, { nftAddress }, 'nfts'),
  createLongList('the NFTs of a creator', nfts.list, { creator: owner }, 'nfts'),
  createLongList('all assets', assets.list, {}, 'assets'),
  createLongList('the assets of a wallet', assets.list, { owner }, 'assets'),
  createLongList('the assets of a contract', assets.list, { nftAddress }, 'assets'),
  createLongList('all transfers', assets.transfers, {}, 'transfers', { order: 'id desc' }),
  createLongList('the transfers of a contract', assets.transfers, { nftAddress }, 'transfers', {
    order: 'id desc',
  }),
  createLongList('the transfers of a wallet', assets.transfers, { address: owner }, 'transfers', {
    order: 'id desc',
  }),
  createLongList('the sales of a market type', commonSales.list, {}, 'listings', onShelf),
  createLongList('the sales of a contract', commonSales.list, { nftAddress }, 'listings', onShelf),
  createLongList('the sales of a seller', commonSales.list, { seller: owner }, 'listings', onShelf),
  createLongList(
    'the sales of a market type by price',
    commonSales.list,
    { orderBy: 'payPrice' },
    'listings',
    {
      order: 'pay_price, id',
      ...onShelf,
    },
  ),
  createLongList(
    'the sales of a seller by price, the highest first',
    commonSales.list,
    { seller: owner, orderBy: 'payPrice desc' },
    'listings',
    { order: 'pay_price desc, id desc', ...onShelf },
  ),
  createLongList(
    'the sales of a contract by price',
    commonSales.list,
    { nftAddress, orderBy: 'payPrice' },
    'listings',
    {
      order: 'pay_price, id',
      ...onShelf,
    },
  ),
  createLongList(
    'the sales between two prices by price',
    commonSales.list,
    { ...PRICES, orderBy: 'payPrice' },
    'listings',
    { order: 'pay_price, id', condition: inPrices },
  ),
  createLongList(
    'the sales of a seller between two prices by price, the highest first',
    commonSales.list,
    { ...PRICES, seller: owner, orderBy: 'payPrice desc' },
    'listings',
    { order: 'pay_price desc, id desc', condition: inPrices },
  ),
  createLongList(
    'the sales in a pay token above a price by price',
    commonSales.list,
    { minPrice: '2', payTokenAddress: '', orderBy: 'payPrice' },
    'listings',
    { order: 'pay_price, id', condition: `${onShelf.condition} and pay_price >= 2` },
  ),
  createLongList('the sales by their end', commonSales.list, { orderBy: 'endTime' }, 'listings', {
    order: 'end_time, id',
    ...onShelf,
  }),
  createLongList('the cards by their end', promoCodeCards.list, { orderBy: 'endTime' }, 'cards', {
    order: 'end_time, id',
    condition: ofProgram.condition,
  }),
  createLongList(
    'the offers of a wallet by price',
    offers.mine,
    { address: owner, orderBy: 'totalPrice' },
    'offers',
    {
      order: 'total_price, id',
    },
  ),
  createLongList('an address book', addressBook.list, { owner }, 'address_book'),
  createLongList('the fans of a wallet', fans.list, { address: owner }, 'fans'),
  createLongList('the offers of a wallet', offers.mine, { address: owner }, 'offers'),
]

describe('a list of 12,000 rows that were just inserted', () => {
  beforeAll(async () => {
    const { system } = gateway.owner
    await addOrders(system, project.projectId, 0, ROWS)
    for (const addRows of [addCards, addVerifications, addNfts, addAssets, addTransfers, addWalletRows])
      await addRows(system, project.projectId, ROWS)
    await addListings(system, project.projectId)
    // The first count requests the segments, and the first page in the middle those of its order.
    for (const { operation, input } of longLists) {
      await call(operation, input)
      await call(operation, { ...input, pageNumber: 300 })
    }
    await updateSegments(gateway)
  })

  it.each(longLists)('reads neither all rows to count them nor those before a page: $name', async (each) => {
    const { operation, input, table, order, condition } = each
    const maxTouched = 'minPrice' in input ? MAX_TOUCHED_PRICED_ROWS : MAX_TOUCHED_ROWS
    const { rows } = await sql<{ key: string }>`
      select ${sql.ref(table === 'orders' ? 'order_no' : 'id')}::text as key from ${sql.table(`gateway.${table}`)}
      where project_id = ${project.projectId} and ${sql.raw(condition)} order by ${sql.raw(order)}`.execute(
      gateway.owner.system,
    )
    const keys = rows.map(({ key }) => key)

    const later = Date.now() + LATER_MS
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    expect(await countTouched(() => call(operation, input))).toBeLessThan(maxTouched)
    const pages = Math.ceil(keys.length / PAGE_SIZE)
    for (const pageNumber of [1, 2, 100, Math.ceil(pages / 2), pages - 100, pages - 1, pages]) {
      let page: ListPage = { list: [], totalRow: 0 }
      const touched = await countTouched(async () => {
        page = await call(operation, { ...input, pageNumber })
      })
      expect(page.totalRow).toBe(keys.length)
      const start = (pageNumber - 1) * PAGE_SIZE
      expect(page.list.map(({ id, orderNo }) => String(orderNo || id))).toEqual(
        keys.slice(start, start + PAGE_SIZE),
      )
      expect(touched, `page ${pageNumber}`).toBeLessThan(maxTouched)
    }
  })

  it('counts rows that no run has added to the segments', async () => {
    const before = await call(orders.list, { orderStatus: 3 })
    await addOrders(gateway.owner.system, project.projectId, ROWS, ROWS + 50)
    // Another process has cached no count.
    const app = await gateway.another()
    const other = createGateway({
      baseUrl: TEST_URL,
      credentials: { apiKey: project.apiKey, secret: project.secret },
      fetch: async (input, init) => await app.fetch(new Request(input, init)),
    })
    const pageNumber = 300
    const { totalRow, list } = await orders.list(other, { pageSize: PAGE_SIZE, pageNumber })
    expect(totalRow).toBe(ROWS + 50)
    const { rows } = await sql<{ key: string }>`
      select order_no as key from gateway.orders where project_id = ${project.projectId}
      order by created_at desc, id desc limit ${PAGE_SIZE} offset ${(pageNumber - 1) * PAGE_SIZE}`.execute(
      gateway.owner.system,
    )
    expect(list.map(({ orderNo }) => orderNo)).toEqual(rows.map(({ key }) => key))
    expect((await orders.list(other, { orderStatus: 3 })).totalRow).toBe(before.totalRow + 5)
    await sql`delete from gateway.orders where project_id = ${project.projectId} and serial_no::int > ${ROWS}`.execute(
      gateway.owner.system,
    )
    await updateSegments(gateway)
  })

  describe('whose orders have no usable segments', () => {
    const deleteSegments = (condition = sql`true`) =>
      sql`delete from gateway.list_segments where relation = 'orders' and field = '' and ${condition}`.execute(
        gateway.owner.system,
      )
    /** Counts the orders in a process that has cached no count. */
    const countOrders = async () => {
      const other = { ...gateway, app: await gateway.another() }
      return (await orders.list(clientOf(other, project), {})).totalRow
    }
    const isRequested = async () => {
      const { rows } = await sql`
        select from gateway.list_segments where relation = 'orders' and field = '' and start = 0`.execute(
        gateway.owner.system,
      )
      return rows.length === 1
    }
    afterEach(() => updateSegments(gateway))

    it('counts its rows if the first segment is missing, and requests it', async () => {
      // The change is not recorded.
      await deleteSegments(sql`start = 0`)
      await addOrders(gateway.owner.system, project.projectId, ROWS, ROWS + 1)
      expect(await countOrders()).toBe(ROWS + 1)
      expect(await isRequested()).toBe(true)
      await updateSegments(gateway)
      expect(await countOrders()).toBe(ROWS + 1)
      await sql`delete from gateway.orders where project_id = ${project.projectId} and serial_no::int > ${ROWS}`.execute(
        gateway.owner.system,
      )
    })

    it('counts its rows while one of the segments is not counted', async () => {
      await sql`
        update gateway.list_segments set row_count = null where relation = 'orders' and field = '' and start = (
          select max(start) from gateway.list_segments where relation = 'orders' and field = '')`.execute(
        gateway.owner.system,
      )
      expect(await countOrders()).toBe(ROWS)
    })

    it('is served and logs a warning while segments cannot be requested', async () => {
      await deleteSegments()
      await gateway.owner.system.transaction().execute(async (trx) => {
        await sql`lock table gateway.list_segments in share row exclusive mode`.execute(trx)
        expect(await countOrders()).toBe(ROWS)
      })
      expect(gateway.logged.join()).toContain('Could not request the segments of a long list')
      expect(await isRequested()).toBe(false)
      expect(await countOrders()).toBe(ROWS)
      expect(await isRequested()).toBe(true)
    })
  })

  it('notes once a day that it is used', async () => {
    await sql`update gateway.list_segment_uses set used_on = used_on - 1 where relation = 'orders'`.execute(
      gateway.owner.system,
    )
    const countRequests = async () => {
      // A process that has cached no count.
      const other = { ...gateway, app: await gateway.another() }
      const statements = await captureStatements(() => orders.list(clientOf(other, project), {}))
      return statements.filter(({ text }) => text.includes('request_list_segments')).length
    }
    expect(await countRequests()).toBe(1)
    expect(await countRequests()).toBe(0)
  })

  it('shows every item on one of the pages after others were inserted since the list was counted', async () => {
    // The count stays cached.
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const { totalRow } = await call(orders.list, {})
    await addOrders(gateway.owner.system, project.projectId, ROWS, ROWS + 50)
    const { rows } = await sql<{ key: string }>`
      select order_no as key from gateway.orders where project_id = ${project.projectId}
      order by created_at desc, id desc`.execute(gateway.owner.system)
    for (const pageNumber of [50, 51, 52, 53, 200]) {
      const page = await call(orders.list, { pageNumber })
      expect(page.totalRow).toBe(totalRow)
      const start = (pageNumber - 1) * PAGE_SIZE
      const keys = rows.slice(start, start + PAGE_SIZE).map(({ key }) => key)
      expect(
        page.list.map(({ orderNo }) => orderNo),
        `page ${pageNumber}`,
      ).toEqual(keys)
    }
    await sql`delete from gateway.orders where project_id = ${project.projectId} and serial_no::int > ${ROWS}`.execute(
      gateway.owner.system,
    )
    await updateSegments(gateway)
  })

  it('finds pages among items of the same creation time by places', async () => {
    const imported = await gateway.newKey({ project: 'imported at once' })
    const { system } = gateway.owner
    const ofProject = sql`project_id = ${imported.projectId}`
    await addOrders(system, imported.projectId, 0, ROWS)
    await sql`update gateway.orders set created_at = '2026-01-01' where ${ofProject}`.execute(system)
    const client = clientOf(gateway, imported)
    await orders.list(client, {})
    await updateSegments(gateway)
    const pageNumber = ROWS / PAGE_SIZE / 2
    const { rows } = await sql<{ key: string }>`
      select order_no as key from gateway.orders where ${ofProject}
      order by created_at desc, id desc limit ${PAGE_SIZE} offset ${(pageNumber - 1) * PAGE_SIZE}`.execute(
      system,
    )
    // Later than the count, which is cached and has no segments.
    const later = Date.now() + LATER_MS
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    const readPage = async () => {
      let keys: string[] = []
      const statements = await captureStatements(async () => {
        const { list } = await orders.list(client, { pageNumber, pageSize: PAGE_SIZE })
        keys = list.map(({ orderNo }) => orderNo)
      })
      expect(keys).toEqual(rows.map(({ key }) => key))
      expect(gateway.logged.filter((line) => line.includes('Could not read the places'))).toEqual([])
      let touched = 0
      for (const statement of statements.filter(isPage))
        touched += countRowsTouched(await getPlan(gateway, imported.projectId, statement))
      return touched
    }
    // The first page reads the places.
    await expect.poll(readPage, { timeout: 30_000 }).toBeLessThan(MAX_TOUCHED_ROWS)
  })

  it.each([
    ['0', undefined],
    ['1', String(2n ** 256n - 1n)],
    ['2', '2785'],
    ['3', '2500'],
    [undefined, '2000'],
    [undefined, '2784'],
  ])(
    'counts the sales from price %s to %s exactly, and has the right pages of them',
    async (minPrice, maxPrice) => {
      const { rows } = await sql<{ id: number }>`
      select id from gateway.listings
      where project_id = ${project.projectId} and ${sql.raw(onShelf.condition)}
        and pay_price between ${minPrice ?? '0'}::numeric and ${maxPrice ?? '2785'}::numeric
      order by pay_price, id`.execute(gateway.owner.system)
      expect(rows.length).toBeGreaterThan(10_000)
      const input = {
        ...(minPrice !== undefined && { minPrice }),
        ...(maxPrice !== undefined && { maxPrice }),
        orderBy: 'payPrice',
      }
      const pages = Math.ceil(rows.length / PAGE_SIZE)
      for (const pageNumber of [1, 200, pages - 200, pages]) {
        const page = await call(commonSales.list, { ...input, pageNumber })
        expect(page.totalRow).toBe(rows.length)
        const start = (pageNumber - 1) * PAGE_SIZE
        expect(page.list.map(({ id }) => id)).toEqual(
          rows.slice(start, start + PAGE_SIZE).map(({ id }) => id),
        )
      }
    },
  )

  it('counts the sales between two prices by segments, and finds pages in the order of creation by places', async () => {
    const { rows } = await sql<{ key: string }>`
      select id::text as key from gateway.listings
      where project_id = ${project.projectId} and ${sql.raw(inPrices)} order by created_at desc, id desc`.execute(
      gateway.owner.system,
    )
    const keys = rows.map(({ key }) => key)
    expect(keys.length).toBeGreaterThan(10_000)
    expect(await countTouched(() => call(commonSales.list, PRICES))).toBeLessThan(MAX_TOUCHED_ROWS)
    const pageNumber = 300
    const readPage = async () => {
      let page: ListPage = { list: [], totalRow: 0 }
      const touched = await countTouched(async () => {
        page = await call(commonSales.list, { ...PRICES, pageNumber })
      })
      expect(page.totalRow).toBe(keys.length)
      expect(page.list.map(({ id }) => String(id))).toEqual(
        keys.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE),
      )
      return touched
    }
    // The first page reads the places.
    await expect.poll(readPage, { timeout: 30_000 }).toBeLessThan(MAX_TOUCHED_ROWS)
  })

  it('counts only the edges of a range of times, and reads its pages by segments', async () => {
    const { rows } = await sql<{ key: string; time: string }>`
      select order_no as key, created_at::text as time from gateway.orders
      where project_id = ${project.projectId} order by created_at desc, id desc`.execute(gateway.owner.system)
    // Times of a call have milliseconds. The creation times of the orders have microseconds.
    const at = (index: number) => `${new Date(rows[index]?.time ?? '').toISOString()}`
    const range = { from: at(ROWS - 500), to: at(250) }
    const inRange = rows.filter(({ time }) => {
      const milliseconds = new Date(time).getTime()
      return milliseconds >= Date.parse(range.from) && milliseconds < Date.parse(range.to)
    })
    expect(inRange.length).toBeGreaterThan(10_000)

    expect(await countTouched(() => call(orders.list, range))).toBeLessThan(MAX_TOUCHED_ROWS)
    const pages = Math.ceil(inRange.length / PAGE_SIZE)
    for (const pageNumber of [1, 70, Math.ceil(pages / 2), pages - 70, pages]) {
      let page: ListPage = { list: [], totalRow: 0 }
      const touched = await countTouched(async () => {
        page = await call(orders.list, { ...range, pageNumber })
      })
      expect(page.totalRow).toBe(inRange.length)
      const start = (pageNumber - 1) * PAGE_SIZE
      expect(page.list.map(({ orderNo }) => orderNo)).toEqual(
        inRange.slice(start, start + PAGE_SIZE).map(({ key }) => key),
      )
      expect(touched, `page ${pageNumber}`).toBeLessThan(MAX_TOUCHED_ROWS)
    }
  })
})
