import { openDatabase } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { type CatalogFilter, type CatalogPage, MAX_MATCHES, MAX_PAGE_BYTES, searchCatalog } from './search.ts'

/** More entries than one request counts. */
const COUNT = MAX_MATCHES + 500

/**
 * Inserts entries whose conditions follow from their numbers: `first` is in the oldest 300, `even` and `odd`
 * in each second one.
 */
async function addEntries(db: Kysely<Tables>, from: number, to: number): Promise<void> {
  await sql`
    with added as (
      insert into facilitator.catalog_entries (account_id, entry_key, type, pay_to, scheme, network, asset, amount, words,
        content_hash, settle_count, first_settled_at, last_settled_at, last_settled_on)
      select 1, sha256(n::text::bytea), case when n % 3 = 0 then 'mcp' else 'http' end, 'recipient ' || n % 7, 'exact',
        case when n <= 300 then 'old' else 'new' end, 'asset ' || n % 2, n,
        array['resourc', case when n % 2 = 0 then 'even' else 'odd' end] || case when n <= 300 then array['first'] else '{}' end,
        '', 1, now(), now(), current_date
      from generate_series(${from}::integer, ${to}::integer) as n returning id
    )
    insert into facilitator.catalog_documents (entry_id, document)
    select a.id, jsonb_build_object('resource', a.id::text) from added a`.execute(db)
}

let db: Kysely<Tables>
const stops = new AsyncDisposableStack()
beforeAll(async () => {
  const database = await createFacilitatorDatabase()
  stops.defer(() => database.drop())
  const opened = openDatabase<Tables>({ url: database.url, role: facilitatorSchema.role, max: 2 })
  stops.defer(() => opened.close())
  db = opened.system
  await addEntries(db, 1, COUNT)
})
afterAll(() => stops.disposeAsync())

const search = (filter: CatalogFilter, page: Partial<CatalogPage> = {}) =>
  searchCatalog(db, filter, { limit: 100, offset: 0, ...page })

/** Reads all pages by their cursors. */
async function readAll(filter: CatalogFilter, limit = 100): Promise<number[]> {
  const ids: number[] = []
  let before: number | undefined
  do {
    const { entries, next } = await search(filter, { limit, before })
    ids.push(...entries.map(({ id }) => id))
    before = next
  } while (before !== undefined)
  return ids
}

const numbers = Array.from({ length: COUNT }, (_, index) => COUNT - index)

describe('all pages together have exactly the matches, newest first', () => {
  test.each<[string, CatalogFilter, (n: number) => boolean]>([
    ['without a filter', {}, () => true],
    ['with a word of all', { query: 'resources' }, () => true],
    ['with a word of the oldest', { query: 'first' }, (n) => n <= 300],
    ['with two words', { query: 'odd resource' }, (n) => n % 2 === 1],
    ['with words that exclude each other', { query: 'odd even' }, () => false],
    ['with an unknown word', { query: 'odd nothing' }, () => false],
    ['with stop words only', { query: 'of the' }, () => false],
    ['with signs only', { query: "'; drop table --" }, () => false],
    ['with a type', { type: 'mcp' }, (n) => n % 3 === 0],
    ['with a recipient', { payTo: 'recipient 3' }, (n) => n % 7 === 3],
    ['with a network', { network: 'old' }, (n) => n <= 300],
    ['with a network and a scheme', { network: 'old', scheme: 'exact' }, (n) => n <= 300],
    ['with an unknown scheme', { scheme: 'upto' }, () => false],
    [
      'with a narrow price range',
      { asset: 'asset 0', minAmount: 10n, maxAmount: 20n },
      (n) => n % 2 === 0 && n >= 10 && n <= 20,
    ],
    ['with a wide price range', { asset: 'asset 1', minAmount: 101n }, (n) => n % 2 === 1 && n >= 101],
    ['with a price range of any asset', { maxAmount: 50n }, (n) => n <= 50],
    [
      'with everything',
      {
        query: 'odd',
        type: 'http',
        payTo: 'recipient 3',
        scheme: 'exact',
        network: 'new',
        asset: 'asset 1',
        maxAmount: 900n,
      },
      (n) => n % 2 === 1 && n % 3 !== 0 && n % 7 === 3 && n > 300 && n <= 900,
    ],
  ])('%s', async (_, filter, matches) => {
    const expected = numbers.filter(matches)
    expect(await readAll(filter)).toEqual(expected)
    expect(await readAll(filter, 37)).toEqual(expected)
  })
})

