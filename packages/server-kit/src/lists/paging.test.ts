import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import type { Generated } from 'kysely'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../postgres/index.ts'
import { findPage, type PageQuery, type PageRows, readPageQuery, toPage } from './paging.ts'

interface Tables {
  things: { id: Generated<number>; project_id: number; name: string; made_at: Date; price: string }
}
type Thing = { id: number; name: string; made_at: Date; price: string }

const ROWS = 347
const ORDERS = { id: 'id', name: 'name', madeAt: 'made_at', price: 'price' } as const
const names = Object.keys(ORDERS) as (keyof typeof ORDERS)[]

let place: TestDatabase
let database: Database<Tables>
beforeAll(async () => {
  place = await createTestDatabase()
  database = openDatabase<Tables>({ url: place.url, max: 4 })
  const db = database.system
  await sql`create table things (id bigint generated always as identity primary key, project_id bigint not null,
    name text not null, made_at timestamptz not null, price numeric not null)`.execute(db)
  // Many rows have the same name, time (to the microsecond) and price. They differ only by id.
  await sql`insert into things (project_id, name, made_at, price)
    select 1 + (n % 2), 'thing ' || (n * 7919 % 10), '2026-01-01T00:00:00.000001Z'::timestamptz + make_interval(secs => (n * 31 % 13) * 0.000001),
      (n * 17 % 23) * 0.1 from generate_series(1, ${2 * ROWS}) n`.execute(db)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const refuse = (field: string, message: string): never => {
  throw new Error(`${field}: ${message}`)
}
const read = (input: Parameters<typeof readPageQuery>[0] & Readonly<Record<string, unknown>>) =>
  readPageQuery(input, ORDERS, refuse)

async function find(query: PageQuery, project = 1): Promise<PageRows<Thing>> {
  const db = database.system
  const things = db.selectFrom('things').selectAll().where('project_id', '=', project)
  return await findPage(db, 'things', things, query)
}

/** The rows in an order as one query gives them. */
async function all(order: string): Promise<number[]> {
  const [name = '', direction = 'asc'] = order.split(' ')
  const column = ORDERS[name as keyof typeof ORDERS]
  const { rows } = await sql<{ id: number }>`select id from things where project_id = 1
    order by ${sql.ref(column)} ${sql.raw(direction)}, id ${sql.raw(direction)}`.execute(database.system)
  return rows.map(({ id }) => id)
}

const idsOf = ({ rows }: PageRows<Thing>) => rows.map(({ id }) => id)

describe.each(names.flatMap((name) => [name, `${name} asc`, `${name} desc`]))(
  'a list ordered by %s',
  (orderBy) => {
    it.each([1, 19, 100])(
      'a paged list contains each row once, by page numbers and by cursors, with %i rows per page',
      async (pageSize) => {
        const expected = await all(orderBy)
        const pages = Math.ceil(ROWS / pageSize)
        // When there are many pages: the first, the middle and the last ones.
        const numbers = Array.from({ length: pages }, (_, at) => at + 1).filter(
          (number) => pages < 60 || number < 4 || number > pages - 4 || Math.abs(number - pages / 2) < 3,
        )
        for (const pageNumber of numbers) {
          const page = await find(read({ orderBy, pageSize, pageNumber }))
          expect(idsOf(page)).toEqual(expected.slice((pageNumber - 1) * pageSize, pageNumber * pageSize))
          expect(page.totalRow).toBe(ROWS)
        }
        if (pageSize === 1) return
        const ids: number[] = []
        let cursor: string | undefined
        do {
          const page = await find(read({ orderBy, pageSize, cursor }))
          ids.push(...idsOf(page))
          cursor = page.next
        } while (cursor !== undefined)
        expect(ids).toEqual(expected)
      },
    )
  },
)

it('a paged list is ordered newest first by default, and ascending for a field without a direction', () => {
  expect(read({})).toMatchObject({
    column: 'id',
    descending: true,
    orderBy: '',
    pageNumber: 1,
    pageSize: 20,
  })
  expect(read({ orderBy: 'name' })).toMatchObject({ column: 'name', descending: false, orderBy: 'name' })
  expect(read({ orderBy: 'name desc' })).toMatchObject({ column: 'name', descending: true })
})

it('a paged list has no rows after its end, and still contains the total', async () => {
  for (const pageNumber of [8, 9, 1_000_000]) {
    const page = await find(read({ pageSize: 50, pageNumber }))
    expect(page).toEqual({ rows: [], totalRow: ROWS, next: undefined, isEstimate: false })
  }
})

it('a paged list contains only rows that match its filter', async () => {
  const page = await find(read({ pageSize: 100 }), 3)
  expect(page).toEqual({ rows: [], totalRow: 0, isEstimate: false, next: undefined })
})

it.each(['price', 'price desc', 'name', 'id', ''])(
  'a paged list repeats and loses no row when rows are added between pages (order "%s")',
  async (orderBy) => {
    const db = database.system
    const mine = 40 + ['price', 'price desc', 'name', 'id', ''].indexOf(orderBy)
    const add = (count: number) =>
      sql`insert into things (project_id, name, made_at, price)
          select ${mine}, 'thing ' || (n % 3), clock_timestamp(), n % 5 from generate_series(1, ${count}) n`.execute(
        db,
      )
    await add(60)
    const { rows: before } = await sql<{
      id: number
    }>`select id from things where project_id = ${mine}`.execute(db)
    const ids: number[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const page = await find(read({ orderBy, pageSize: 10, cursor }), mine)
      ids.push(...idsOf(page))
      cursor = page.next
      pages += 1
      if (pages < 5) await add(7)
    } while (cursor !== undefined)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of before) expect(ids).toContain(id)
  },
)

it('a paged list refuses an unknown order and an invalid cursor with the name of the field', () => {
  expect(() => read({ orderBy: 'secret' })).toThrow('orderBy: Expected one of id, name, madeAt, price')
  expect(() => read({ orderBy: 'name up' })).toThrow('orderBy')
  expect(() => read({ cursor: 'x' })).toThrow('cursor')
})

it('a paged list refuses a cursor of another order, and one whose value does not have the type of its column', async () => {
  const { next } = await find(read({ orderBy: 'name', pageSize: 5 }))
  expect(() => read({ orderBy: 'price', cursor: next })).toThrow('cursor')
  expect(() => read({ orderBy: 'name desc', cursor: next })).toThrow('cursor')
  const forged = Buffer.from(JSON.stringify(['price asc', 'many', 1])).toString('base64url')
  await expect(find(read({ orderBy: 'price', cursor: forged }))).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'cursor' }],
  })
})

