import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { isRoot } from './embedded-account.ts'
import { isAlive, readPostmaster } from './embedded-postmaster.ts'
import { pathExists } from './path-exists.ts'

const cleanups: (() => Promise<unknown>)[] = []

async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
afterEach(cleanUp)

/** Has the database of a server that ran and stopped. */
let initialized: string
let removeInitialized: (() => Promise<unknown>)[]
beforeAll(async () => {
  initialized = await dataDirectory()
  await (await startEmbeddedPostgres({ dataDir: initialized })).stop()
  // The next server chooses a port of its own.
  await rm(join(initialized, 'postgres', 'port'))
  removeInitialized = cleanups.splice(0)
})
afterAll(async () => {
  cleanups.push(...removeInitialized)
  await cleanUp()
})

/** A data directory with a database. It is a copy, because creating a database takes seconds. */
async function initializedDirectory(): Promise<string> {
  const dataDir = await dataDirectory()
  // Where the temporary folder is private, root's databases are elsewhere, and a copy of the link would share
  // one.
  const isElsewhere = (await lstat(join(initialized, 'postgres'))).isSymbolicLink()
  // Node copies files without their owners.
  if (!isElsewhere) await promisify(execFile)('cp', ['-a', initialized, dataDir])
  return dataDir
}

async function dataDirectory(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-embedded-'))
  await chmod(folder, mode)
  cleanups.push(async () => {
    // Root's private data directories keep their database elsewhere.
    const place = join(folder, 'data', 'postgres')
    if (await pathExists(place)) await rm(await realpath(place), { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  })
  return join(folder, 'data')
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir })
  cleanups.push(() => server.stop())
  return server
}

const clusterData = async (dataDir: string) =>
  join(await realpath(join(dataDir, 'postgres')), 'cluster', 'data')

async function serverPid(dataDir: string): Promise<number> {
  const running = await readPostmaster(await clusterData(dataDir))
  if (running === undefined) throw new Error('no server is running')
  return running.pid
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

interface Starter {
  readonly process: ChildProcess
  readonly started: boolean
  readonly url: string
}

/** Starts the database in another process, which stops it when it reads a line, or ends when it is killed. */
async function startElsewhere(dataDir: string): Promise<Starter> {
  const module = new URL('./embedded.ts', import.meta.url).href
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)})
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log(JSON.stringify({ started: server.started, url: server.url }))
    process.stdin.once('data', async () => { await server.stop(); process.exit() })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanups.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.stdin.end('stop\n')
    await once(child, 'exit')
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { started, url }: { started: boolean; url: string } = JSON.parse(String(line))
  return { process: child, started, url }
}

