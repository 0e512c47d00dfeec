import { createTestDatabase } from '@mintmark/devkit/testing'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabaseCheck } from './check-database.ts'
import { createServerCheck, listServerProblems, listStandbyProblems } from './check-postgres.ts'

const settings = { synchronous_commit: 'on', synchronous_standby_names: 'one' }
type Standbys = Parameters<typeof listStandbyProblems>[0]['standbys']

const listMessages = (standbys: Standbys, changes: Partial<typeof settings> = {}) =>
  listStandbyProblems({ settings: { ...settings, ...changes }, standbys }).flatMap(
    (problem) => problem?.message ?? [],
  )

it.each(['sync', 'quorum', 'potential'])('doctor accepts a standby whose state is %s', (syncState) => {
  expect(listMessages([{ name: 'one', syncState }])).toEqual([])
})

it('doctor warns about each standby that is not synchronous, beside one that is', () => {
  const standbys = [
    { name: 'one', syncState: 'sync' },
    { name: 'two', syncState: 'async' },
  ]
  expect(listMessages(standbys)).toEqual([expect.stringContaining('not synchronous (two)')])
})

it.each(['local', 'off'])(
  'doctor warns about a synchronous standby for which no commit waits because synchronous_commit is %s',
  (synchronous_commit) => {
    expect(listMessages([{ name: 'one', syncState: 'sync' }], { synchronous_commit })).toEqual([
      expect.stringContaining(`synchronous_commit is ${synchronous_commit}`),
    ])
  },
)

it('doctor warns when the user may not see the state of standbys, unless none can be synchronous', () => {
  const standbys = [{ name: 'pid 7', syncState: null }]
  expect(listMessages(standbys)).toEqual([expect.stringContaining('may not see')])
  expect(listMessages(standbys, { synchronous_standby_names: '' })).toEqual([
    expect.stringContaining('not synchronous (pid 7)'),
  ])
})

it('doctor accepts PostgreSQL 15, and refuses older versions and servers whose data a crash destroys', () => {
  const facts = { encoding: 'UTF8', isCollationStale: false, missingExtensions: [], distributedTables: [] }
  const list = (changes: Record<string, string>) =>
    listServerProblems({ ...facts, settings: changes }).flatMap((problem) => problem?.message ?? [])
  expect(list({ server_version: '15.0', server_version_num: '150000', fsync: 'on' })).toEqual([])
  const old = { server_version: '14.9', server_version_num: '140009', fsync: 'off', full_page_writes: 'off' }
  expect(list(old)).toEqual([
    'PostgreSQL 14.9 is too old',
    'fsync = off: a crash of the database server destroys data',
    'full_page_writes = off: a crash of the database server destroys data',
  ])
})

it('doctor refuses tables that Citus has distributed', async () => {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const check = createServerCheck({ extensions: [], connections: 1, otherConnections: 1 })
  const diagnose = async () => {
    const outcomes = await createDatabaseCheck(url, [check]).run()
    return outcomes.map(({ message }) => message).filter((message) => message.includes('distributed'))
  }
  expect(await diagnose()).toEqual([])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // What Citus stores about its tables.
  await client.query('create table pg_dist_partition (logicalrelid regclass)')
  await client.query(`insert into pg_dist_partition values ('pg_dist_partition')`)
  await client.end()
  expect(await diagnose()).toEqual([expect.stringContaining('Tables are distributed (pg_dist_partition)')])
})
