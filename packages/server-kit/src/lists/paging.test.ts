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

it('a paged list has no rows after its end, and still contains the total', async () => {
  for (const pageNumber of [8, 9, 1_000_000]) {
    const page = await find(read({ pageSize: 50, pageNumber }))
    expect(page).toEqual({ rows: [], totalRow: ROWS, next: undefined, isEstimate: false })
  }
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
