import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import {
  checkSchema,
  type Migration,
  MigrationFailedError,
  migrate,
  readSchemaStatus,
  SchemaMismatchError,
} from './migrations.ts'
import { UnusableRoleError } from './roles.ts'

const role = 'migrations_test_role'
const plan = (...migrations: Migration[]) => ({
  schema: 'shop',
  role,
  migrations,
  migrateCommand: 'shop migrate',
})

const cards: Migration = {
  id: '0001_cards',
  up: 'create table shop.cards (id bigint primary key, name text)',
}
const stock: Migration = {
  id: '0002_stock',
  up: 'alter table shop.cards add column stock bigint not null default 0',
}
const index: Migration = {
  id: '0003_index',
  up: 'create index concurrently if not exists cards_name on shop.cards (name)',
  outsideTransaction: true,
}

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

test('runs migrations in order, once, and records them', async () => {
  expect(await migrate(home.url, plan(cards))).toEqual(['0001_cards'])
  expect(await migrate(home.url, plan(cards, stock, index))).toEqual(['0002_stock', '0003_index'])
  expect(await migrate(home.url, plan(cards, stock, index))).toEqual([])
  expect(await rows('select id from shop.migrations order by id')).toEqual([
    { id: '0001_cards' },
    { id: '0002_stock' },
    { id: '0003_index' },
  ])
  expect(await rows('select stock from shop.cards')).toEqual([])
})

test('runs each migration once when several processes migrate concurrently', async () => {
  const slow: Migration = { id: '0004_slow', up: 'select pg_sleep(0.3); create table shop.slow ()' }
  const whole = plan(cards, stock, index, slow)
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(home.url, whole)))
  expect(done.flat()).toEqual(['0001_cards', '0002_stock', '0003_index', '0004_slow'])
  expect(await readSchemaStatus(home.url, whole)).toEqual({
    state: 'current',
    pending: [],
    pendingFunctions: [],
    unknown: [],
    contracted: [],
  })
})

test('migrates databases of one server concurrently although they create the same role', async () => {
  const shared = 'migrations_test_shared_role'
  const others = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()))
  await Promise.all(others.map(({ url }) => migrate(url, { ...plan(cards), role: shared })))
  for (const other of others) await other.drop()
})

test('rolls back a failed migration, keeps the ones before it, and names it in the error', async () => {
  const broken: Migration = { id: '0002_broken', up: 'create table shop.half (); select 1 / 0' }
  const failing = migrate(home.url, plan(cards, broken))
  await expect(failing).rejects.toThrow('migration 0002_broken failed: division by zero')
  await expect(failing).rejects.toBeInstanceOf(MigrationFailedError)
  expect(
    await rows(`select to_regclass('shop.half')::text as half, to_regclass('shop.cards')::text as cards`),
  ).toEqual([{ half: null, cards: 'shop.cards' }])
  expect(await migrate(home.url, plan(cards, stock))).toEqual(['0002_stock'])
})

test('fails a migration whose table stays locked, so that later statements do not wait behind it', async () => {
  await migrate(home.url, plan(cards))
  await owner.system.transaction().execute(async (trx) => {
    await sql`select * from shop.cards`.execute(trx)
    const waiting = migrate(home.url, plan(cards, stock))
    await expect(waiting).rejects.toThrow(/0002_stock failed: .*lock timeout/)
  })
})

test('the role can use the tables of all migrations, but change neither the schema nor its history', async () => {
  await migrate(home.url, plan(cards, stock))
  const server = openDatabase({ url: home.url, role, max: 1 })
  const run = (text: string) => sql.raw(text).execute(server.system)
  await run(`insert into shop.cards values (1, 'a'); update shop.cards set stock = 2; delete from shop.cards`)
  await run('select * from shop.migrations')
  await expect(run(`insert into shop.migrations values ('9999')`)).rejects.toThrow(/permission denied/)
  await expect(run('create table shop.more ()')).rejects.toThrow(/permission denied/)
  await expect(run('drop table shop.cards')).rejects.toThrow(/must be owner/)
  await server.close()
})

test('keeps privileges revoked that a migration revoked from the role', async () => {
  const ledger: Migration = {
    id: '0002_ledger',
    up: `create table shop.ledger (id bigint); revoke update, delete on shop.ledger from ${role}`,
  }
  await migrate(home.url, plan(cards, ledger))
  await migrate(home.url, plan(cards, ledger))
  const server = openDatabase({ url: home.url, role, max: 1 })
  await expect(sql`delete from shop.ledger`.execute(server.system)).rejects.toThrow(/permission denied/)
  await server.close()
})