/** Polls a condition until it is true, or until the test times out. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(20)
}

test('a second start of the embedded PostgreSQL has the data and the URL of the first', async () => {
  const dataDir = await initializedDirectory()
  const first = await startEmbeddedPostgres({ dataDir })
  await query(first.url, `create table cards as select 'stored' as name`)
  await first.stop()

  const second = await start(dataDir)

  expect(second.started).toBe(true)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select name from cards')).toEqual([{ name: 'stored' }])
})

test('the embedded server is PostgreSQL 18 with UTF-8 and a portable locale, and listens only on 127.0.0.1', async () => {
  const { url } = await start(await initializedDirectory())
  const [settings] = await query(
    url,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
      lower('ÄÖ') as lowered, current_setting('listen_addresses') as addresses,
      current_setting('unix_socket_directories') as sockets, current_setting('timezone') as zone`,
  )
  expect(settings).toEqual({
    version: 18,
    encoding: 'UTF8',
    lowered: 'äö',
    addresses: '127.0.0.1',
    sockets: '',
    zone: 'UTC',
  })
})

test('connections require the password, which only its owner can read', async () => {
  const dataDir = await initializedDirectory()
  const { url } = await start(dataDir)
  const guess = new URL(url)
  guess.password = 'guess'
  await expect(query(guess.href, 'select')).rejects.toMatchObject({ code: '28P01' })
  const { mode } = await stat(join(dirname(await clusterData(dataDir)), 'password'))
  expect(mode & 0o777).toBe(0o600)
})

test('a start attaches to a running server, and its stop does not end that server', async () => {
  const dataDir = await initializedDirectory()
  const first = await start(dataDir)
  const second = await startEmbeddedPostgres({ dataDir })
  expect(second).toMatchObject({ started: false, url: first.url })
  await second.stop()
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of concurrent processes on new data one starts a server, and the others attach to it', async () => {
  const dataDir = await dataDirectory()
  const starters = await Promise.all([1, 2, 3].map(() => startElsewhere(dataDir)))
  expect(starters.map(({ started }) => started).sort()).toEqual([false, false, true])
  expect(new Set(starters.map(({ url }) => url)).size).toBe(1)
})

test('committed data survives a killed server, and its pid file does not prevent the next start', async () => {
  const dataDir = await initializedDirectory()
  const killed = await start(dataDir)
  await query(killed.url, `create table cards as select 'stored' as name`)
  process.kill(await serverPid(dataDir), 'SIGKILL')

  const next = await start(dataDir)

  expect(next.started).toBe(true)
  expect(await query(next.url, 'select name from cards')).toEqual([{ name: 'stored' }])
})

test('a pid file whose id now belongs to another process does not prevent a start', async () => {
  const dataDir = await initializedDirectory()
  await start(dataDir)
  const pidFile = join(await clusterData(dataDir), 'postmaster.pid')
  const contents = await readFile(pidFile, 'utf8')
  const pid = await serverPid(dataDir)
  process.kill(pid, 'SIGKILL')
  // The process runs as the server's account, because PostgreSQL ignores processes of other accounts.
  const { uid, gid } = await stat(await clusterData(dataDir))
  const unrelated = spawn('sleep', ['60'], isRoot() ? { uid, gid } : {})
  cleanups.push(async () => unrelated.kill())
  await writeFile(pidFile, contents.replace(/^\d+/, String(unrelated.pid)))

  const next = await start(dataDir)

  expect(next.started).toBe(true)
  expect(isAlive(unrelated.pid ?? 0)).toBe(true)
})

test('a server ends with the process that started it, even when that process is killed', async () => {
  const dataDir = await initializedDirectory()
  const parent = await startElsewhere(dataDir)
  parent.process.kill('SIGKILL')
  // A clean shutdown removes the file. A killed server would leave it.
  await until(async () => (await readPostmaster(await clusterData(dataDir))) === undefined)
  expect((await start(dataDir)).started).toBe(true)
})

test('a disposable server removes its data directory when it stops', async () => {
  const dataDir = await initializedDirectory()
  const server = await startEmbeddedPostgres({ dataDir, disposable: true })
  await server.stop()
  expect(await pathExists(dataDir)).toBe(false)
})

test('a server that cannot start fails with the message of PostgreSQL', async () => {
  const dataDir = await initializedDirectory()
  const settings = { shared_buffers: 'plenty' }
  await expect(startEmbeddedPostgres({ dataDir, settings })).rejects.toThrow(
    /invalid value for parameter "shared_buffers"/,
  )
})

test.runIf(isRoot())(
  'data below a folder that only root can enter is stored in a shared folder and found again',
  async () => {
    const dataDir = await dataDirectory(0o700)
    const first = await startEmbeddedPostgres({ dataDir })
    await query(first.url, `create table cards as select 'stored' as name`)
    await first.stop()
    expect(dirname(await realpath(join(dataDir, 'postgres')))).toMatch(/^\/var\/(lib|tmp)\/mintmark$/)

    const second = await start(dataDir)
    expect(await query(second.url, 'select name from cards')).toEqual([{ name: 'stored' }])
  },
)

test.runIf(isRoot())(
  'data that the service account can no longer reach is an error, and no new data is created',
  async () => {
    const dataDir = await initializedDirectory()
    await (await startEmbeddedPostgres({ dataDir })).stop()
    await chmod(dirname(dataDir), 0o700)
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/cannot reach .*\n.*DATABASE_URL/)
  },
)

test.runIf(platform() === 'linux')("the server's environment has none of this process's keys", async () => {
  process.env.SECRET_KEYS = 'a:secret'
  process.env.FACILITATOR_SIGNER_KEYS = '0xsecret'
  cleanups.push(async () => {
    delete process.env.SECRET_KEYS
    delete process.env.FACILITATOR_SIGNER_KEYS
  })
  const dataDir = await initializedDirectory()
  await start(dataDir)
  const environment = await readFile(`/proc/${await serverPid(dataDir)}/environ`, 'utf8')
  const names = environment.split('\0').map((variable) => variable.split('=')[0])
  const allowed = ['PATH', 'LC_ALL', 'TZ', 'HOME', '']
  // PostgreSQL's own variables, which `postgres` sets at its start.
  const own = names.filter((name) => name?.startsWith('PG'))
  expect(names.filter((name) => !allowed.includes(name ?? '') && !own.includes(name))).toEqual([])
  expect(names).toContain('PATH')
})
