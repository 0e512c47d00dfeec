import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { apiKeys } from '@mintmark/admin'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { RateLimitedError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import { createSecretKey } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { addressBook } from '@mintmark/wallet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { run } from '../../../tools/run.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'
import { type Backends, end, PROXIES, type ProxyServer } from './proxies.ts'

// Gateways start twelve times. The limit only ends a test that hangs.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const PROCESSES = 4
const CALLERS = 64
const KEYS = 16
/** So many that a tenth is more than a key regains while the test calls, at one call per second. */
const BURST = 500
const cli = ['--conditions=@mintmark/source', join(repositoryRoot, 'packages/gateway-server/src/cli.ts')]

type Credentials = { readonly apiKey: string; readonly secret: string }

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

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
    TRUSTED_PROXY_HOPS: '1',
    // Longer than the guide's HAProxy uses a process that stops, also on a busy machine. SHUTDOWN_IDLE_MS stays longer
    // than the time after which its nginx closes idle connections.
    SHUTDOWN_DELAY_MS: '5000',
  }
  const command = (...words: readonly string[]) =>
    run(process.execPath, [...cli, ...words], { cwd: repositoryRoot, env: settings })
  await command('migrate')
  const scopes = 'keys:write,wallet:read,wallet:write'
  const credentials: Credentials = JSON.parse(
    await command('keys', 'create', '--project', 'shop', '--scopes', scopes),
  )
  return { settings, credentials }
}

/** A gateway on a port of its own, which is started again on it. */
function createProcess(port: number, settings: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined
  async function start(limits: NodeJS.ProcessEnv): Promise<void> {
    const env = { ...settings, ...limits, GATEWAY_PORT: String(port) }
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
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined) throw new Error('The process was not started')
    await end(child, signal)
    if (signal === 'SIGTERM') expect(child.exitCode).toBe(0)
  }
  return { port, start, stop }
}

const LIMITED = { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(BURST) }
const UNLIMITED = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' }

/** Sends a request with the path as it is written, and returns the status and the text of the response. */
async function send(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host, ...headers },
      agent: false as const,
    }
    request(options, resolve).on('error', reject).end()
  })
  return { status: response.statusCode, text: await text(response) }
}

/** Starts servers that respond with their names, and returns their ports. */
async function startNamedServers(stack: AsyncDisposableStack): Promise<Backends> {
  const start = async (name: string) =>
    Number(new URL(await serveLocally((_, response) => response.end(name), stack)).port)
  return { gateway: await Promise.all(NAMES.map(start)), facilitator: await Promise.all(NAMES.map(start)) }
}

const NAMES = ['a', 'b', 'c', 'd']
const random = () => randomBytes(8).toString('hex')
const GATEWAY = 'gateway.example.com'
const FACILITATOR = 'pay.example.com'

/** The headers of a caller's calls. What does not identify the caller is another one in each call. */
const CREDENTIALS: readonly {
  readonly title: string
  readonly host: string
  readonly create: (id: string, call: number) => Record<string, string>
}[] = [
  {
    title: 'API keys',
    host: GATEWAY,
    create: (id) => ({ 'x-api-key': `mk_${id}`, cookie: `mintmark.session_token=${random()}` }),
  },
  {
    title: 'publishable keys',
    host: GATEWAY,
    create: (id) => ({ 'x-publishable-key': `pk_${id}`, cookie: `mintmark.session_token=${random()}` }),
  },
  {
    title: 'sessions',
    host: GATEWAY,
    create: (id) => ({ cookie: `first=${random()}; __Secure-mintmark.session_token=${id}; last=1` }),
  },
  {
    title: 'sessions of an address without TLS',
    host: GATEWAY,
    create: (id) => ({ cookie: `mintmark.session_token=${id}` }),
  },
  {
    title: 'keys of the facilitator',
    host: FACILITATOR,
    create: (id, call) => ({
      authorization: `${['Bearer', 'bearer', 'BEARER'][call]} fk_${id}`,
      'x-api-key': random(),
    }),
  },
]
/** Calls that are balanced by their address: they have no credential, or could have any. */
const BY_ADDRESS = [
  [GATEWAY, '/media/1/picture.webp', () => ({})],
  [GATEWAY, '/console/auth/sign-in/email', () => ({ cookie: `mintmark.session_token=${random()}` })],
  [GATEWAY, '/x/../console/%61uth/sign-in/email', () => ({ 'x-api-key': random() })],
  [GATEWAY, '/console/invitations/token', () => ({ 'x-publishable-key': random() })],
  [FACILITATOR, '/x402/supported', () => ({ authorization: `Basic ${random()}` })],
] as const

