import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DatabaseUnavailableError, ReadOnlyDatabaseError } from './errors.ts'
import { migrate } from './migrations.ts'
import { ProjectPool } from './project-pool.ts'
import { listServerUrls, ServerAddresses } from './server-addresses.ts'
import { hasSharedSessions } from './shared-sessions.ts'
import { NO_PROJECT } from './statement-names.ts'

it.each([
  ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
  ['postgresql://one:1/db?sslmode=disable', ['postgresql://one:1/db?sslmode=disable']],
  ['postgres:///db', ['postgres:///db']],
  [
    'postgres://u:p@one:1,two:2,three/db',
    ['postgres://u:p@one:1/db', 'postgres://u:p@two:2/db', 'postgres://u:p@three/db'],
  ],
  ['postgres://u:a%2Cb@one,two/db', ['postgres://u:a%2Cb@one/db', 'postgres://u:a%2Cb@two/db']],
  ['postgres://u:a,b@one,two', ['postgres://u:a,b@one', 'postgres://u:a,b@two']],
  ['postgres://[::1]:1,[::2]/db', ['postgres://[::1]:1/db', 'postgres://[::2]/db']],
  ['postgres://%2Fa:1,%2Fb/db', ['postgres://%2Fa:1/db', 'postgres://%2Fb/db']],
  [
    'postgres:///db?host=/a,two&port=1,2',
    ['postgres:///db?host=%2Fa&port=1', 'postgres:///db?host=two&port=2'],
  ],
  [
    'postgres://u@/db?host=/a,/b&port=1',
    ['postgres://u@/db?host=%2Fa&port=1', 'postgres://u@/db?host=%2Fb&port=1'],
  ],
])('the servers of a connection string of %s are listed in their order', (url, expected) => {
  expect(listServerUrls(url)).toEqual(expected)
})

it.each(['read-write', 'primary'])(
  'the servers of a connection string may be selected with target_session_attrs=%s',
  (target) => {
    expect(listServerUrls(`postgres://one,two/db?target_session_attrs=${target}`)).toHaveLength(2)
  },
)

it.each([
  ['postgres://u:secret@one/db?target_session_attrs=any', 'must be read-write or primary'],
  ['postgres://u:secret@one,two/db?target_session_attrs=standby', 'must be read-write or primary'],
  ['postgres://u:secret@one,two/db?target_session_attrs=prefer-standby', 'must be read-write or primary'],
  ['postgres://u:secret@one,two/db?target_session_attrs=', 'must be read-write or primary'],
  ['postgres://u:secret@one,/db', 'one of its hosts is empty'],
  ['postgres://u:secret@one,:5/db', 'one of its hosts is empty'],
  ['postgres:///db?host=one,&password=secret', 'one of its hosts is empty'],
  ['postgres:///db?host=one,two,three&port=1,2&password=secret', '2 ports for 3 hosts'],
  ['postgres://u:secret@one:x,two/db', 'expected postgres://'],
  ['mysql://u:secret@one/db', 'expected postgres://'],
  ['host=one,two password=secret', 'expected postgres://'],
])(
  'the servers of a connection string of %s are refused with the reason and without the password',
  (url, reason) => {
    expect(() => listServerUrls(url)).toThrow(reason)
    expect(() => listServerUrls(url)).not.toThrow('secret')
  },
)

it('the servers of a connection string are tried once each, beginning with the one that worked last', async () => {
  const addresses = new ServerAddresses('postgres://one,two,three/db')
  const tried: string[] = []
  const connectTo = (working: string) =>
    addresses.connect(async (url) => {
      tried.push(new URL(url).hostname)
      if (new URL(url).hostname !== working) throw new Error(`${new URL(url).hostname} is away`)
    })
  await connectTo('two')
  await connectTo('two')
  await connectTo('one')
  await expect(connectTo('none')).rejects.toThrow('None of 3 hosts: one is away; two is away; three is away')
  expect(tried).toEqual(['one', 'two', 'two', 'two', 'three', 'one', 'one', 'two', 'three'])
})

describe('a connection string with several hosts', () => {
  let home: TestDatabase
  /** The host and port of the test server, and a database on it that is read-only. */
  let host: string
  let standby: TestDatabase
  beforeAll(async () => {
    home = await createTestDatabase()
    standby = await createTestDatabase()
    ;({ host } = new URL(home.url))
    const pool = new ProjectPool({ url: standby.url, max: 1 })
    await pool.query(`do $$ begin
      execute format('alter database %I set default_transaction_read_only = on', current_database());
    end $$`)
    await pool.endAll()
  })
  afterAll(async () => {
    await home.drop()
    await standby.drop()
  })

  const AWAY = '127.0.0.1:1'
  const withHosts = (url: string, hosts: string) => url.replace(host, hosts)

  it('a connection string with several hosts leads to the host that responds, with every kind of connection', async () => {
    const url = withHosts(home.url, `${AWAY},${host}`)
    const pool = new ProjectPool({ url, max: 2 })
    onTestFinished(() => pool.endAll())
    const text = 'select current_database() as name'
    const rows = [{ name: new URL(home.url).pathname.slice(1) }]
    expect((await pool.read(NO_PROJECT, text, [])).rows).toEqual(rows)
    const all = await Promise.all([1, 2, 3, 4].map(() => pool.query(text)))
    for (const result of all) expect(result.rows).toEqual(rows)
    expect(await hasSharedSessions(url)).toBe(false)
    const plan = { schema: 'shop', role: 'server_addresses_test_role', migrations: [] }
    expect(await migrate(url, plan)).toEqual([])
  })

  it('a connection string with several hosts names each host when none can be used', async () => {
    const pool = new ProjectPool({ url: withHosts(standby.url, `${AWAY},${host}`), max: 1 })
    onTestFinished(() => pool.endAll())
    const error: unknown = await pool.query('select 1').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DatabaseUnavailableError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/ECONNREFUSED.*read-only/),
      cause: { errors: [expect.any(Error), expect.any(ReadOnlyDatabaseError)] },
    })
  })
})
