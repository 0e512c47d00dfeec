import { promoCodeCards } from '@mintmark/cards'
import { nfts } from '@mintmark/contracts'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { type TestGateway, testGateway } from './testing/gateway.ts'
import { addCards, addNfts, addOrders, LISTED_OWNER } from './testing/list-rows.ts'
import { captureStatements, countRowsTouched, getPlan, isPage } from './testing/list-statements.ts'
import { type Input, rawCallOf } from './testing/samples/calls.ts'

const ROWS = 8000
const PAGE_SIZE = 20
/** The middle of the lists. */
const PAGE_NUMBER = 200
/** How many rows a page may touch: at most 1,000 after a place, each in two nodes of a plan. */
const MAX_TOUCHED_ROWS = 2500
/** Longer than places are used without a look at the changes of their tables. */
const LATER_MS = 20_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
  const { system } = gateway.owner
  await addOrders(system, gateway.key.projectId, 0, ROWS)
  for (const addRows of [addCards, addNfts]) await addRows(system, gateway.key.projectId, ROWS)
})
afterAll(() => gateway.close())
afterEach(() => void vi.restoreAllMocks())

interface ListPage {
  readonly list: readonly { readonly id?: number; readonly orderNo?: string }[]
  readonly totalRow: number
}

/** Reads a page, and counts the rows that its statement touches. */
async function readPage(operation: OperationShape, input: Input) {
  let page: ListPage = { list: [], totalRow: 0 }
  const statements = await captureStatements(async () => {
    const request = rawCallOf(operation, { pageSize: PAGE_SIZE, ...input })
    const { status, json } = await gateway.key.call(request)
    expect(status, JSON.stringify(json)).toBe(200)
    // Every list returns a page.
    page = json.data as unknown as ListPage
  })
  const [statement, ...others] = statements.filter(isPage)
  if (statement === undefined || others.length > 0)
    throw new Error('The call has not one statement of a page')
  const touched = countRowsTouched(await getPlan(gateway, gateway.key.projectId, statement))
  return { keys: page.list.map(({ id, orderNo }) => String(orderNo ?? id)), touched }
}

/** Reads pages until one is read after a place. Places are read beside the calls. */
async function waitForPlaces(operation: OperationShape, input: Input): Promise<void> {
  await expect.poll(async () => (await readPage(operation, input)).touched).toBeLessThan(MAX_TOUCHED_ROWS)
}

const lists: readonly {
  readonly name: string
  readonly operation: OperationShape
  readonly input: Input
  readonly table: string
  readonly key: string
  readonly order: string
  readonly condition: string
}[] = [
  {
    ...{ name: 'orders of a status and a kind of sale', operation: orders.list },
    ...{ input: { orderStatus: 2, marketType: 1 }, table: 'orders', key: 'order_no' },
    ...{ order: 'created_at desc, id desc', condition: 'status = 2' },
  },
  {
    ...{ name: 'cards by name', operation: promoCodeCards.list, input: { orderBy: 'name' } },
    ...{ table: 'cards', key: 'id', order: 'name, id', condition: 'true' },
  },
  {
    ...{ name: 'NFTs of a creator', operation: nfts.list, input: { creator: LISTED_OWNER } },
    ...{ table: 'nfts', key: 'id', order: 'created_at desc, id desc', condition: 'true' },
  },
]

describe('the pages in the middle of a list without segments', () => {
  it.each(lists)('are read after cached places: $name', async ({ operation, input, ...list }) => {
    const { rows } = await sql<{ key: string }>`
      select ${sql.ref(list.key)}::text as key from ${sql.table(`gateway.${list.table}`)}
      where project_id = ${gateway.key.projectId} and ${sql.raw(list.condition)} order by ${sql.raw(list.order)}`.execute(
      gateway.owner.system,
    )
    const keys = rows.map(({ key }) => key)
    const readKeys = (pageNumber: number) => keys.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE)

    const first = await readPage(operation, { ...input, pageNumber: PAGE_NUMBER })
    expect(first.keys).toEqual(readKeys(PAGE_NUMBER))
    await waitForPlaces(operation, { ...input, pageNumber: PAGE_NUMBER })
    for (const pageNumber of [52, 60, PAGE_NUMBER - 1, PAGE_NUMBER, PAGE_NUMBER + 1, 250, 300]) {
      const page = await readPage(operation, { ...input, pageNumber })
      expect(page.keys, `page ${pageNumber}`).toEqual(readKeys(pageNumber))
      expect(page.touched, `page ${pageNumber}`).toBeLessThan(MAX_TOUCHED_ROWS)
    }
  })

  it('are read after the same places while no table of the list changes, and after new ones later', async () => {
    const input = { orderBy: 'name', pageNumber: PAGE_NUMBER }
    await waitForPlaces(promoCodeCards.list, input)
    let time = Date.now() + LATER_MS
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    const unchanged = await readPage(promoCodeCards.list, input)
    expect(unchanged.touched).toBeLessThan(MAX_TOUCHED_ROWS)

    await sql`
      update gateway.cards set name = 'A' where id = (select max(id) from gateway.cards where project_id = ${gateway.key.projectId})`.execute(
      gateway.owner.system,
    )
    time += LATER_MS
    const changed = await readPage(promoCodeCards.list, input)
    const [, ...shifted] = changed.keys
    expect(shifted).toEqual(unchanged.keys.slice(0, -1))
    await waitForPlaces(promoCodeCards.list, input)
    expect((await readPage(promoCodeCards.list, input)).keys).toEqual(changed.keys)
  })
})