// Without a proxy there is nothing to run behind. `.ci/run` installs both.
describe.each(PROXIES.map((proxy) => [proxy.name, proxy] as const))('an installed %s', (_, proxy) => {
  const test = it.skipIf(proxy.program === undefined)

  test('sends all calls of a key or session to one process, and keeps those of others when one is removed', async () => {
    await using stack = new AsyncDisposableStack()
    const { gateway, facilitator } = await startNamedServers(stack)
    const port = await proxy.start(stack, { gateway, facilitator })
    const fewer = { gateway: gateway.slice(0, -1), facilitator: facilitator.slice(0, -1) }
    const smallerPort = await proxy.start(stack, fewer)
    for (const { title, host, create } of CREDENTIALS) {
      const used = new Set<string>()
      for (const id of Array.from({ length: CALLERS }, random)) {
        const call = async (to: number, index: number) =>
          (await send(to, host, '/api/v1/path?query', create(id, index))).text
        const first = await call(port, 0)
        expect([await call(port, 1), await call(port, 2)], title).toEqual([first, first])
        if (first !== NAMES.at(-1)) expect(await call(smallerPort, 0), title).toBe(first)
        used.add(first)
      }
      expect([...used].sort(), title).toEqual(NAMES)
    }
    for (const [host, path, create] of BY_ADDRESS) {
      const used = new Set<string>()
      for (let call = 0; call < CALLERS; call += 1) used.add((await send(port, host, path, create())).text)
      expect(used.size, path).toBe(1)
    }
  })

  test('sends a write that a process refused to another one, and none that was sent', async () => {
    await using stack = new AsyncDisposableStack()
    await using refusing = new AsyncDisposableStack()
    const received: unknown[] = []
    const breaking = await serveLocally((incoming, response) => {
      if (incoming.method === 'GET') return response.end()
      received.push(incoming.headers['x-api-key'])
      return incoming.socket.destroy()
    }, stack)
    const stopped = await serveLocally((_, response) => response.end(), refusing)
    const { gateway, facilitator } = await startNamedServers(stack)
    const ports = [breaking, stopped].map((url) => Number(new URL(url).port))
    const port = await proxy.start(stack, { gateway: [...ports, ...gateway.slice(2)], facilitator })
    await refusing.disposeAsync()
    const failed: string[] = []
    for (const key of Array.from({ length: CALLERS }, random)) {
      const { status } = await send(port, GATEWAY, '/api/v1/path', { 'x-api-key': key }, 'POST')
      expect([200, 502]).toContain(status)
      if (status === 502) failed.push(key)
    }
    expect(received).toEqual(failed)
    expect(failed.length).toBeGreaterThan(0)
  })

  test('hides the operator interface of the facilitator, however its path is written', async () => {
    await using stack = new AsyncDisposableStack()
    const port = await proxy.start(stack, await startNamedServers(stack))
    for (const path of [
      '/operator/x',
      '/%6fperator/x',
      '/x/../operator/x',
      '/./operator/x',
      '/x/%2e%2e/operator/x',
    ])
      expect((await send(port, FACILITATOR, path)).status, path).toBe(404)
    expect((await send(port, FACILITATOR, '/x402/supported')).status).toBe(200)
  })
})