test('refuses a role that bypasses row-level security', async () => {
  const loose = 'migrations_test_loose_role'
  await sql.raw(`drop role if exists ${loose}; create role ${loose} bypassrls`).execute(owner.system)
  await expect(migrate(home.url, { ...plan(cards), role: loose })).rejects.toBeInstanceOf(UnusableRoleError)
  await sql.raw(`drop role ${loose}`).execute(owner.system)
})

test("revokes access to the owner's tables, also after somebody granted it", async () => {
  const own = { ...plan(cards), ownerTables: ['cards', 'not_created_yet'] }
  const canRead = async () => {
    const { rows } = await sql<{ readable: boolean }>`
      select has_table_privilege(${role}, 'shop.cards', 'select') as readable`.execute(owner.system)
    return rows[0]?.readable
  }
  await migrate(home.url, plan(cards))
  expect(await canRead()).toBe(true)
  await migrate(home.url, own)
  expect(await canRead()).toBe(false)
})

test('uses a role that an administrator created, or reports the commands that create it', async () => {
  const url = new URL(home.url)
  const name = url.pathname.slice(1)
  const [user, made] = [`${name}_user`, `${name}_role`]
  await sql
    .raw(`create role ${user} login password 'secret'; grant create on database ${name} to ${user}`)
    .execute(owner.system)
  url.username = user
  url.password = 'secret'
  const theirs = { ...plan(cards), role: made }

  await expect(migrate(url.href, theirs)).rejects.toThrow(
    `CREATE ROLE ${made} NOLOGIN; GRANT ${made} TO ${user};`,
  )
  await sql.raw(`create role ${made} nologin; grant ${made} to ${user}`).execute(owner.system)
  expect(await migrate(url.href, theirs)).toEqual(['0001_cards'])

  await sql
    .raw(`drop owned by ${user}; drop owned by ${made}; drop role ${user}, ${made}`)
    .execute(owner.system)
})

test('refuses to serve an outdated schema and names the command that migrates it', async () => {
  await expect(checkSchema(home.url, plan(cards))).rejects.toThrow(/outdated .*0001_cards.*`shop migrate`/)
  await migrate(home.url, plan(cards))
  expect(await checkSchema(home.url, plan(cards))).toMatchObject({ state: 'current' })
  await expect(checkSchema(home.url, plan(cards, stock))).rejects.toThrow(/lacks 0002_stock/)
})

test('serves a schema to which newer versions have only added', async () => {
  await migrate(home.url, plan(cards, stock))
  expect(await checkSchema(home.url, plan(cards))).toMatchObject({ state: 'newer', unknown: ['0002_stock'] })
  expect(await migrate(home.url, plan(cards))).toEqual([])
})

test('neither serves nor migrates a schema from which a newer version removed something', async () => {
  const unnamed: Migration = {
    id: '0002_unnamed',
    up: 'alter table shop.cards drop column name',
    contracts: true,
  }
  await migrate(home.url, plan(cards, unnamed))
  await expect(checkSchema(home.url, plan(cards))).rejects.toThrow(/newer .*0002_unnamed removed/)
  await expect(migrate(home.url, plan(cards))).rejects.toBeInstanceOf(SchemaMismatchError)
  expect(await checkSchema(home.url, plan(cards, unnamed))).toMatchObject({ state: 'current' })
})

test('neither serves nor migrates a schema with another history', async () => {
  await migrate(home.url, plan(cards, stock))
  const other = plan(cards, index)
  await expect(checkSchema(home.url, other)).rejects.toThrow(
    /another history .*0002_stock and lacks 0003_index/,
  )
  await expect(migrate(home.url, other)).rejects.toBeInstanceOf(SchemaMismatchError)
})

test('neither serves nor migrates a schema that was created from another baseline', async () => {
  await migrate(home.url, plan(cards))
  const restarted = plan({ ...cards, id: '0001_baseline' })
  const message = /created by an earlier version and cannot be migrated\. Create a new database/
  await expect(checkSchema(home.url, restarted)).rejects.toThrow(message)
  await expect(migrate(home.url, restarted)).rejects.toThrow(message)
  expect(await readSchemaStatus(home.url, restarted)).toMatchObject({ state: 'incompatible' })
})

test('refuses migrations that are out of order before it changes anything', async () => {
  await expect(migrate(home.url, plan(stock, cards))).rejects.toThrow(/Ids must ascend/)
  expect(await rows(`select from pg_namespace where nspname = 'shop'`)).toEqual([])
})
