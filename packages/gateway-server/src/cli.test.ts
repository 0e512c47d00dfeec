import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { captureCommand } from '@mintmark/devkit/command-output'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { createSecretKey, runCommandLine } from '@mintmark/server-kit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gatewayCommands } from './commands/commands.ts'
import { createGatewayDatabase } from './testing/gateway.ts'
import { rawClient, readResponse } from './testing/raw-client.ts'
import { version } from './version.ts'

const cli = fileURLToPath(new URL('./cli.ts', import.meta.url))
const CONFIGURATION = 2
const PATIENCE = { timeout: 170_000, interval: 100 }

let folder: string
let place: TestDatabase
let settings: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-cli-'))
  place = await createGatewayDatabase()
  settings = {
    DATABASE_URL: place.url,
    SECRET_KEYS: createSecretKey(),
    GATEWAY_PORT: '0',
    SHUTDOWN_DELAY_MS: '0',
    SHUTDOWN_IDLE_MS: '0',
  }
})
afterAll(async () => {
  await place.drop()
  rmSync(folder, { recursive: true })
})

const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env

/** Starts a command in a process of its own with only the given settings, in a temporary folder. */
function start(args: readonly string[], env: Record<string, string> = settings) {
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', cli, ...args], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', error: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.error += chunk
  })
  return { child, output }
}

/** Runs a command in a process of its own until it ends by itself. */
async function runProcess(args: readonly string[], env?: Record<string, string>) {
  const { child, output } = start(args, env)
  const [status] = await once(child, 'close')
  return { status, ...output }
}

/** Runs a command in this process. */
const run = (args: readonly string[], env: Record<string, string> = settings) =>
  captureCommand(env, () => runCommandLine({ program: 'mintmark-gateway', version }, gatewayCommands, args))