describe('four gateways', () => {
  let processes: readonly ReturnType<typeof createProcess>[]
  let keys: readonly Credentials[]
  const installed = PROXIES.filter(({ program }) => program !== undefined)
  async function startProxy(stack: AsyncDisposableStack, proxy: ProxyServer): Promise<string> {
    const ports = processes.map(({ port }) => port)
    return `http://127.0.0.1:${await proxy.start(stack, { gateway: ports, facilitator: ports })}`
  }

  beforeAll(async () => {
    if (installed.length === 0) return
    const { settings, credentials } = await prepareGateways()
    const ports: number[] = []
    while (ports.length < PROCESSES) ports.push(await findFreePort())
    processes = ports.map((port) => createProcess(port, settings))
    await Promise.all(processes.map((each) => each.start(LIMITED)))
    const gateway = createGateway({ baseUrl: `http://127.0.0.1:${ports[0]}`, credentials })
    const createKey = async () => {
      const created = await apiKeys.create(gateway, {
        name: 'caller',
        scopes: ['wallet:read', 'wallet:write'],
      })
      return { apiKey: created.apiKey, secret: created.secret ?? '' }
    }
    keys = await Promise.all(Array.from({ length: KEYS }, createKey))
  })

  describe.each(PROXIES.map((proxy, index) => [proxy.name, proxy, index] as const))(
    'behind an installed %s',
    (_, proxy, index) => {
      it.skipIf(proxy.program === undefined)('give a key as many calls as one process would', async () => {
        await using stack = new AsyncDisposableStack()
        const baseUrl = await startProxy(stack, proxy)
        const owner = `0x${randomBytes(20).toString('hex')}`
        async function countAccepted(credentials: Credentials): Promise<number> {
          const gateway = createGateway({ baseUrl, credentials, retries: 0, timeout: 120_000 })
          let [left, accepted] = [BURST * 1.5, 0]
          async function call(): Promise<void> {
            while (left > 0) {
              left -= 1
              try {
                await addressBook.list(gateway, { owner })
                accepted += 1
              } catch (error) {
                if (!(error instanceof RateLimitedError)) throw error
              }
            }
          }
          await Promise.all(Array.from({ length: CALLERS / 4 }, call))
          return accepted
        }
        for (const key of keys.slice(index * 2, index * 2 + 2)) {
          const accepted = await countAccepted(key)
          expect(accepted).toBeGreaterThanOrEqual(BURST)
          expect(accepted).toBeLessThanOrEqual(BURST * 1.1)
        }
      })
    },
  )

  it.skipIf(installed.length === 0)(
    `fail none of the writes of 64 connections in a rolling restart behind ${installed.map(({ name }) => name).join(' and ')}, and execute each once`,
    async () => {
      await Promise.all(processes.map(({ stop }) => stop('SIGKILL')))
      await Promise.all(processes.map(({ start }) => start(UNLIMITED)))
      const owner = `0x${randomBytes(20).toString('hex')}`
      const failures: unknown[] = []
      let written = 0
      let isStopping = false
      let started: Promise<void> | undefined
      async function write(gateway: GatewayClient, isFirst: boolean): Promise<void> {
        while (!isStopping) {
          // The others wait for a process that starts, because they would take its processor.
          if (!isFirst) await started
          const entry = { owner, address: `0x${randomBytes(20).toString('hex')}`, name: 'Gallery' }
          try {
            await addressBook.add(gateway, entry, { idempotencyKey: randomUUID() })
            written += 1
          } catch (error) {
            failures.push(error)
          }
        }
      }
      async function waitForWrites(): Promise<void> {
        const before = written
        await expect.poll(() => written - before + failures.length).toBeGreaterThan(2 * CALLERS)
      }
      await using stack = new AsyncDisposableStack()
      const urls = await Promise.all(installed.map((proxy) => startProxy(stack, proxy)))
      const gateways = keys.flatMap((credentials) =>
        Array.from({ length: CALLERS / KEYS }, (_, index) => {
          const baseUrl = urls[index % urls.length] ?? ''
          return createGateway({ baseUrl, credentials, retries: 0, timeout: 120_000 })
        }),
      )
      const writers = gateways.map((gateway, index) => write(gateway, index < urls.length))
      for (const { start, stop } of processes) {
        await waitForWrites()
        await stop('SIGTERM')
        await waitForWrites()
        started = start(UNLIMITED)
        await started
      }
      await waitForWrites()
      isStopping = true
      await Promise.all(writers)
      expect(failures).toEqual([])
      const [gateway] = gateways
      expect(gateway && (await addressBook.list(gateway, { owner })).totalRow).toBe(written)
    },
  )
})