test('counts the matches of a page and of those after it, up to a limit', async () => {
  expect((await search({ query: 'first' })).total).toBe(300)
  expect((await search({ maxAmount: 50n })).total).toBe(50)
  expect((await search({ query: 'resource' })).total).toBe(MAX_MATCHES)
  const { entries, next, total } = await search({ query: 'first', network: 'new' })
  expect({ entries, next, total }).toEqual({ entries: [], next: undefined, total: 0 })
})

test('finds no entry by a value of another column, or by a column as a word', async () => {
  expect((await search({ payTo: 'new' })).total).toBe(0)
  expect((await search({ query: 'network:new' })).total).toBe(0)
  expect((await search({ payTo: "recipient 3' | 'first" })).total).toBe(0)
  expect((await search({ payTo: 'recipient 3\\' })).total).toBe(0)
})

test('an offset leads to the same entries as cursors', async () => {
  const offset = MAX_MATCHES - 50
  const { entries, total } = await search({}, { offset, limit: 50 })
  expect(entries.map(({ id }) => id)).toEqual(numbers.slice(offset, offset + 50))
  expect(total).toBe(MAX_MATCHES)
})

test('a page has a limited size, and the next one continues after it', async () => {
  const COUNT_LARGE = 20
  await sql`
    with added as (
      insert into facilitator.catalog_entries (account_id, entry_key, type, pay_to, scheme, network, asset, amount, words,
        content_hash, settle_count, first_settled_at, last_settled_at, last_settled_on, document_bytes)
      select 1, sha256(('large ' || n)::bytea), 'http', 'large', 'exact', 'large', 'large', 1, '{}', '', 1, now(), now(),
        current_date, 32000
      from generate_series(1, ${COUNT_LARGE}::integer) as n returning id
    )
    insert into facilitator.catalog_documents (entry_id, document)
    select a.id, jsonb_build_object('description', repeat('a', 32000)) from added a`.execute(db)
  const { entries, ...rest } = await search({ payTo: 'large' })
  expect({ shown: entries.length, ...rest }).toEqual({
    shown: Math.floor(MAX_PAGE_BYTES / 32_000),
    limit: Math.floor(MAX_PAGE_BYTES / 32_000),
    next: entries.at(-1)?.id,
    total: COUNT_LARGE,
  })
  const ids = await readAll({ payTo: 'large' })
  expect(new Set(ids).size).toBe(COUNT_LARGE)
  expect(ids).toHaveLength(COUNT_LARGE)
  // One that is larger than a page has a page of its own.
  await sql`update facilitator.catalog_entries set document_bytes = 999999 where pay_to = 'large'`.execute(db)
  expect((await search({ payTo: 'large' })).entries.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  expect(await readAll({ payTo: 'large' })).toEqual(ids)
  await sql`delete from facilitator.catalog_entries where pay_to = 'large'`.execute(db)
})

test('pages stay the same while entries are added', async () => {
  const first = await search({ query: 'odd' }, { limit: 10 })
  await addEntries(db, COUNT + 1, COUNT + 20)
  const second = await search({ query: 'odd' }, { limit: 10, before: first.next })
  const expected = numbers.filter((n) => n % 2 === 1)
  const ids = [...first.entries, ...second.entries].map(({ id }) => id)
  expect(ids).toEqual(expected.slice(0, 20))
})