/** Serves until `work` is done. Returns the log. */
async function serving(work: (url: string, child: ChildProcess) => Promise<void>, env = settings) {
  const { child, output } = start(['serve'], env)
  const closed = once(child, 'close')
  try {
    while (!output.out.includes('"ready"')) {
      if (child.exitCode !== null) throw new Error(`The gateway exited: ${output.error}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const lines = output.out.split('\n').filter((line) => line.includes('"ready"'))
    await work(JSON.parse(lines[0] ?? '').url, child)
  } finally {
    // A second signal would kill the process.
    if (!child.killed) child.kill('SIGTERM')
    await closed
  }
  return { status: child.exitCode, ...output }
}

/** Expects a message without a stack. */
function expectError(output: { status: unknown; error: string }, status: number, message: string | RegExp) {
  expect(output.error).toMatch(message)
  expect(output.error).not.toMatch(/^\s+at /m)
  expect(output.status).toBe(status)
}

describe('help', () => {
  const commands = [
    'serve',
    'migrate',
    'keys create',
    'keys create-publishable',
    'keys list',
    'keys rotate',
    'keys revoke',
    'keys reseal',
    'minter show',
    'orders stuck',
    'orders resolve',
  ]

  it.each([[[]], [['--help']], [['help']]])('help names every command: %j', async (args) => {
    const { status, out, error } = await run(args)
    expect(status).toBe(0)
    expect(error).toBe('')
    for (const command of commands) expect(out).toContain(`mintmark-gateway ${command}`)
    expect(out).toContain('--project <name> [--name <label>] [--wallet <address>] [--scopes <list>]')
  })

  it.each([
    ['keys', '--help'],
    ['keys', 'create', '--help'],
  ])('help lists only the commands of a group for %s %s', async (...args) => {
    const { status, out } = await run(args)
    expect(status).toBe(0)
    expect(out.match(/^ {2}mintmark-gateway \w+/gm)?.map((line) => line.trim())).toEqual(
      Array(6).fill('mintmark-gateway keys'),
    )
  })

  it('help names the version', async () => {
    const { status, out } = await runProcess(['--version'])
    expect({ status, version: out.trim() }).toEqual({ status: 0, version })
  })

  it('help is printed with the error about an unknown command', async () => {
    const output = await runProcess(['keys', 'invent'])
    expectError(output, CONFIGURATION, 'mintmark-gateway: unknown command "keys invent"')
    expect(output.error).toContain('mintmark-gateway keys create')
    expect(output.out).toBe('')
  })
})

describe('an error about arguments names the argument and prints no stack', () => {
  it.each([
    [['keys', 'create'], '--project <name> is required'],
    [['keys', 'create', '--project'], /--project/],
    [['keys', 'create', '--projet', 'x'], /--projet/],
    [['keys', 'create', '--project', 'x', 'y'], 'expected no arguments'],
    [['keys', 'create', '--project', 'x', '--wallet', '0x12'], '--wallet: Expected an address'],
    [
      ['keys', 'create', '--project', 'x', '--wallet', '0x036cBd53842c5426634e7929541eC2318f3dCF7e'],
      '--wallet: Checksum of this address is wrong',
    ],
    [['keys', 'create-publishable', '--project', 'x'], '--origins <list> is required'],
    [
      ['keys', 'create-publishable', '--project', 'x', '--origins', 'https://Shop.example/'],
      '--origins: write "https://Shop.example/" as browsers do: https://shop.example',
    ],
    [
      ['keys', 'create-publishable', '--project', 'x', '--origins', 'https://*.shop.example'],
      '--origins: name each origin. "https://*.shop.example" contains a wildcard',
    ],
    [
      ['keys', 'create-publishable', '--project', 'x', '--origins', 'http://a', '--scopes', 'orders:read'],
      '--scopes: unknown scope "orders:read". Valid scopes: contracts:read, market:read',
    ],
    [['keys', 'revoke', `pk_${'a'.repeat(22)}`], 'No active key is named pk_'],
    [['keys', 'rotate'], 'expected <api-key>'],
    [['keys', 'rotate', 'mk_1', '--grace', 'long'], '--grace: expected hours from 0 to 8760'],
    [['keys', 'rotate', 'mk_1'], 'No active key is named mk_1'],
    [['keys', 'revoke', 'mk_1'], 'No active key is named mk_1'],
    [['serve', 'now'], 'expected no arguments'],
    [['orders', 'stuck', '--minutes', 'many'], '--minutes: expected a number from 0'],
    [['orders', 'stuck', '--delivery-hours', '-1'], '--delivery-hours'],
    [['orders', 'delivered', 'x', '--actor', ' ', '--reason', 'y'], '--actor and --reason'],
    [
      ['orders', 'refunded', 'x', '--actor', 'Ada', '--reason', 'y', '--payment', '1'],
      '--payment: expected 0x',
    ],
    [['orders', 'resolve'], 'expected <order-no>'],
    [['orders', 'resolve', 'x', '--as', 'success', '--actor', 'Ada'], '--reason <text> is required'],
    [
      ['orders', 'resolve', 'x', '--as', 'well', '--actor', 'Ada', '--reason', 'y'],
      '--as: expected success or failed',
    ],
    [['orders', 'resolve', 'x', '--as', 'failed', '--actor', ' ', '--reason', 'y'], '--actor and --reason'],
    [['orders', 'resolve', 'x', '--as', 'failed', '--actor', 'Ada', '--reason', 'y'], 'There is no order x'],
  ])('an error about arguments names the argument and prints no stack: %j', async (args, message) => {
    expectError(await run(args), CONFIGURATION, message)
  })
})

describe('an error about settings names the setting and prints no stack', () => {
  const without = (name: string) => {
    const { [name]: _, ...rest } = settings
    return rest
  }

  it('an error about settings names the setting and prints no stack reports a DATABASE_URL without SECRET_KEYS', async () => {
    expectError(
      await run(['serve'], without('SECRET_KEYS')),
      CONFIGURATION,
      /SECRET_KEYS is required: .*openssl/,
    )
  })

  it.each(['serve', 'migrate', 'keys list'])(
    'the command %s says what to set if DATABASE_URL is missing',
    async (command) => {
      expectError(
        await run(command.split(' '), without('DATABASE_URL')),
        CONFIGURATION,
        'DATABASE_URL is required: postgres://user:password@host:port/database. To try the servers without a database of your own, run npx @mintmark/sandbox, which brings PostgreSQL',
      )
    },
  )

  it.each([
    ['GATEWAY_PORT', 'http', 'GATEWAY_PORT: expected an integer from 0 to 65535, received "http"'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: expected one of trace, debug'],
    ['PUBLIC_URL', 'example.com', 'PUBLIC_URL: expected a URL that begins with http:// or https://'],
    ['SECRET_KEYS', 'k1:short', 'SECRET_KEYS: expected id:key'],
    ['RATE_LIMIT_BURST', '0', 'RATE_LIMIT_BURST: expected an integer from 1'],
    [
      'DATABASE_URL',
      'postgres://127.0.0.1:1/none',
      /DATABASE_URL: no connection to the database: .*ECONNREFUSED/,
    ],
  ])('an error about settings names the setting and prints no stack: %s=%s', async (name, value, message) => {
    expectError(await run(['serve'], { ...settings, [name]: value }), CONFIGURATION, message)
  })

  it('an error about settings names the setting and prints no stack reports a DATABASE_URL that is no PostgreSQL URL without repeating its password', async () => {
    const wrong = 'mysql://user:hush@localhost/x'
    const output = await run(['serve'], { ...settings, DATABASE_URL: wrong })
    expectError(output, CONFIGURATION, 'DATABASE_URL: expected postgres://')
    expect(output.error).not.toContain('hush')
  })

  it('an error about settings names the setting and prints no stack reports a database that refuses the connection or does not exist', async () => {
    const missing = new URL(place.url)
    missing.pathname = '/nowhere'
    expectError(
      await run(['serve'], { ...settings, DATABASE_URL: missing.href }),
      CONFIGURATION,
      'DATABASE_URL: no connection to the database: database "nowhere" does not exist',
    )
    const stranger = new URL(place.url)
    stranger.password = 'hush'
    const output = await run(['serve'], { ...settings, DATABASE_URL: stranger.href })
    expectError(output, CONFIGURATION, /DATABASE_URL: no connection to the database: .*authentication/)
    expect(output.error).not.toContain('hush')
  })

  it('an error about settings names the setting and prints no stack reports a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const output = await runProcess(['serve'], { ...settings, GATEWAY_PORT: String(port) })
    other.close()
    expectError(output, CONFIGURATION, `Port ${port} on 127.0.0.1 is in use. Choose another one`)
  })
})

it('the schema is changed only by the command migrate: serve refuses an outdated schema and names the command', async () => {
  const empty = await createTestDatabase()
  try {
    const env = { ...settings, DATABASE_URL: empty.url }
    for (const args of [['serve'], ['keys', 'list']]) {
      const output = await run(args, env)
      expectError(
        output,
        1,
        /schema "gateway" is outdated \(it lacks 0001-projects.*run `mintmark-gateway migrate` first/,
      )
    }
    expect(await runProcess(['migrate'], env)).toMatchObject({
      status: 0,
      out: 'The schema is up to date.\n',
    })
    expect(await run(['migrate'], env)).toMatchObject({ status: 0, out: 'The schema is up to date.\n' })
    expect(await run(['keys', 'list'], env)).toMatchObject({ status: 0, out: '[]\n' })
  } finally {
    await empty.drop()
  }
})

it('the schema of an earlier version is refused without a stack, with the way to replace it', async () => {
  const old = await createTestDatabase()
  const client = new pg.Client({ connectionString: old.url })
  try {
    await client.connect()
    await client.query(`create schema gateway; create table gateway.migrations (id text primary key);
        insert into gateway.migrations values ('0001_keys'), ('0002_collectibles')`)
    const env = { ...settings, DATABASE_URL: old.url }
    for (const command of ['migrate', 'serve']) {
      expectError(
        await run([command], env),
        1,
        /schema "gateway" was created by an earlier version.*drop schema/,
      )
    }
  } finally {
    await client.end()
    await old.drop()
  }
})

it.each(['crads:read', 'cards', ''])('keys are not created with the unknown scope "%s"', async (scope) => {
  const output = await run(['keys', 'create', '--project', 'shop', '--scopes', `cards:read,${scope}`])
  expectError(
    output,
    CONFIGURATION,
    `unknown scope "${scope}". Valid scopes: audit:read, cards:read, cards:verify, cards:write, contracts:read`,
  )
})

it('keys are created, used, listed, rotated and revoked, and each secret is shown once', async () => {
  const created = await runProcess([
    'keys',
    'create',
    '--project',
    'shop',
    '--name',
    'till',
    '--scopes',
    'wallet:read, cards:read',
  ])
  expect(created.status).toBe(0)
  const key = JSON.parse(created.out)
  expect(key).toEqual({
    projectId: expect.any(Number),
    apiKey: expect.any(String),
    secret: expect.any(String),
  })

  const served = await serving(async (url) => {
    const client = rawClient((request) => fetch(request), key, { publicUrl: url })
    const address = `0x${'1'.repeat(40)}`
    const read = { path: '/api/v1/wallet/walletInfo', query: `address=${address}` }
    expect((await client.call(read)).status).toBe(404)
    expect(
      (await client.call({ path: '/api/v1/contract/info', query: `nftAddress=${address}` })).status,
    ).toBe(403)

    const rotated = await run(['keys', 'rotate', key.apiKey, '--grace', '1'])
    const { secret } = JSON.parse(rotated.out)
    expect(secret).not.toBe(key.secret)
    // A server caches a key for a second.
    const statusWith = async (call: typeof read & { secret?: string }) => (await client.call(call)).status
    await vi.waitFor(async () => expect(await statusWith({ ...read, secret })).toBe(404), PATIENCE)
    expect(await statusWith(read)).toBe(404)

    expect(await run(['keys', 'revoke', key.apiKey])).toMatchObject({
      status: 0,
      out: `${key.apiKey} is revoked.\n`,
    })
    await vi.waitFor(async () => expect(await statusWith({ ...read, secret })).toBe(401), PATIENCE)
  })
  expect(served.status).toBe(0)
  expect(served.error).toBe('')
  expect(served.out).not.toContain(key.secret)

  const listed = await run(['keys', 'list'])
  expect(listed.out).not.toContain('"sk_')
  expect(JSON.parse(listed.out)).toContainEqual(
    expect.objectContaining({ api_key: key.apiKey, name: 'till', scopes: ['wallet:read', 'cards:read'] }),
  )
})

it('keys are publishable for pages of the given origins until they are revoked', async () => {
  const origins = 'https://shop.example,http://localhost:5173'
  const options = ['--project', 'shop', '--name', 'website', '--origins', origins]
  const created = await run(['keys', 'create-publishable', ...options])
  const { projectId, publishableKey } = JSON.parse(created.out)
  expect(projectId).toEqual(expect.any(Number))
  expect(publishableKey).toMatch(/^pk_[\w-]{22}$/)
  await serving(async (url) => {
    const headers = { 'x-publishable-key': publishableKey, origin: 'http://localhost:5173' }
    const read = async () => (await fetch(`${url}/api/v1/nft/page`, { headers })).status
    expect(await read()).toBe(200)
    const revoked = await run(['keys', 'revoke', publishableKey])
    expect(revoked).toMatchObject({ status: 0, out: `${publishableKey} is revoked.\n` })
    await vi.waitFor(async () => expect(await read()).toBe(401), PATIENCE)
  })
  expect(JSON.parse((await run(['keys', 'list'])).out)).toContainEqual({
    publishable_key: publishableKey,
    name: 'website',
    project: 'shop',
    scopes: ['contracts:read', 'market:read'],
    origins: ['https://shop.example', 'http://localhost:5173'],
    created_at: expect.any(String),
    revoked_at: expect.any(String),
  })
})

it('keys are not served with other SECRET_KEYS, and are re-encrypted with new ones by reseal', async () => {
  await run(['keys', 'create', '--project', 'shop'])
  const other = createSecretKey('k2')
  const output = await run(['serve'], { ...settings, SECRET_KEYS: other })
  expectError(output, CONFIGURATION, 'SECRET_KEYS: the key "k1" is missing, and a stored secret needs it')
  const impostor = await run(['serve'], { ...settings, SECRET_KEYS: createSecretKey('k1') })
  expectError(impostor, CONFIGURATION, 'SECRET_KEYS: the key "k1" does not open a stored secret')
  const both = { ...settings, SECRET_KEYS: `${other},${settings.SECRET_KEYS}` }
  const minter = (await run(['minter', 'show', '--project', 'shop'])).out
  const resealed = await run(['keys', 'reseal'], both)
  expect(JSON.parse(resealed.out).resealed).toBeGreaterThan(0)
  expect(JSON.parse((await run(['keys', 'reseal'], both)).out)).toEqual({ resealed: 0 })
  settings = { ...settings, SECRET_KEYS: other }
  expect((await run(['minter', 'show', '--project', 'shop'])).out).toBe(minter)
  await serving(async (url) => expect((await fetch(`${url}/health`)).status).toBe(200))
})

it('the minter of a project is created once and shown only by its address', async () => {
  await run(['keys', 'create', '--project', 'mint'])
  const first = await run(['minter', 'show', '--project', 'mint'])
  expect(JSON.parse(first.out)).toEqual({
    projectId: expect.any(Number),
    minter: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  })
  expect((await run(['minter', 'show', '--project', 'mint'])).out).toBe(first.out)
  expectError(await run(['minter', 'show', '--project', 'none']), CONFIGURATION, 'No project is named none')
})

it('serving on any free port returns URLs with that port', async () => {
  await serving(async (url) => {
    expect(new URL(url).port).not.toBe('0')
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url }])
  })
})

it('serving stops on SIGTERM after the calls in progress', async () => {
  const { status, out } = await serving(async (url, child) => {
    const calls = Array.from({ length: 20 }, () => fetch(`${url}/api/v1/wallet/walletInfo`))
    child.kill('SIGTERM')
    for (const outcome of await Promise.allSettled(calls)) {
      // A call that arrived in time gets a complete response. A later one is refused.
      if (outcome.status === 'fulfilled') expect((await readResponse(outcome.value)).json.code).toBe(401)
    }
  })
  expect(status).toBe(0)
  expect(out).toContain('"msg":"stopping"')
})

it('serving is not ready but healthy after SIGTERM, while it still accepts calls', async () => {
  const read = async (url: string) => {
    const response = await fetch(url)
    return { status: response.status, ...((await response.json()) as object) }
  }
  const delayed = { ...settings, SHUTDOWN_DELAY_MS: '600000' }
  const { status } = await serving(async (url, child) => {
    const ok = { status: 'ok', version }
    expect([await read(`${url}/ready`), await read(`${url}/health`)]).toEqual([ok, ok])
    child.kill('SIGTERM')
    const stopping = { status: 'the server is stopping', version }
    await vi.waitFor(async () => expect(await read(`${url}/ready`)).toEqual(stopping), PATIENCE)
    expect((await fetch(`${url}/ready`)).status).toBe(503)
    const healthy = await fetch(`${url}/health`)
    expect([healthy.status, healthy.headers.get('connection')]).toEqual([200, 'close'])
    expect((await fetch(`${url}/api/v1/wallet/walletInfo`)).status).toBe(401)
    // A second signal ends the process at once.
    child.kill('SIGTERM')
  }, delayed)
  expect(status).toBe(130)
})
