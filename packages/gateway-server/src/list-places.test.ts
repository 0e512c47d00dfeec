import { eventCards, promoCodeCards } from '@mintmark/cards'
import { assets, nfts } from '@mintmark/contracts'
import { commonSales } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import {
  addAssets,
  addCards,
  addListings,
  addNfts,
  addOrders,
  addTransfers,
  addVerifications,
  LISTED_OWNER,
} from './testing/list-rows.ts'
import {
  captureStatements,
  countRowsTouched,
  getPlan,
  isPage,
  type Statement,
} from './testing/list-statements.ts'
import { type Input, rawCallOf } from './testing/samples/calls.ts'

/** More rows than are read without places, also of a list with nine tenths of them. */
const ROWS = 12_000
const PAGE_SIZE = 20
/** The middle of the lists. */
const PAGE_NUMBER = 300
/** How many rows a page may touch: at most 1,000 after a place, each in two nodes of a plan. */
const MAX_TOUCHED_ROWS = 2500
/**
 * A page of transfers merges those of two tables by their ids, so that each row is in more nodes. A page
 * without places touches 40,000.
 */
const MAX_TOUCHED_TRANSFERS = 8000
/** Longer than places are used without a look at the changes of their tables. */
const LATER_MS = 20_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
  const { system } = gateway.owner
  await addOrders(system, gateway.key.projectId, 0, ROWS)
  for (const addRows of [addCards, addNfts, addTransfers]) await addRows(system, gateway.key.projectId, ROWS)
})
afterAll(() => gateway.close())
afterEach(() => void vi.restoreAllMocks())

interface ListPage {
  readonly list: readonly { readonly id?: number; readonly orderNo?: string }[]
  readonly totalRow: number
}

/** Reads a page, and counts the rows that its statement touches. */
async function readPage(operation: OperationShape, input: Input, project: TestKey = gateway.key) {
  let page: ListPage = { list: [], totalRow: 0 }
  const statements = await captureStatements(async () => {
    const request = rawCallOf(operation, { pageSize: PAGE_SIZE, ...input })
    const { status, json } = await project.call(request)
    expect(status, JSON.stringify(json)).toBe(200)
    // Every list returns a page.
    page = json.data as unknown as ListPage
  })
  const [statement, ...others] = statements.filter(isPage)
  if (statement === undefined || others.length > 0)
    throw new Error('The call has not one statement of a page')
  const touched = countRowsTouched(await getPlan(gateway, project.projectId, statement))
  return { keys: page.list.map(({ id, orderNo }) => String(orderNo || id)), touched }
}

/** Reads pages until one is read after a place. Those of one list of a project are read at a time. */
async function waitForPlaces(
  operation: OperationShape,
  input: Input,
  project?: TestKey,
  maxTouched = MAX_TOUCHED_ROWS,
): Promise<void> {
  await expect.poll(async () => (await readPage(operation, input, project)).touched).toBeLessThan(maxTouched)
}

const CARDS_BY_NAME = { orderBy: 'name', pageNumber: PAGE_NUMBER }

let ranges = 0
/**
 * Creates a time before every row. Lists from different times have the same rows, and places of their own.
 */
function createStart(): string {
  ranges += 1
  return new Date(Date.UTC(2020, 0, ranges)).toISOString()
}

/** Waits until no places of a project are being read: those of a list of its NFTs are read after them. */
async function waitForReads(project?: TestKey): Promise<void> {
  const input = { creator: LISTED_OWNER, from: createStart(), pageNumber: PAGE_NUMBER }
  await waitForPlaces(nfts.list, input, project)
}

