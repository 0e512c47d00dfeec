import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { createSecretKey } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { addressBook } from '@mintmark/wallet'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { run } from '../../../tools/run.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'

const CALLERS = 64
const cli = ['--conditions=@mintmark/source', join(repositoryRoot, 'packages/gateway-server/src/cli.ts')]
const nginx = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/opt/homebrew/bin']
  .map((folder) => join(folder, 'nginx'))
  .find((path) => existsSync(path))

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Creates a database with a project, and the settings of its gateways. */
async function prepareGateways() {
  const { url, drop } = await createTestDatabase()
  stops.defer(drop)
  const settings: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DATABASE_URL: url,
    SECRET_KEYS: createSecretKey(),
    // A busy machine takes long for 64 writes at a time. Only the restart may fail them.
    DATABASE_STATEMENT_TIMEOUT_MS: '120000',
    CONCURRENT_CALLS_PER_PROJECT: String(CALLERS),
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '100000',
    TRUSTED_PROXY_HOPS: '1',
    // SHUTDOWN_IDLE_MS stays longer than the time after which the guide's nginx closes idle connections.
    SHUTDOWN_DELAY_MS: '1000',
  }
  const command = (...words: readonly string[]) =>
    run(process.execPath, [...cli, ...words], { cwd: repositoryRoot, env: settings })
  await command('migrate')
  const { apiKey, secret }: { apiKey: string; secret: string } = JSON.parse(
    await command('keys', 'create', '--project', 'shop'),
  )
  return { settings, credentials: { apiKey, secret } }
}

/** A gateway on a port of its own, which is started again on it. */
function createProcess(port: number, settings: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined
  async function start(): Promise<void> {
    const env = { ...settings, GATEWAY_PORT: String(port) }
    const started = spawn(process.execPath, [...cli, 'serve'], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child = started
    stops.defer(() => end(started, 'SIGKILL'))
    await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200), {
      timeout: 120_000,
      interval: 100,
    })
  }
  async function restart(): Promise<void> {
    if (child === undefined) throw new Error('The process was not started')
    await end(child, 'SIGTERM')
    expect(child.exitCode).toBe(0)
    await start()
  }
  return { port, start, restart }
}

/** Starts nginx with the file of the guide, without TLS and in front of the given ports. Returns its URL. */
async function startNginx(program: string, ports: readonly number[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-nginx-'))
  stops.defer(() => rmSync(folder, { recursive: true, maxRetries: 3 }))
  const [port, otherPort] = [await findFreePort(), await findFreePort()]
  let site = readFileSync(join(repositoryRoot, 'docs/deploy/nginx.conf'), 'utf8').replace(/^ *ssl_.*\n/gm, '')
  for (const each of [port, otherPort]) site = site.replace('listen 443 ssl', `listen 127.0.0.1:${each}`)
  for (const [index, each] of ports.entries())
    site = site.replace(`server 10.0.0.1${index + 1}:4000`, `server 127.0.0.1:${each}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const isRoot = process.getuid?.() === 0
  const configuration = [
    ...(isRoot ? ['user root;'] : []),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr crit; worker_processes 2;`,
    'events { worker_connections 1024; }',
    `http { access_log off; ${temporary.join(' ')}\n${site}}`,
  ]
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration.join('\n'))
  const parameters = ['-p', folder, '-e', 'stderr', '-c', file]
  const check = spawnSync(program, ['-t', ...parameters], { encoding: 'utf8' })
  expect(check.stderr).toContain('test is successful')
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  stops.defer(() => end(child, 'SIGTERM'))
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), { timeout: 60_000 })
  return url
}

// Without nginx there is no proxy to restart behind. `.ci/run` installs it.
describe.skipIf(nginx === undefined)('a rolling restart behind an installed nginx', () => {
  it('fails none of the writes of 64 connections, and executes each once', async () => {
    const { settings, credentials } = await prepareGateways()
    const ports = [await findFreePort(), await findFreePort()]
    const processes = ports.map((port) => createProcess(port, settings))
    for (const each of processes) await each.start()
    const baseUrl = await startNginx(nginx ?? '', ports)
    const gateway = createGateway({ baseUrl, credentials, retries: 0, timeout: 120_000 })
    const failures: unknown[] = []
    let written = 0
    let isStopping = false
    const owner = `0x${randomBytes(20).toString('hex')}`
    async function write(): Promise<void> {
      while (!isStopping) {
        const entry = { owner, address: `0x${randomBytes(20).toString('hex')}`, name: 'Gallery' }
        try {
          await addressBook.add(gateway, entry, { idempotencyKey: randomUUID() })
          written += 1
        } catch (error) {
          failures.push(error)
        }
      }
    }
    const writers = Array.from({ length: CALLERS }, write)
    await expect.poll(() => written + failures.length).toBeGreaterThan(CALLERS)
    for (const each of processes) await each.restart()
    isStopping = true
    await Promise.all(writers)
    expect(failures).toEqual([])
    expect((await addressBook.list(gateway, { owner })).totalRow).toBe(written)
  })
})
