// Pages of searches by the cached ids of their results.
import { nfts } from '@mintmark/contracts'
import { commonSales } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { addressBook } from '@mintmark/wallet'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import { addAssets, addListings, addNfts, addWalletRows, LISTED_OWNER } from './testing/list-rows.ts'
import { captureStatements, isPage, type Statement } from './testing/list-statements.ts'
import { type Input, rawCallOf } from './testing/samples/calls.ts'

const ROWS = 3000
const PAGE_SIZE = 20
/** The middle of the lists. */
const PAGE_NUMBER = 75

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())
afterEach(() => void vi.restoreAllMocks())

interface Found {
  readonly keys: readonly string[]
  readonly next: string | undefined
  readonly totalRow: number
  /** Whether the page was read by cached ids. */
  readonly isKnown: boolean
}

const isKnownPage = ({ text }: Statement): boolean => text.includes('list_snapshot')
const isOtherPage = (statement: Statement): boolean => isPage(statement) && !isKnownPage(statement)

interface SearchedList {
  readonly name: string
  readonly operation: OperationShape
  readonly input: Input
  readonly table: string
  addRows(project: TestKey): Promise<void>
}

const lists: readonly SearchedList[] = [
  {
    name: 'entries of an address book with a keyword',
    operation: addressBook.list,
    input: { owner: LISTED_OWNER, keyword: 'riend' },
    table: 'address_book',
    addRows: ({ projectId }) => addWalletRows(gateway.owner.system, projectId, ROWS),
  },
  {
    name: 'NFTs of an owner',
    operation: nfts.list,
    input: { owner: LISTED_OWNER },
    table: 'nfts',
    async addRows({ projectId }) {
      await addNfts(gateway.owner.system, projectId, ROWS)
      await addAssets(gateway.owner.system, projectId, ROWS)
    },
  },
]