/** Lists the ids of a project's rows on a page. */
async function listIds(table: string, order: string, pageNumber: number, { projectId } = gateway.key) {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(`gateway.${table}`)} where project_id = ${projectId}
    order by ${sql.raw(order)} limit ${PAGE_SIZE} offset ${(pageNumber - 1) * PAGE_SIZE}`.execute(
    gateway.owner.system,
  )
  return rows.map(({ id }) => String(id))
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
    name: 'orders of a status and a kind of sale',
    operation: orders.list,
    input: { orderStatus: 2, marketType: 1 },
    table: 'orders',
    key: 'order_no',
    order: 'created_at desc, id desc',
    condition: 'status = 2',
  },
  {
    name: 'cards by name',
    operation: promoCodeCards.list,
    input: { orderBy: 'name' },
    table: 'cards',
    key: 'id',
    order: 'name, id',
    condition: 'true',
  },
  {
    name: 'NFTs of a creator',
    operation: nfts.list,
    input: { creator: LISTED_OWNER },
    table: 'nfts',
    key: 'id',
    order: 'created_at desc, id desc',
    condition: 'true',
  },
  {
    name: 'transfers',
    operation: assets.transfers,
    input: {},
    table: 'transfers',
    key: 'id',
    order: 'id desc',
    condition: 'true',
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
    const maxTouched = list.table === 'transfers' ? MAX_TOUCHED_TRANSFERS : MAX_TOUCHED_ROWS
    await waitForPlaces(operation, { ...input, pageNumber: PAGE_NUMBER }, undefined, maxTouched)
    for (const pageNumber of [52, 60, PAGE_NUMBER - 1, PAGE_NUMBER, PAGE_NUMBER + 1, 400, 480]) {
      const page = await readPage(operation, { ...input, pageNumber })
      expect(page.keys, `page ${pageNumber}`).toEqual(readKeys(pageNumber))
      expect(page.touched, `page ${pageNumber}`).toBeLessThan(maxTouched)
    }
  })

  describe('of 50,000 items', () => {
    let long: TestKey
    beforeAll(async () => {
      long = await gateway.newKey({ project: 'long' })
      await addOrders(gateway.owner.system, long.projectId, 0, 50_000)
    })
    /** Reads a page far from both ends of a list without places. */
    const readNew = () =>
      readPage(orders.list, { orderStatus: 2, marketType: 1, from: createStart(), pageNumber: 1100 }, long)

    it('wait for places', async () => {
      // The next call waits for them, unless that takes long.
      await expect.poll(async () => (await readNew()).touched).toBeLessThan(MAX_TOUCHED_ROWS)
    })

    it('are read without places that take more than a few seconds', async () => {
      const released = Promise.withResolvers<never>()
      const places = replacePlacesOf('orders', () => released.promise)
      try {
        expect((await readNew()).keys).toHaveLength(PAGE_SIZE)
        expect(places.count).toBe(1)
      } finally {
        places.restore()
        released.reject(new Error('released'))
      }
    })
  })

  it('are read after the same places while no table of the list changes, and after new ones later', async () => {
    const input = CARDS_BY_NAME
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

  it('have the present items of a list of at most 10,000 items after a deletion', async () => {
    const { projectId } = gateway.key
    await addVerifications(gateway.owner.system, projectId, 3000)
    const input = { verifier: 'Door' }
    await readPage(eventCards.verifications, { ...input, pageNumber: 75 })
    await waitForReads()
    await sql`
      delete from gateway.card_verifications where id in (
        select id from gateway.card_verifications where project_id = ${projectId} order by id limit 30)`.execute(
      gateway.owner.system,
    )
    for (const pageNumber of [50, 51, 52, 75, 98, 99]) {
      const { keys } = await readPage(eventCards.verifications, { ...input, pageNumber })
      const ids = await listIds('card_verifications', 'created_at desc, id desc', pageNumber)
      expect(keys, `page ${pageNumber}`).toEqual(ids)
    }
  })

  describe('of at most 10,000 items', () => {
    const input = { verifier: 'Door', pageNumber: 75 }
    /** A page touches at most 100 rows after a place, each in two nodes of a plan. */
    const maxTouched = 400
    let short: TestKey
    beforeAll(async () => {
      short = await gateway.newKey({ project: 'short' })
      await addVerifications(gateway.owner.system, short.projectId, 3000)
      await addNfts(gateway.owner.system, short.projectId, ROWS)
    })
    const removeNewest = () =>
      sql`delete from gateway.card_verifications where id = (
        select max(id) from gateway.card_verifications where project_id = ${short.projectId})`.execute(
        gateway.owner.system,
      )
    const readShort = () => readPage(eventCards.verifications, input, short)
    /** Reads a page after the places that an earlier page has requested. */
    const readPlaced = async () => {
      await readShort()
      await waitForReads(short)
      const page = await readShort()
      expect(page.touched).toBeLessThan(maxTouched)
      return page
    }
    const listShort = () => listIds('card_verifications', 'created_at desc, id desc', input.pageNumber, short)

    it('are read after cached places while no table of the list changes', async () => {
      await readPlaced()
      for (const pageNumber of [12, 37, 75, 76, 101, 139]) {
        const page = await readPage(eventCards.verifications, { ...input, pageNumber }, short)
        const ids = await listIds('card_verifications', 'created_at desc, id desc', pageNumber, short)
        expect(page.keys, `page ${pageNumber}`).toEqual(ids)
        expect(page.touched, `page ${pageNumber}`).toBeLessThan(maxTouched)
      }
    })

    it('are read without places after a change, and after new places later', async () => {
      await readPlaced()
      let time = Date.now()
      vi.spyOn(Date, 'now').mockImplementation(() => time)
      const places = replacePlacesOf('card_verifications')
      try {
        for (let changes = 0; changes < 3; changes += 1) {
          await removeNewest()
          const page = await readShort()
          expect(page.keys).toEqual(await listShort())
          expect(page.touched).toBeGreaterThan(maxTouched)
          await waitForReads(short)
        }
        expect(places.count).toBe(0)
        // Longer than the places of any list are used.
        time += 60_000
        expect((await readPlaced()).keys).toEqual(await listShort())
        expect(places.count).toBe(1)
      } finally {
        places.restore()
      }
    })
  })

  describe('of open listings', () => {
    let market: TestKey
    beforeAll(async () => {
      market = await gateway.newKey({ project: 'market' })
      const { system } = gateway.owner
      await addAssets(system, market.projectId, 3000)
      await addListings(system, market.projectId)
      await addNfts(system, market.projectId, ROWS)
    })
    const listOpen = () =>
      listIds(
        'listings',
        `(status = 'ON' and start_time <= now() and end_time > now()) desc, created_at desc, id desc`,
        75,
        market,
      )
    /** Starts or ends the newest open listing in five seconds. */
    const change = (column: 'start_time' | 'end_time') =>
      sql`
        update gateway.listings set ${sql.ref(column)} = clock_timestamp() + interval '5 seconds' where id = (
          select max(id) from gateway.listings where project_id = ${market.projectId} and start_time < now() and end_time > now()
        )`.execute(gateway.owner.system)
    const hasPassed = async (column: 'start_time' | 'end_time') => {
      const { rows } = await sql`
        select from gateway.listings where project_id = ${market.projectId} and ${sql.ref(column)} > clock_timestamp()
          and ${sql.ref(column)} < clock_timestamp() + interval '1 day'`.execute(gateway.owner.system)
      return rows.length === 0
    }

    it.each([
      ['end', 'end_time'],
      ['start', 'start_time'],
    ] as const)('have the present items when listings %s', async (_, column) => {
      const input = { marketType: 1, from: createStart(), pageNumber: 75 }
      const read = () => readPage(commonSales.list, input, market)
      await change(column)
      const before = await read()
      await expect.poll(async () => (await read()).touched).toBeLessThan(400)
      expect((await read()).keys).toEqual(before.keys)
      await expect.poll(() => hasPassed(column), { timeout: 20_000 }).toBe(true)
      const after = await read()
      expect(after.keys).not.toEqual(before.keys)
      expect(after.keys).toEqual(await listOpen())
    })
  })

  it('have the present items of a list that changes by time without a write', async () => {
    const input = { status: 'ACTIVE', pageNumber: PAGE_NUMBER }
    await readPage(promoCodeCards.search, input)
    await waitForReads()
    // No trigger records that time passes.
    await gateway.owner.system.transaction().execute(async (trx) => {
      await sql`alter table gateway.cards disable trigger user`.execute(trx)
      await sql`
        update gateway.cards set end_time = '2026-01-02', validity_period = '2026-01-02' where id in (
          select id from gateway.cards where project_id = ${gateway.key.projectId} order by id limit 30)`.execute(
        trx,
      )
      await sql`alter table gateway.cards enable trigger user`.execute(trx)
    })
    const later = Date.now() + LATER_MS
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    const { keys } = await readPage(promoCodeCards.search, input)
    expect(keys).toEqual(await listIds('cards', 'id desc', PAGE_NUMBER))
  })

  it('are read after a list was too short for places and has grown again', async () => {
    const project = await gateway.newKey({ project: 'grown again' })
    for (const addRows of [addCards, addNfts]) await addRows(gateway.owner.system, project.projectId, ROWS)
    // The first count stays cached until later.
    let time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    await readPage(promoCodeCards.list, { ...CARDS_BY_NAME, pageNumber: 1 }, project)
    await sql`
      update gateway.cards set deleted = true where id in (
        select id from gateway.cards where project_id = ${project.projectId} limit ${ROWS - 500})`.execute(
      gateway.owner.system,
    )
    expect((await readPage(promoCodeCards.list, CARDS_BY_NAME, project)).keys).toEqual([])
    await waitForReads(project)
    await addCards(gateway.owner.system, project.projectId, ROWS)
    time += LATER_MS
    const { keys } = await readPage(promoCodeCards.list, CARDS_BY_NAME, project)
    expect(keys).toEqual(await listIds('cards', 'deleted, name, id', PAGE_NUMBER, project))
  })

  it('are read without places for a minute after the places could not be read', async () => {
    const failures = replacePlacesOf('orders', () =>
      Promise.reject(new Error('canceling statement due to statement timeout')),
    )
    const input = { orderStatus: 2, marketType: 1, from: createStart(), pageNumber: PAGE_NUMBER }
    let time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    try {
      for (const count of [1, 1, 2]) {
        expect((await readPage(orders.list, input)).keys).toHaveLength(PAGE_SIZE)
        await waitForReads()
        expect(failures.count).toBe(count)
        time += 40_000
      }
      expect(gateway.logged.join()).toContain('Could not read the places of a long list')
    } finally {
      failures.restore()
    }
  })
})

/**
 * Counts the statements that read the places of a table's lists.
 *
 * @param read Replaces their results. Default: they are sent to the database.
 */
function replacePlacesOf(
  table: string,
  read?: () => Promise<never>,
): { readonly count: number; restore(): void } {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [config] = parameters as [string | Partial<Statement>]
    const text = typeof config === 'string' ? config : (config.text ?? '')
    if (!text.includes('row_number()') || !text.includes(`"${table}"`))
      return Reflect.apply(query, this, parameters)
    count += 1
    return read?.() ?? Reflect.apply(query, this, parameters)
  } as never
  return {
    get count() {
      return count
    },
    restore() {
      pg.Client.prototype.query = query
    },
  }
}
