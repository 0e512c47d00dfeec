import { expect, it } from 'vitest'
import { listServerProblems, listStandbyProblems } from './check-postgres.ts'

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
  const facts = { encoding: 'UTF8', isCollationStale: false, missingExtensions: [] }
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