describe.each(lists)('the pages of $name', ({ name, operation, input, table, addRows }) => {
  let project: TestKey
  beforeAll(async () => {
    project = await gateway.newKey({ project: name.slice(0, 30) })
    await addRows(project)
  })

  async function readPage(changes: Input = {}): Promise<Found> {
    let found: Omit<Found, 'isKnown'> = { keys: [], next: undefined, totalRow: 0 }
    const statements = await captureStatements(async () => {
      const { status, json } = await project.call(
        rawCallOf(operation, { pageSize: PAGE_SIZE, pageNumber: PAGE_NUMBER, ...input, ...changes }),
      )
      expect(status, JSON.stringify(json)).toBe(200)
      // Every list returns a page.
      const page = json.data as unknown as {
        list: readonly { address?: string; nftId?: string }[]
        paras: { next?: string }
        totalRow: number
      }
      const keys = page.list.map(({ address, nftId }) => address ?? nftId ?? '')
      found = { keys, next: page.paras.next, totalRow: page.totalRow }
    })
    // A page whose cached ids are no longer right is read by a second statement.
    return { ...found, isKnown: statements.some(isKnownPage) && !statements.some(isOtherPage) }
  }
  const waitForIds = () => expect.poll(async () => (await readPage()).isKnown).toBe(true)

  /** Lists the keys of all results, newest first. */
  async function listKeys(): Promise<string[]> {
    const condition =
      table === 'nfts'
        ? sql`exists (select from gateway.assets a where a.project_id = t.project_id and a.nft_id = t.nft_id
            and a.owner = ${LISTED_OWNER} and a.quantity > 0)`
        : sql`t.name ilike '%riend%'`
    const { rows } = await sql<{ key: string }>`
      select ${sql.ref(table === 'nfts' ? 't.nft_id' : 't.address')} as key from ${sql.table(`gateway.${table}`)} t
      where t.project_id = ${project.projectId} and ${condition} order by t.created_at desc, t.id desc`.execute(
      gateway.owner.system,
    )
    return rows.map(({ key }) => key)
  }
  const pageOf = (keys: readonly string[], pageNumber: number) =>
    keys.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE)

  it('are read by cached ids while no table of the list changes', async () => {
    const keys = await listKeys()
    expect((await readPage()).keys).toEqual(pageOf(keys, PAGE_NUMBER))
    await waitForIds()
    for (const pageNumber of [1, 2, 74, 75, 76, 149, 150]) {
      const page = await readPage({ pageNumber })
      expect(page, `page ${pageNumber}`).toMatchObject({ keys: pageOf(keys, pageNumber), isKnown: true })
    }
    const { next } = await readPage()
    for (const pageSize of [1, 7, PAGE_SIZE]) {
      const page = await readPage({ pageNumber: 1, cursor: next ?? '', pageSize })
      const start = PAGE_NUMBER * PAGE_SIZE
      expect(page).toMatchObject({ keys: keys.slice(start, start + pageSize), isKnown: true })
    }
  })

  it('have no ids read for the first 100 results of a long search', async () => {
    const listReads = async (pageNumber: number) =>
      (
        await captureStatements(() =>
          project.call(rawCallOf(operation, { pageSize: PAGE_SIZE, pageNumber, ...input, orderBy: 'name' })),
        )
      ).filter(({ text }) => text.includes('string_agg(id'))
    expect(await listReads(5)).toEqual([])
    expect(await listReads(6)).toHaveLength(1)
  })

  it('have the order of the call', async () => {
    await waitForIds()
    const keys = (await listKeys()).reverse()
    const ascending = { orderBy: 'createTime' }
    await expect.poll(async () => (await readPage(ascending)).isKnown).toBe(true)
    for (const pageNumber of [3, 74, 150])
      expect((await readPage({ ...ascending, pageNumber })).keys).toEqual(pageOf(keys, pageNumber))
  })

  it('are read without the ids if no change was recorded for a minute', async () => {
    await waitForIds()
    const later = Date.now() + 50_000
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    expect(await readPage()).toMatchObject({ isKnown: false })
  })

  it('are read without the ids after a change, and by new ones later', async () => {
    await waitForIds()
    let time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => time)
    for (const change of [removeOne, exchangeOne]) {
      await change()
      const keys = await listKeys()
      expect(await readPage()).toMatchObject({ totalRow: keys.length, isKnown: false })
      for (const pageNumber of [PAGE_NUMBER, 1, 149])
        expect((await readPage({ pageNumber })).keys, `page ${pageNumber}`).toEqual(pageOf(keys, pageNumber))
      // Longer than the ids of any search are kept.
      time += 60_000
      await waitForIds()
      expect((await readPage()).keys).toEqual(pageOf(keys, PAGE_NUMBER))
    }
  })

  it.each(['createTime', 'createTime desc'])(
    'continue after a row that is not found any more: %s',
    async (orderBy) => {
      const listInOrder = async () =>
        orderBy === 'createTime' ? (await listKeys()).reverse() : await listKeys()
      const before = await listInOrder()
      const removed = (await listKeys())[1000] ?? ''
      const place = before.indexOf(removed)
      const { next, keys } = await readPage({ orderBy, pageSize: 1, pageNumber: place + 1 })
      expect(keys).toEqual([removed])
      await removeOne()
      // Later than in the tests before.
      const later = Date.now() + (orderBy === 'createTime' ? 200_000 : 400_000)
      vi.spyOn(Date, 'now').mockImplementation(() => later)
      await waitForIds()
      const page = await readPage({ orderBy, pageSize: 7, pageNumber: 1, cursor: next ?? '' })
      expect(page.keys).toEqual((await listInOrder()).slice(place, place + 7))
    },
  )

  /** Removes the 1,001st result. */
  async function removeOne(): Promise<void> {
    const [key] = (await listKeys()).slice(1000)
    const where = sql`where project_id = ${project.projectId}`
    await (table === 'nfts'
      ? sql`update gateway.assets set quantity = 0 ${where} and nft_id = ${key}`
      : sql`update gateway.address_book set name = 'Other' ${where} and address = ${key}`
    ).execute(gateway.owner.system)
  }

  /** Removes the oldest result and adds the one that was removed before, so that the total stays the same. */
  async function exchangeOne(): Promise<void> {
    const key = (await listKeys()).at(-1)
    const where = sql`where project_id = ${project.projectId}`
    await (table === 'nfts'
      ? sql`update gateway.assets set quantity = 1 - quantity ${where} and (nft_id = ${key} or quantity = 0)`
      : sql`update gateway.address_book set name = case name when 'Other' then 'Friend' else 'Other' end
            ${where} and (address = ${key} or name = 'Other')`
    ).execute(gateway.owner.system)
  }
})

describe('the pages of open listings up to a price', () => {
  let market: TestKey
  beforeAll(async () => {
    market = await gateway.newKey({ project: 'market' })
    await addAssets(gateway.owner.system, market.projectId, ROWS)
    await addListings(gateway.owner.system, market.projectId)
  })

  it('are read without the ids after a listing has ended', async () => {
    const input = { marketType: 1, maxPrice: '1000000', orderBy: 'endTime', pageNumber: PAGE_NUMBER }
    const read = async () => {
      let totalRow = 0
      const statements = await captureStatements(async () => {
        const { json } = await market.call(rawCallOf(commonSales.list, input))
        totalRow = (json.data as unknown as { totalRow: number }).totalRow
      })
      return { totalRow, isKnown: statements.some(isKnownPage) && !statements.some(isOtherPage) }
    }
    const { rows } = await sql<{ id: number }>`
      update gateway.listings set end_time = clock_timestamp() + interval '5 seconds'
      where id = (select max(id) from gateway.listings where project_id = ${market.projectId} and end_time > '2098-01-01'
        and start_time < now())
      returning id`.execute(gateway.owner.system)
    const { totalRow } = await read()
    await expect.poll(read).toEqual({ totalRow, isKnown: true })
    const hasEnded = async () => {
      const { rows: ended } = await sql`
        select from gateway.listings where id = ${rows[0]?.id} and end_time < clock_timestamp()`.execute(
        gateway.owner.system,
      )
      return ended.length === 1
    }
    await expect.poll(hasEnded, { timeout: 20_000 }).toBe(true)
    expect(await read()).toEqual({ totalRow: totalRow - 1, isKnown: false })
  })
})
