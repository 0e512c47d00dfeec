import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { checkSchema, type Migration, migrate, readSchemaStatus } from './migrations.ts'
import { readSqlFunctions, type SqlFunction, SqlFunctionError } from './sql-functions.ts'

const cards: Migration = {
  id: '0001_cards',
  up: 'create table shop.cards (id bigint primary key, price bigint not null default 0)',
}
const stock: Migration = { id: '0002_stock', up: 'alter table shop.cards add column stock bigint' }

const plan = (functions: readonly SqlFunction[], migrations: readonly Migration[] = [cards]) => ({
  schema: 'shop',
  role: 'functions_test_role',
  migrations,
  functions,
  migrateCommand: 'shop migrate',
})

const returning = (name: string, expression: string, result = 'bigint'): SqlFunction => ({
  name,
  sql: `create or replace function shop.${name}() returns ${result} language sql as $$ select ${expression} $$`,
})
const one = returning('total', '1::bigint')
const two = returning('total', '2::bigint')

let home: TestDatabase
let owner: Database<unknown>

beforeEach(async () => {
  home = await createTestDatabase()
  owner = openDatabase({ url: home.url, max: 2 })
})

afterEach(async () => {
  await owner.close()
  await home.drop()
})

const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(owner.system)).rows
const signatures = async () =>
  (
    await rows(
      `select oid::regprocedure::text as signature from pg_proc where pronamespace = 'shop'::regnamespace order by 1`,
    )
  ).map(({ signature }) => signature)
const versionOf = async (name: string) => {
  const [row] = await rows(`select xmin::text as version from pg_proc where proname = '${name}'`)
  return row?.version
}

test('creates functions after the migrations and calls them', async () => {
  const sum = returning('sum_of_prices', 'coalesce(sum(price), 0)::bigint from shop.cards')
  expect(await migrate(home.url, plan([sum]))).toEqual(['0001_cards'])
  expect(await rows('select shop.sum_of_prices() as sum')).toEqual([{ sum: 0 }])
})

test('re-creates a function whose text changed', async () => {
  await migrate(home.url, plan([one]))
  expect(await migrate(home.url, plan([two]))).toEqual([])
  expect(await rows('select shop.total() as total')).toEqual([{ total: 2 }])
})

test('re-creates a function whose text changed back to an earlier one', async () => {
  for (const each of [one, two, one]) await migrate(home.url, plan([each]))
  expect(await rows('select shop.total() as total')).toEqual([{ total: 1 }])
})

test('leaves a function alone whose text did not change', async () => {
  const other = returning('other', '1::bigint')
  await migrate(home.url, plan([other, one]))
  const version = await versionOf('other')
  await migrate(home.url, plan([other, two]))
  expect(await versionOf('other')).toBe(version)
})

test('creates a function after the functions that it calls', async () => {
  const double = returning('double_total', '2 * shop.total()')
  await migrate(home.url, plan([one, double]))
  expect(await rows('select shop.double_total() as total')).toEqual([{ total: 2 }])
})

test('drops the previous version of a function whose parameters changed', async () => {
  await migrate(home.url, plan([one]))
  const withFactor = {
    name: 'total',
    sql: 'create or replace function shop.total(factor bigint) returns bigint language sql as $$ select 3 * factor $$',
  }
  await migrate(home.url, plan([withFactor]))
  expect(await signatures()).toEqual(['shop.total(bigint)'])
  expect(await rows('select shop.total(2) as total')).toEqual([{ total: 6 }])
})

test('replaces a function whose result has another type', async () => {
  await migrate(home.url, plan([one]))
  await migrate(home.url, plan([returning('total', `'many'`, 'text')]))
  expect(await rows('select shop.total() as total')).toEqual([{ total: 'many' }])
})

test('drops a function that the plan no longer lists', async () => {
  await migrate(home.url, plan([one, returning('other', '1::bigint')]))
  await migrate(home.url, plan([one]))
  expect(await signatures()).toEqual(['shop.total()'])
})

test('keeps a trigger when its function is re-created', async () => {
  const setting = (price: number): SqlFunction => ({
    name: 'set_price',
    sql: `create or replace function shop.set_price() returns trigger language plpgsql as $$
      begin new.price := ${price}; return new; end $$;
      create or replace trigger set_price before insert on shop.cards for each row execute function shop.set_price()`,
  })
  await migrate(home.url, plan([setting(5)]))
  await migrate(home.url, plan([setting(7)]))
  await rows('insert into shop.cards (id) values (1)')
  expect(await rows('select price from shop.cards')).toEqual([{ price: 7 }])
})

test('updates functions once when several processes migrate concurrently', async () => {
  await migrate(home.url, plan([one]))
  const done = await Promise.all(
    Array.from({ length: 5 }, () => migrate(home.url, plan([two], [cards, stock]))),
  )
  expect(done.flat()).toEqual(['0002_stock'])
  expect(await rows('select shop.total() as total')).toEqual([{ total: 2 }])
  expect(await rows('select name from shop.sql_functions order by applied_at')).toHaveLength(2)
})

test('rolls back the last migration and all functions when a function fails', async () => {
  await migrate(home.url, plan([one]))
  const broken = returning('broken', 'price from shop.missing')
  const failing = migrate(home.url, plan([two, broken], [cards, stock]))
  await expect(failing).rejects.toThrow(/The SQL function broken could not be updated: .*shop\.missing/)
  await expect(failing).rejects.toBeInstanceOf(SqlFunctionError)
  expect(await rows('select shop.total() as total')).toEqual([{ total: 1 }])
  expect(await rows('select id from shop.migrations')).toEqual([{ id: '0001_cards' }])
})

test('refuses to serve a schema whose functions are outdated, and serves one whose functions are newer', async () => {
  await migrate(home.url, plan([one]))
  await expect(checkSchema(home.url, plan([two]))).rejects.toThrow(
    /outdated \(it lacks function total\).*`shop migrate`/,
  )
  await migrate(home.url, plan([two]))
  expect(await checkSchema(home.url, plan([two]))).toMatchObject({ state: 'current' })
  expect(await checkSchema(home.url, plan([one]))).toMatchObject({ state: 'current' })
})

test('leaves the functions of a newer schema alone', async () => {
  await migrate(home.url, plan([two], [cards, stock]))
  expect(await migrate(home.url, plan([one]))).toEqual([])
  expect(await rows('select shop.total() as total')).toEqual([{ total: 2 }])
  expect(await readSchemaStatus(home.url, plan([one]))).toMatchObject({ state: 'newer' })
})

test('the role can read which functions were applied, but not write it', async () => {
  await migrate(home.url, plan([one]))
  const server = openDatabase({ url: home.url, role: 'functions_test_role', max: 1 })
  const run = (text: string) => sql.raw(text).execute(server.system)
  await run('select * from shop.sql_functions')
  await expect(run(`delete from shop.sql_functions`)).rejects.toThrow(/permission denied/)
  await expect(run('drop function shop.total()')).rejects.toThrow(/must be owner/)
  await server.close()
})

test('reads functions from a folder in the given order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'functions-'))
  try {
    for (const { name, sql: text } of [one, returning('other', '1')])
      writeFileSync(join(folder, `${name}.sql`), text)
    const functions = readSqlFunctions(pathToFileURL(`${folder}/`), ['total', 'other'])
    expect(functions).toEqual([one, returning('other', '1')])
    expect(() => readSqlFunctions(pathToFileURL(`${folder}/`), ['missing'])).toThrow(/missing\.sql/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