it('a paged list is planned again for each call, so that no plan of an empty table remains', async () => {
  const alone = openDatabase<Tables>({ url: place.url, max: 1 })
  try {
    const things = alone.system.selectFrom('things').selectAll().where('project_id', '=', 1)
    for (let time = 0; time < 8; time += 1) {
      await findPage(alone.system, 'things', things, read({ pageSize: 5, pageNumber: 1 + (time % 3) }))
    }
    const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where statement like '%things%'`.execute(alone.system)
    expect(
      rows.map(({ statement }) => statement).filter((text) => !text.includes('pg_prepared_statements')),
    ).toEqual([])
  } finally {
    await alone.close()
  }
})

it('a paged list throws the database error when the database fails', async () => {
  const broken = openDatabase<Tables>({ url: place.url, max: 1 })
  await broken.close()
  const things = broken.system.selectFrom('things').selectAll()
  await expect(findPage(broken.system, 'things', things, read({}))).rejects.toThrow(/pool/)
})

it('a paged list counts exactly up to ten thousand rows, and caches a larger count', async () => {
  const add = (project: number, count: number) =>
    sql`insert into things (project_id, name, made_at, price)
        select ${project}, 'many', clock_timestamp(), 1 from generate_series(1, ${count})`.execute(
      database.system,
    )
  const total = async (project: number) => (await find(read({}), project)).totalRow
  await add(90, 9_999)
  expect(await total(90)).toBe(9_999)
  await add(90, 1)
  expect(await total(90)).toBe(10_000)
  await add(91, 10_001)
  expect(await total(91)).toBe(10_001)
  await add(91, 5)
  expect(await total(91)).toBe(10_001)
  expect(await total(90)).toBe(10_000)
  const last = await find(read({ pageSize: 100, pageNumber: 101 }), 91)
  // The last page is that of the cached count: one row, the oldest.
  const oldest = await find(read({ pageSize: 1, orderBy: 'id' }), 91)
  expect(idsOf(last)).toEqual(idsOf(oldest))
})

const page = (pageNumber: number, rows: number, totalRow: number, next?: string) =>
  toPage(
    read({ pageNumber, pageSize: 10, orderBy: 'name', creator: '0xa' }),
    { rows: Array.from({ length: rows }, (_, at) => at), totalRow, isEstimate: totalRow > 10_000, next },
    (row) => row * 2,
  )

it('the page object contains its position in the list, and echoes the query', () => {
  expect(page(2, 2, 35, 'further')).toEqual({
    firstPage: false,
    lastPage: false,
    list: [0, 2],
    orderBy: 'name',
    pageNumber: 2,
    pageSize: 10,
    paras: { creator: '0xa', next: 'further' },
    totalPage: 4,
    totalRow: 35,
  })
})

it.each([
  [1, 0, true, true, 0],
  [1, 10, true, true, 1],
  [1, 11, true, false, 2],
  [2, 11, false, true, 2],
  [7, 11, false, true, 2],
])(
  'the page object for page %i of a list of %i rows has firstPage %s, lastPage %s and totalPage %i',
  (number, total, firstPage, lastPage, totalPage) => {
    expect(page(number, 0, total, 'further')).toMatchObject({ firstPage, lastPage, totalPage })
    expect('next' in page(number, 0, total, 'further').paras).toBe(!lastPage)
  },
)
