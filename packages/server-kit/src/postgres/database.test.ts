import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { compileRead } from './compile-read.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { PLANNED_EACH_TIME } from './statement-names.ts'
import { transaction } from './transaction.ts'

interface Tables {
  'shop.cards': { id: number; project_id: number; name: string }
}

const role = 'database_test_role'
const plan = {
  schema: 'shop',
  role,
  migrations: [
    {
      id: '0001_cards',
      up: `
        create table shop.cards (id bigint primary key, project_id bigint not null, name text not null);
        alter table shop.cards enable row level security;
        create policy tenant on shop.cards using (project_id = current_setting('mintmark.project', true)::bigint);
        insert into shop.cards values (1, 1, 'ones'), (2, 2, 'twos');`,
    },
  ],
}

let home: TestDatabase
let database: Database<Tables>

beforeAll(async () => {
  home = await createTestDatabase()
  await migrate(home.url, plan)
  // One connection, so that every query follows another project's on it.
  database = openDatabase<Tables>({ url: home.url, role, max: 1 })
})

afterAll(async () => {
  await database.close()
  await home.drop()
})

const names = async (db: Kysely<Tables>) =>
  (await db.selectFrom('shop.cards').select('name').orderBy('id').execute()).map(({ name }) => name)

test('a project cannot insert, update or delete rows of another project', async () => {
  const db = database.forProject(1)
  const theirs = db.insertInto('shop.cards').values({ id: 9, project_id: 2, name: 'smuggled' })
  await expect(theirs.execute()).rejects.toThrow(/row-level security/)
  const changed = await db
    .updateTable('shop.cards')
    .set({ name: 'changed' })
    .where('id', '=', 2)
    .executeTakeFirst()
  expect(changed.numUpdatedRows).toBe(0n)
  const removed = await db.deleteFrom('shop.cards').where('id', '=', 2).executeTakeFirst()
  expect(removed.numDeletedRows).toBe(0n)
})

