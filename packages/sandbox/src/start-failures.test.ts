import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@mintmark/devkit/testing'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { openDataDir } from './data-folder.ts'
import { openFailureLog } from './failure-log.ts'
import { startEmbeddedPostgres } from './postgres/index.ts'
import { startSandbox } from './sandbox.ts'
import { SandboxStartError } from './start-error.ts'
import { Stops } from './stops.ts'

const root = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
const { url: databaseUrl, drop } = await createTestDatabase()
const occupant = createServer().listen(0, '127.0.0.1')
await once(occupant, 'listening')
const taken = (occupant.address() as AddressInfo).port
afterAll(async () => {
  occupant.close()
  await drop()
  await rm(root, { recursive: true })
})

const anyPorts = { gateway: 0, facilitator: 0, chain: 0 }

it.each([
  ['facilitator', 'FACILITATOR_PORT', 'facilitator'],
  ['chain', 'CHAIN_PORT', 'dev chain'],
  ['gateway', 'GATEWAY_PORT', 'gateway'],
])('a sandbox names the setting of a port that is in use: %s', async (name, variable, owner) => {
  const ports = { ...anyPorts, [name]: taken }
  await expect(startSandbox({ databaseUrl, ports })).rejects.toThrow(
    `Port ${taken} of the ${owner} is in use. Stop the program that listens there, or choose another port with ${variable}`,
  )
})

it('a sandbox is not started twice in a folder, and the folder is ignored by git', async () => {
  const dataDir = join(root, 'twice')
  await using _ = await startSandbox({ dataDir })
  await expect(startSandbox({ dataDir })).rejects.toThrow(
    `A sandbox already runs in ${dataDir} (process ${process.pid})`,
  )
  expect(await readFile(join(dataDir, '.gitignore'), 'utf8')).toBe('*\n')
  await expect(stat(join(root, '.gitignore'))).rejects.toThrow('ENOENT')
})

it('a sandbox names the folder to delete if an earlier version created its database', async () => {
  const dataDir = join(root, 'earlier')
  const postgres = await startEmbeddedPostgres({ dataDir })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create schema gateway; create table gateway.migrations (id text primary key);
      insert into gateway.migrations values ('0001_keys'), ('0002_collectibles')`)
  await client.end()
  await postgres.stop()
  const start = startSandbox({ dataDir, ports: anyPorts })
  await expect(start).rejects.toBeInstanceOf(SandboxStartError)
  await expect(start).rejects.toThrow(
    `The database in ${dataDir} was created by an earlier version and cannot be migrated. Delete the folder ${dataDir}, with all of its data, and start again`,
  )
})

it('a sandbox is started once when two start at the same time in a folder', async () => {
  const dataDir = join(root, 'both')
  const starts = await Promise.allSettled([startSandbox({ dataDir }), startSandbox({ dataDir })])
  const errors: unknown[] = []
  for (const start of starts) {
    if (start.status === 'fulfilled') await start.value.stop()
    else errors.push(start.reason)
  }
  expect(errors).toEqual([expect.any(SandboxStartError)])
  expect(String(errors[0])).toContain(
    `Process ${process.pid} is starting a sandbox in ${dataDir}. Wait until it has started`,
  )
})

it.each(['before', 'after'])(
  'a sandbox replaces the lock of a start that was killed %s it had written its id',
  async (moment) => {
    const dataDir = await mkdtemp(join(root, 'killed-'))
    const ended = spawnSync(process.execPath, ['--eval', ''])
    await writeFile(join(dataDir, 'start.lock'), moment === 'before' ? '' : String(ended.pid))
    const { unlock } = await openDataDir(dataDir, new Stops())
    await unlock()
    await expect(stat(join(dataDir, 'start.lock'))).rejects.toThrow('ENOENT')
  },
)

it('the message of a start that failed has the last problem of this start, the path of the log and what to remove', async () => {
  const file = join(root, 'servers.log')
  const line = (msg: string, level = 40) =>
    `${JSON.stringify({ level, msg, reason: 'a node lacks a block' })}\n`
  await appendFile(file, line('of an earlier start'))
  const log = await openFailureLog(root)
  expect(await log.explain(new Error('broken'))).not.toContain('of an earlier start')
  const chainLines = 'anvil started\n{ chain: 84532 }\n'
  await appendFile(
    file,
    `${chainLines}${line('Deposits are read later')}${line('a request', 30)}{"level":40,`,
  )
  const text = await log.explain(new Error('The deposit was not credited'))
  expect(text).toContain('The deposit was not credited\n')
  expect(text).toContain('The last problem in the log: Deposits are read later: a node lacks a block\n')
  expect(text).toMatch(/The log is .*servers\.log\..*remove /)
})

it('the message of a start that failed names the owner of a folder that cannot be written, and does not advise to start again', async () => {
  const dataDir = await mkdtemp(join(root, 'foreign-'))
  await chmod(root, 0o755)
  await chmod(dataDir, 0o555)
  const isRoot = process.getuid?.() === 0
  const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=@mintmark/source', cli], {
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain(
    isRoot
      ? `${dataDir} belongs to root, and this process runs as nobody. Run it as root, give the files to nobody (chown -R nobody), or choose another folder with DATA_DIR`
      : `${dataDir} may not be written by`,
  )
  expect(stderr).not.toContain('Start again')
})

it('a start with an older Node says which one the sandbox needs', () => {
  const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
  const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})"
  const options = ['--conditions=@mintmark/source', '--import', older]
  const { status, stderr } = spawnSync(process.execPath, [...options, cli], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toBe('The sandbox needs Node 22.18 or later. This is Node 20.19.0\n')
})

it.each([
  ['EROFS', 'is on a read-only file system. Make it writable, or choose another folder with DATA_DIR'],
  ['ENOSPC', 'There is no space left for'],
  ['ENOTDIR', 'is not a folder'],
])(
  'the message of a start that failed says what to do about %s, also as the cause of another error',
  async (code, advice) => {
    const dataDir = join(root, 'missing')
    const log = await openFailureLog(dataDir)
    const path = join(dataDir, 'start.lock')
    const cause = Object.assign(new Error(`${code}: failed`), { code, syscall: 'open', path })
    for (const error of [cause, new Error('The chain did not start', { cause })]) {
      const text = await log.explain(error)
      expect(text).toContain(advice)
      expect(text).not.toContain('Start again')
    }
  },
)

it('the message of a start that failed does not explain a file elsewhere, a program or a port by the folder', async () => {
  const dataDir = join(root, 'missing')
  const log = await openFailureLog(dataDir)
  for (const details of [
    { syscall: 'open', path: '/etc/shadow' },
    { syscall: 'spawn anvil', path: join(dataDir, 'anvil') },
    { syscall: 'listen', port: 80 },
  ]) {
    const error = Object.assign(new Error('EACCES'), { code: 'EACCES', ...details })
    expect(await log.explain(error)).toContain('Start again')
  }
})

it('the message of a start that failed is the error’s own if that says what to do', async () => {
  const log = await openFailureLog(join(root, 'missing'))
  expect(await log.explain(new SandboxStartError('Port 1 is in use'))).toBe('Port 1 is in use')
})
