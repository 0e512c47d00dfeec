import { Socket } from 'node:net'
import { startFreezingProxy } from '@mintmark/devkit/postgres/freezing-proxy'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { compileRead } from './compile-read.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate } from './migrations.ts'
import { ProjectPool } from './project-pool.ts'

interface Tables {
  'shop.cards': { id: number; project_id: number; name: string }
}

const role = 'pipeline_test_role'
let home: TestDatabase
beforeAll(async () => {
  home = await createTestDatabase()
  await migrate(home.url, {
    schema: 'shop',
    role,
    migrations: [
      {
        id: '0001_cards',
        up: `
          create table shop.cards (id bigint primary key, project_id bigint not null, name text not null);
          alter table shop.cards enable row level security;
          create policy tenant on shop.cards using (project_id = current_setting('mintmark.project', true)::bigint);
          insert into shop.cards select id, 1 + id % 3, 'card ' || id from generate_series(1, 90) as id;`,
      },
    ],
  })
})
afterAll(() => home.drop())

let warn = vi.fn()
let database: Database<Tables>
let owner: Database<Tables>
beforeEach(() => {
  warn = vi.fn()
  database = openDatabase<Tables>({
    url: home.url,
    role,
    max: 2,
    applicationName: 'pipelined',
    log: { warn },
  })
  owner = openDatabase<Tables>({ url: home.url, max: 1 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
  await owner.close()
})

/** Has no condition on the project: only row-level security limits the rows. */
const readName = compileRead((db: Database<Tables>['system'], { id }: { id: number }) =>
  db.selectFrom('shop.cards').select('name').where('id', '=', id),
)
const read = async (project: number, id: number) =>
  (await readName(database.forProject(project), { id }))[0]?.name

/** The server's processes for this database's connections. */
const backends = async () =>
  (
    await sql<{ pid: number }>`select pid from pg_stat_activity where application_name = 'pipelined'`.execute(
      owner.system,
    )
  ).rows.map(({ pid }) => pid)

test('concurrent reads of many projects share one connection, and each reads only its own rows', async () => {
  const requests = Array.from({ length: 600 }, (_, at) => ({ project: 1 + (at % 4), id: 1 + (at % 90) }))
  const names = await Promise.all(requests.map(({ project, id }) => read(project, id)))
  for (const [at, { project, id }] of requests.entries()) {
    expect(names[at], `project ${project}, card ${id}`).toBe(
      1 + (id % 3) === project ? `card ${id}` : undefined,
    )
  }
  expect(await backends()).toHaveLength(1)
})

test('concurrent reads are sent in one write', async () => {
  await read(2, 1)
  const write = vi.spyOn(Socket.prototype, '_writev')
  expect(await Promise.all([read(2, 1), read(3, 2), read(2, 4)])).toEqual(['card 1', 'card 2', 'card 4'])
  expect(write).toHaveBeenCalledTimes(1)
})

test('a read that fails does not affect the reads before and after it', async () => {
  const broken = compileRead((db: Database<Tables>['system'], { by }: { by: number }) =>
    db.selectFrom('shop.cards').select(sql<number>`1 / ${by}::int`.as('share')).where('id', '=', 1),
  )
  const db = database.forProject(2)
  const results = await Promise.allSettled([
    read(2, 1),
    broken(db, { by: 0 }),
    read(2, 4),
    broken(db, { by: 1 }),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  ).toEqual(['card 1', 'error: division by zero', 'card 4', [{ share: 1 }]])
})

test('reads are repeated when their connection breaks, and later reads use a new one', async () => {
  expect(await read(2, 1)).toBe('card 1')
  const [pid] = await backends()
  const slow = compileRead((db: Database<Tables>['system'], { seconds }: { seconds: number }) =>
    db
      .selectFrom('shop.cards')
      .select(['name', sql`pg_sleep(${seconds}::float8)`.as('slept')])
      .where('id', '=', 1),
  )
  const waiting = Promise.all([slow(database.forProject(2), { seconds: 0.3 }), read(3, 2), read(2, 4)])
  await vi.waitFor(
    async () => {
      const { rows } =
        await sql`select 1 from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%'`.execute(
          owner.system,
        )
      expect(rows).toHaveLength(1)
    },
    { timeout: 30_000 },
  )
  await sql`select pg_terminate_backend(${pid})`.execute(owner.system)
  const [slept, two, four] = await waiting
  expect([slept[0]?.name, two, four]).toEqual(['card 1', 'card 2', 'card 4'])
  expect(warn).toHaveBeenCalledTimes(1)
  expect(await read(2, 4)).toBe('card 4')
  expect(await backends()).not.toContain(pid)
})

test('reads are repeated when their connection no longer responds, as after a network has dropped it', async () => {
  const proxy = await startFreezingProxy(home.url)
  onTestFinished(() => proxy.close())
  const frozen = openDatabase<Tables>({ url: proxy.url, role, max: 2, connectTimeoutMs: 500, log: { warn } })
  const readFrozen = async () => (await readName(frozen.forProject(2), { id: 1 }))[0]?.name
  expect(await readFrozen()).toBe('card 1')
  proxy.freeze()
  expect(await Promise.all([readFrozen(), readFrozen()])).toEqual(['card 1', 'card 1'])
  expect(warn).toHaveBeenCalledTimes(1)
  const connectSpy = vi.spyOn(ProjectPool.prototype, 'connectFor')
  expect(await readFrozen()).toBe('card 1')
  expect(connectSpy.mock.contexts).not.toContain(frozen.pool)
  await frozen.close()
})

test('results from a connection whose binding to a project failed are discarded', async () => {
  expect(await read(2, 1)).toBe('card 1')
  const { query } = pg.Client.prototype
  let failed = 0
  // The binding to project 3 is sent as a statement that fails, so that the connection stays bound to project
  // 2.
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, config: never) {
    const { text, values } = config as { text?: string; values?: unknown[] }
    const isBinding =
      text?.includes(`set_config('mintmark.project'`) && values?.[0] === '3' && values.length === 1
    if (!isBinding || failed > 0) return Reflect.apply(query, this, [config])
    failed += 1
    return Reflect.apply(query, this, [{ text: 'select 1 / $1::int', values: [0] }])
  } as never)
  // Card 1 belongs to project 2: a read under the previous binding would return it.
  expect(await Promise.all([read(3, 1), read(3, 2)])).toEqual([undefined, 'card 2'])
  expect(failed).toBe(1)
  expect(warn).toHaveBeenCalled()
})

test('a read is repeated when a migration has added a column to its result', async () => {
  const all = compileRead((db: Database<Tables>['system'], { id }: { id: number }) =>
    db.selectFrom('shop.cards').selectAll().where('id', '=', id),
  )
  const db = database.forProject(2)
  expect(await all(db, { id: 1 })).toEqual([{ id: 1, project_id: 2, name: 'card 1' }])
  await sql`alter table shop.cards add column added text`.execute(owner.system)
  expect(await all(db, { id: 1 })).toMatchObject([{ added: null }])
  // The pool repeats the first read. After that the shared connection has prepared the statement again.
  const connectSpy = vi.spyOn(ProjectPool.prototype, 'connectFor')
  expect(await all(db, { id: 1 })).toMatchObject([{ added: null }])
  expect(connectSpy.mock.contexts).not.toContain(database.pool)
  await sql`alter table shop.cards drop column added`.execute(owner.system)
  expect(await Promise.all([all(db, { id: 1 }), all(db, { id: 4 })])).toHaveLength(2)
})

test('closing waits for reads in flight, and rejects later ones', async () => {
  const reads = Promise.all([read(2, 1), read(3, 2)])
  await new Promise((resolve) => setImmediate(resolve))
  await database.close()
  expect(await reads).toEqual(['card 1', 'card 2'])
  await expect(read(2, 1)).rejects.toThrow(/end/)
})

test('compileRead rejects queries that lock or write', async () => {
  const locking = compileRead((db: Database<Tables>['system'], { id }: { id: number }) =>
    db.selectFrom('shop.cards').selectAll().where('id', '=', id).forUpdate(),
  )
  const writing = compileRead((db: Database<Tables>['system'], { id }: { id: number }) =>
    db.deleteFrom('shop.cards').where('id', '=', id).returningAll(),
  )
  const db = database.forProject(1)
  await expect(locking(db, { id: 1 })).rejects.toThrow(/without locks/)
  await expect(writing(db, { id: 1 })).rejects.toThrow(/without locks/)
})

test('a read by key uses its index even when its plan was made while the table was empty', async () => {
  await sql`create table shop.grown (id bigint primary key, project_id bigint not null)`.execute(owner.system)
  await sql`alter table shop.grown set (autovacuum_enabled = false)`.execute(owner.system)
  await sql`grant select on shop.grown to ${sql.id(role)}`.execute(owner.system)
  // The statistics say that the table is empty, so that the planner expects a scan to cost nothing.
  await sql`vacuum (analyze) shop.grown`.execute(owner.system)
  interface Grown {
    'shop.grown': { id: number; project_id: number }
  }
  const db = openDatabase<Grown>({ url: home.url, role, max: 1 })
  const byId = compileRead((reader: Database<Grown>['system'], { id }: { id: number }) =>
    reader.selectFrom('shop.grown').select('id').where('id', '=', id),
  )
  try {
    // The plan becomes generic after five executions.
    for (let time = 0; time < 8; time += 1) await byId(db.forProject(1), { id: 1 })
    await sql`insert into shop.grown select id, 1 from generate_series(1, 20000) as id`.execute(owner.system)
    expect(await byId(db.forProject(1), { id: 20_000 })).toEqual([{ id: 20_000 }])
  } finally {
    // The counters of a connection are final once it has ended.
    await db.close()
  }
  await vi.waitFor(async () => {
    const { rows } = await sql<{ seq_tup_read: number; idx_scan: number }>`
      select seq_tup_read, idx_scan from pg_stat_user_tables where relid = 'shop.grown'::regclass`.execute(
      owner.system,
    )
    expect(rows[0]).toEqual({ seq_tup_read: 0, idx_scan: 9 })
  }, 170_000)
})
