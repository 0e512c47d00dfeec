import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import type { Generated } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../postgres/index.ts'
import type { IndexRange } from './index-range.ts'
import { combineSearches, type ListSearch } from './list-search.ts'
import { findPage, type PageRows, readPageQuery } from './paging.ts'

interface Tables {
  items: { id: Generated<number>; project_id: number; kind: string; name: string; position: number }
}

const ROWS = 25_000
const PAGE_SIZE = 7
const ORDERS = { id: 'id', name: 'name' } as const
const INDEX: IndexRange = { columns: { kind: 'a' } }

let place: TestDatabase
let database: Database<Tables>
beforeAll(async () => {
  place = await createTestDatabase()
  database = openDatabase<Tables>({ url: place.url, max: 2 })
  const db = database.system
  await sql`create table items (id bigint generated always as identity primary key, project_id bigint not null,
    kind text not null, name text not null, position integer not null)`.execute(db)
  // Some rows of each project have another kind, and some of this kind belong to another project.
  await sql`insert into items (project_id, kind, name, position)
    select 1, case when n % 25 = 0 then 'b' else 'a' end, 'item ' || (n * 7919 % 1000), n from generate_series(1, ${ROWS}) n`.execute(
    db,
  )
  await sql`insert into items (project_id, kind, name, position)
    select 2, 'a', 'item', n from generate_series(1, 2000) n`.execute(db)
  await sql`create index on items (project_id, kind, id)`.execute(db)
  await sql`create index on items (project_id, kind, name, id)`.execute(db)
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

/** A search whose ids contain those of another kind, each twice. */
function createSearch(condition: RawBuilder<boolean>): ListSearch {
  return {
    matches: sql<boolean>`items.${condition}`,
    selectIds: (limit) => sql`
      (select id from items where project_id = 1 and ${condition} limit ${limit}) union all
      (select id from items where project_id = 1 and ${condition} limit ${limit})`,
  }
}

const matching: Readonly<Record<string, RawBuilder<boolean>>> = {
  'all rows': sql`position > 0`,
  'every second row': sql`position % 2 = 1`,
  'every tenth row': sql`position % 10 = 1`,
  'every hundredth row': sql`position % 100 = 1`,
  'the oldest rows': sql`position <= 300`,
  'the 3,000 oldest rows': sql`position <= 3000`,
  'the newest rows': sql`position > ${sql.lit(ROWS - 300)}`,
  'the last row': sql`position = 1`,
  'no row': sql`position < 0`,
}

async function find(
  search: ListSearch | undefined,
  input: Parameters<typeof readPageQuery>[0],
): Promise<PageRows<{ id: number }>> {
  const db = database.system
  const query = readPageQuery({ pageSize: PAGE_SIZE, ...input }, ORDERS, (field) => {
    throw new Error(field)
  })
  const items = db.selectFrom('items').selectAll().where('project_id', '=', 1)
  return await findPage(db, 'items', items, query, {
    index: INDEX,
    searches: search === undefined ? [] : [search],
  })
}

async function listAll(condition: RawBuilder<boolean>, order: string): Promise<number[]> {
  const [name = '', direction = 'asc'] = order.split(' ')
  const { rows } = await sql<{ id: number }>`
    select id from items where project_id = 1 and kind = 'a' and ${condition}
    order by ${sql.ref(name)} ${sql.raw(direction)}, id ${sql.raw(direction)}`.execute(database.system)
  return rows.map(({ id }) => id)
}

const getIds = ({ rows }: PageRows<{ id: number }>) => rows.map(({ id }) => id)

describe.each(Object.entries(matching))('a search that matches %s', (_name, condition) => {
  const search = createSearch(condition)

  it.each(['id', 'id desc', 'name', 'name desc'])(
    'a search finds every page by its number, in the order %s',
    async (orderBy) => {
      const expected = await listAll(condition, orderBy)
      const pages = Math.ceil(expected.length / PAGE_SIZE)
      for (const pageNumber of [1, 3, Math.ceil(pages / 3), Math.ceil(pages / 2) + 1, pages, pages + 1]) {
        if (pageNumber < 1) continue
        const page = await find(search, { orderBy, pageNumber })
        expect(page.totalRow).toBe(expected.length)
        expect(getIds(page)).toEqual(expected.slice((pageNumber - 1) * PAGE_SIZE, pageNumber * PAGE_SIZE))
      }
    },
  )

  it('a search continues after a cursor until the last row', async () => {
    const expected = await listAll(condition, 'name desc')
    const start = Math.max(0, expected.length - 4 * PAGE_SIZE)
    const before = expected.slice(start - PAGE_SIZE, start)
    let cursor = before.length === 0 ? undefined : await encodeCursor(before.at(-1))
    const ids: number[] = []
    do {
      const page = await find(search, { orderBy: 'name desc', cursor })
      ids.push(...getIds(page))
      cursor = page.next
    } while (cursor !== undefined)
    expect(ids).toEqual(expected.slice(before.length === 0 ? 0 : start))
  })
})

/** Creates the cursor of a row in the order `name desc`. */
async function encodeCursor(id: number | undefined): Promise<string> {
  const { name } = await database.system
    .selectFrom('items')
    .select('name')
    .where('id', '=', id ?? 0)
    .executeTakeFirstOrThrow()
  return Buffer.from(JSON.stringify(['name desc', name, id])).toString('base64url')
}

it('a search that no index finds reads the list in its order', async () => {
  const condition = sql<boolean>`position % 100 = 1`
  const search = { ...createSearch(condition), selectIds: undefined }
  const expected = await listAll(condition, 'id desc')
  const page = await find(search, { orderBy: 'id desc', pageNumber: 3 })
  expect(page.totalRow).toBe(expected.length)
  expect(getIds(page)).toEqual(expected.slice(2 * PAGE_SIZE, 3 * PAGE_SIZE))
})

it('a search that no index finds is combined with one that an index finds', async () => {
  const [rare, frequent] = [sql<boolean>`position % 100 = 1`, sql<boolean>`position > 5000`]
  const search = combineSearches([createSearch(rare), { ...createSearch(frequent), selectIds: undefined }])
  const expected = await listAll(sql<boolean>`${rare} and ${frequent}`, 'name')
  const page = await find(search, { orderBy: 'name', pageNumber: 2 })
  expect(page.totalRow).toBe(expected.length)
  expect(getIds(page)).toEqual(expected.slice(PAGE_SIZE, 2 * PAGE_SIZE))
})