test("projects that share a connection never read each other's rows, even after errors and rollbacks", async () => {
  const rounds = Array.from({ length: 60 }, async (_, round) => {
    const project = 1 + (round % 2)
    const db = database.forProject(project)
    if (round % 5 === 0) await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow(/division by zero/)
    if (round % 7 === 0) {
      const failing = transaction(db, async (trx) => {
        await names(trx)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
    }
    expect(await names(db)).toEqual([project === 1 ? 'ones' : 'twos'])
  })
  await Promise.all(rounds)
})

test('system queries have no project, even on a connection that has just served one', async () => {
  await names(database.forProject(1))
  const { rows } = await sql<{
    project: string
    role: string
  }>`select current_setting('mintmark.project') as project, current_user as role`.execute(database.system)
  expect(rows).toEqual([{ project: '', role }])
  await expect(names(database.system)).rejects.toThrow(/invalid input syntax for type bigint/)
})

test('connections that are taken directly from the pool have no project', async () => {
  const text = `select current_setting('mintmark.project') as project, current_user as role`
  await names(database.forProject(1))
  expect((await database.pool.query(text)).rows).toEqual([{ project: '', role }])
  await names(database.forProject(2))
  const client = await database.pool.connect()
  expect((await client.query(text)).rows).toEqual([{ project: '', role }])
  client.release()
})

test('a connection that is released during a transaction is not used again', async () => {
  const pid = async () =>
    (await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await pid()
  const client = await database.pool.connect()
  await client.query('begin')
  client.release()
  expect(await pid()).not.toBe(before)
})

test('a connection is bound once while it serves the same project', async () => {
  const db = database.forProject(1)
  await names(db)
  const client = await database.pool.connect()
  const querySpy = vi.spyOn(client, 'query')
  client.release()
  await names(db)
  await names(db)
  await names(db)
  // Bound once, after the release above unbound it, and then the three queries.
  expect(querySpy).toHaveBeenCalledTimes(4)
  querySpy.mockRestore()
})

test('each statement text is prepared once per connection', async () => {
  await names(database.forProject(1))
  await names(database.forProject(2))
  const { rows } = await database.pool.query<{ uses: number }>(
    `select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%from "shop"."cards" order by%'`,
  )
  expect(rows).toHaveLength(1)
})

test('a query is repeated when a migration has added a column to its result', async () => {
  const db = openDatabase<Tables>({ url: home.url, max: 1 })
  const all = () => db.system.selectFrom('shop.cards').selectAll().orderBy('id').execute()
  await all()
  await sql`alter table shop.cards add column added text`.execute(db.system)
  expect(await all()).toMatchObject([{ added: null }, { added: null }])
  await sql`alter table shop.cards drop column added`.execute(db.system)
  expect(
    await transaction(db.system, (trx) => trx.selectFrom('shop.cards').selectAll().execute()),
  ).toHaveLength(2)
  await db.close()
})

test('bigint, numeric and timestamptz columns become numbers, strings and dates', async () => {
  const { rows } = await sql`
    select 7::bigint as id, array[1, null, 3]::bigint[] as ids, ${'9'.repeat(78)}::numeric(78, 0) as amount,
      '2024-02-29T12:00:00Z'::timestamptz as time, count(*) as rows
    from pg_class where false`.execute(database.system)
  expect(rows).toEqual([
    { id: 7, ids: [1, null, 3], amount: '9'.repeat(78), time: new Date('2024-02-29T12:00:00Z'), rows: 0 },
  ])
})

test('a bigint above Number.MAX_SAFE_INTEGER is an error and is never rounded', async () => {
  const { rows } = await sql`select ${String(Number.MAX_SAFE_INTEGER)}::bigint as id`.execute(database.system)
  expect(rows).toEqual([{ id: Number.MAX_SAFE_INTEGER }])
  await expect(sql`select 9007199254740992::bigint as id`.execute(database.system)).rejects.toThrow(
    /9007199254740992/,
  )
  expect(await names(database.forProject(1))).toEqual(['ones'])
})

test('a broken connection is replaced, and fails at most the query that uses it', async () => {
  const warn = vi.fn()
  const broken = openDatabase<Tables>({ url: home.url, role, max: 1, log: { warn } })
  const other = openDatabase<Tables>({ url: home.url, max: 1 })
  const pidOf = async (db: Kysely<Tables>) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const end = (pid: number | undefined) => sql`select pg_terminate_backend(${pid})`.execute(other.system)

  await end(await pidOf(broken.system))
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 30_000 })
  expect(await names(broken.forProject(1))).toEqual(['ones'])

  const lost = transaction(broken.forProject(1), async (trx) => {
    await end(await pidOf(trx))
    await names(trx)
  })
  await expect(lost).rejects.toThrow(/terminat|connection error/)
  expect(await names(broken.forProject(1))).toEqual(['ones'])
  await broken.close()
  await other.close()
})

test('a statement waits no longer for a lock than the lock timeout, and its connection stays usable', async () => {
  const holder = openDatabase<Tables>({ url: home.url, max: 1 })
  const waiter = openDatabase<Tables>({ url: home.url, max: 1, lockTimeoutMs: 200 })
  const change = (db: Kysely<Tables>) =>
    db.updateTable('shop.cards').set({ name: 'ones' }).where('id', '=', 1).execute()
  await transaction(holder.system, async (trx) => {
    await change(trx)
    await expect(change(waiter.system)).rejects.toThrow('lock timeout')
  })
  await change(waiter.system)
  await holder.close()
  await waiter.close()
})

test('a compiled read returns the same rows as its query, for each project and in a transaction', async () => {
  const byId = compileRead((db: Kysely<Tables>, input: { id: number; prefix: string }) =>
    db.selectFrom('shop.cards').select('name').where('id', '=', input.id).where('name', 'like', input.prefix),
  )
  expect(await byId(database.forProject(1), { id: 1, prefix: 'o%' })).toEqual([{ name: 'ones' }])
  expect(await byId(database.forProject(2), { id: 1, prefix: 'o%' })).toEqual([])
  expect(await byId(database.forProject(2), { id: 2, prefix: 't%' })).toEqual([{ name: 'twos' }])
  await transaction(database.forProject(1), async (trx) => {
    await trx.insertInto('shop.cards').values({ id: 5, project_id: 1, name: 'fresh' }).execute()
    expect(await byId(trx, { id: 5, prefix: 'f%' })).toEqual([{ name: 'fresh' }])
    await trx.deleteFrom('shop.cards').where('id', '=', 5).execute()
  })
})

test('forProject rejects an invalid project id', () => {
  for (const id of [0, -1, 1.5, Number.NaN]) expect(() => database.forProject(id)).toThrow(RangeError)
})

/** Reads whether the planner of a connection sorts, in a statement of a list or in another one. */
async function readEnableSort(db: Kysely<Tables>, prefix = ''): Promise<string> {
  const { rows } = await sql<{ value: string }>`${sql.raw(prefix)}
    select current_setting('enable_sort') as value`.execute(db)
  return rows[0]?.value ?? ''
}

test('only the statements of lists are planned without sorts, on whatever connection and for whatever project', async () => {
  const [one, two] = [database.forProject(1), database.forProject(2)]
  expect(await readEnableSort(one, PLANNED_EACH_TIME)).toBe('off')
  expect(await readEnableSort(one)).toBe('on')
  expect(await readEnableSort(two, PLANNED_EACH_TIME)).toBe('off')
  expect((await database.pool.query('show enable_sort')).rows).toEqual([{ enable_sort: 'on' }])
  expect(await readEnableSort(one, PLANNED_EACH_TIME)).toBe('off')
  expect(await readEnableSort(database.system)).toBe('on')
})

test('a transaction that rolls back leaves the planner of lists and of other statements as they were', async () => {
  const db = database.forProject(1)
  const failed = db.transaction().execute(async (trx) => {
    expect(await readEnableSort(trx, PLANNED_EACH_TIME)).toBe('on')
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await readEnableSort(db, PLANNED_EACH_TIME)).toBe('off')
  expect(await readEnableSort(db)).toBe('on')
})
