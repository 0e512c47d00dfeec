import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, newSecretKey } from '@mintmark/server-kit'
import { type TestDatabase, testDatabase } from '@mintmark/server-kit/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { gatewaySchema } from './server.ts'
import { rawClient, readResponse } from './testing/raw-client.ts'
import { version } from './version.ts'

const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
const CONFIGURATION = 2
const PATIENCE = { timeout: 30_000, interval: 100 }

let folder: string
let place: TestDatabase
let settings: Record<string, string>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-cli-'))
  place = await testDatabase()
  await migrate(place.url, gatewaySchema)
  settings = { DATABASE_URL: place.url, SECRET_KEYS: newSecretKey(), GATEWAY_PORT: '0' }
})
afterAll(async () => {
  await place.drop()
  rmSync(folder, { recursive: true })
})

/** Starts the command with no setting but the given ones, in a folder of its own. */
function start(args: readonly string[], env: Record<string, string> = settings) {
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', cli, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const told = { out: '', error: '' }
  child.stdout.on('data', (chunk) => {
    told.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    told.error += chunk
  })
  return { child, told }
}

async function run(args: readonly string[], env?: Record<string, string>) {
  const { child, told } = start(args, env)
  const [status] = await once(child, 'close')
  return { status, ...told }
}

/** Serves until `work` is done; answers what was logged. */
async function serving(work: (url: string, child: ChildProcess) => Promise<void>) {
  const { child, told } = start(['serve'])
  const closed = once(child, 'close')
  try {
    while (!told.out.includes('"ready"')) {
      if (child.exitCode !== null) throw new Error(`the gateway ended: ${told.error}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const lines = told.out.split('\n').filter((line) => line.includes('"ready"'))
    await work(JSON.parse(lines[0] ?? '').url, child)
  } finally {
    // A second signal would end it at once.
    if (!child.killed) child.kill('SIGTERM')
    await closed
  }
  return { status: child.exitCode, ...told }
}

/** A message for a person: one that says what is wrong, and no stack. */
function expectTold(told: { status: unknown; error: string }, status: number, message: string | RegExp) {
  expect(told.error).toMatch(message)
  expect(told.error).not.toMatch(/^\s+at /m)
  expect(told.status).toBe(status)
}

describe('help', () => {
  const commands = [
    'serve',
    'migrate',
    'keys create',
    'keys list',
    'keys rotate',
    'keys revoke',
    'keys reseal',
    'minter show',
    'orders stuck',
    'orders resolve',
  ]

  it.each([[[]], [['--help']], [['help']]])('names every command: %j', async (args) => {
    const { status, out, error } = await run(args)
    expect(status).toBe(0)
    expect(error).toBe('')
    for (const command of commands) expect(out).toContain(`mintmark-gateway ${command}`)
    expect(out).toContain('--project <name> [--name <what it is for>] [--wallet <address>] [--scopes <list>]')
  })

  it.each([
    ['keys', '--help'],
    ['keys', 'create', '--help'],
  ])('of %s tells of the commands that begin so', async (...args) => {
    const { status, out } = await run(args)
    expect(status).toBe(0)
    expect(out.match(/^ {2}mintmark-gateway \w+/gm)?.map((line) => line.trim())).toEqual(
      Array(5).fill('mintmark-gateway keys'),
    )
  })

  it('names the version', async () => {
    const { status, out } = await run(['--version'])
    expect({ status, version: out.trim() }).toEqual({ status: 0, version })
  })

  it('comes with the complaint about a command that there is not', async () => {
    const told = await run(['keys', 'invent'])
    expectTold(told, CONFIGURATION, 'mintmark-gateway: unknown command "keys invent"')
    expect(told.error).toContain('mintmark-gateway keys create')
    expect(told.out).toBe('')
  })
})

describe('what is wrong with the arguments is told in words', () => {
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
    [['keys', 'rotate'], 'expected <api-key>'],
    [['keys', 'rotate', 'mk_1', '--grace', 'long'], '--grace: expected hours from 0 to 8760'],
    [['keys', 'rotate', 'mk_1'], 'No active key is named mk_1'],
    [['keys', 'revoke', 'mk_1'], 'No active key is named mk_1'],
    [['serve', 'now'], 'expected no arguments'],
    [['orders', 'stuck', '--minutes', 'many'], '--minutes: expected a number from 0'],
    [['orders', 'resolve'], 'expected <order-no>'],
    [['orders', 'resolve', 'x', '--as', 'success', '--actor', 'Ada'], '--reason <text> is required'],
    [
      ['orders', 'resolve', 'x', '--as', 'well', '--actor', 'Ada', '--reason', 'y'],
      '--as: expected success, failed or refunded',
    ],
    [['orders', 'resolve', 'x', '--as', 'failed', '--actor', ' ', '--reason', 'y'], '--actor and --reason'],
    [['orders', 'resolve', 'x', '--as', 'failed', '--actor', 'Ada', '--reason', 'y'], 'There is no order x'],
  ])('%j', async (args, message) => {
    expectTold(await run(args), CONFIGURATION, message)
  })
})

describe('what is wrong with the settings is told in words', () => {
  const without = (name: string) => {
    const { [name]: _, ...rest } = settings
    return rest
  }

  it('a database without SECRET_KEYS', async () => {
    expectTold(
      await run(['serve'], without('SECRET_KEYS')),
      CONFIGURATION,
      /SECRET_KEYS is required .*openssl/,
    )
  })

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
  ])('%s=%s', async (name, value, message) => {
    expectTold(await run(['serve'], { ...settings, [name]: value }), CONFIGURATION, message)
  })

  it('a database that is none, without repeating its password', async () => {
    const wrong = 'mysql://user:hush@localhost/x'
    const told = await run(['serve'], { ...settings, DATABASE_URL: wrong })
    expectTold(told, CONFIGURATION, 'DATABASE_URL: expected postgres://')
    expect(told.error).not.toContain('hush')
  })

  it('a database that does not let us in, or is not there', async () => {
    const missing = new URL(place.url)
    missing.pathname = '/nowhere'
    expectTold(
      await run(['serve'], { ...settings, DATABASE_URL: missing.href }),
      CONFIGURATION,
      'DATABASE_URL: no connection to the database: database "nowhere" does not exist',
    )
    const stranger = new URL(place.url)
    stranger.password = 'hush'
    const told = await run(['serve'], { ...settings, DATABASE_URL: stranger.href })
    expectTold(told, CONFIGURATION, /DATABASE_URL: no connection to the database: .*authentication/)
    expect(told.error).not.toContain('hush')
  })

  it('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const told = await run(['serve'], { ...settings, GATEWAY_PORT: String(port) })
    other.close()
    expectTold(told, CONFIGURATION, `Port ${port} on 127.0.0.1 is in use. Choose another one`)
  })
})

describe('the schema', () => {
  it('is changed by migrate alone: serving an outdated one is refused, naming the command', async () => {
    const empty = await testDatabase()
    try {
      const env = { ...settings, DATABASE_URL: empty.url }
      for (const args of [['serve'], ['keys', 'list']]) {
        const told = await run(args, env)
        expectTold(
          told,
          1,
          /schema "gateway" is outdated \(it lacks 0001_projects.*run `mintmark-gateway migrate` first/,
        )
      }
      expect(await run(['migrate'], env)).toMatchObject({ status: 0, out: 'The schema is up to date.\n' })
      expect(await run(['migrate'], env)).toMatchObject({ status: 0, out: 'The schema is up to date.\n' })
      expect(await run(['keys', 'list'], env)).toMatchObject({ status: 0, out: '[]\n' })
    } finally {
      await empty.drop()
    }
  })
})

describe('keys', () => {
  it.each(['crads:read', 'cards', ''])(
    'are not made with the scope "%s", which there is not',
    async (scope) => {
      const told = await run(['keys', 'create', '--project', 'shop', '--scopes', `cards:read,${scope}`])
      expectTold(
        told,
        CONFIGURATION,
        `unknown scope "${scope}". Valid scopes: cards:read, cards:write, contracts:read`,
      )
    },
  )

  it('are created, used, listed, rotated and revoked, and each secret is shown once', async () => {
    const created = await run([
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
      // A server keeps a key for a second before it reads it again.
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
    expect(listed.out).not.toContain('sk_')
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({ api_key: key.apiKey, name: 'till', scopes: ['wallet:read', 'cards:read'] }),
    )
  })

  it('are not served with other SECRET_KEYS than sealed them, and move to new ones by reseal', async () => {
    await run(['keys', 'create', '--project', 'shop'])
    const other = newSecretKey('k2')
    const told = await run(['serve'], { ...settings, SECRET_KEYS: other })
    expectTold(told, CONFIGURATION, 'SECRET_KEYS: the key "k1" is missing, and a stored secret needs it')
    const impostor = await run(['serve'], { ...settings, SECRET_KEYS: newSecretKey('k1') })
    expectTold(impostor, CONFIGURATION, 'SECRET_KEYS: the key "k1" does not open a stored secret')
    const both = { ...settings, SECRET_KEYS: `${other},${settings.SECRET_KEYS}` }
    const minter = (await run(['minter', 'show', '--project', 'shop'])).out
    const resealed = await run(['keys', 'reseal'], both)
    expect(JSON.parse(resealed.out).resealed).toBeGreaterThan(0)
    expect(JSON.parse((await run(['keys', 'reseal'], both)).out)).toEqual({ resealed: 0 })
    settings = { ...settings, SECRET_KEYS: other }
    expect((await run(['minter', 'show', '--project', 'shop'])).out).toBe(minter)
    await serving(async (url) => expect((await fetch(`${url}/health`)).status).toBe(200))
  })
})

describe('the minter of a project', () => {
  it('is made once, and shown by its address alone', async () => {
    await run(['keys', 'create', '--project', 'mint'])
    const first = await run(['minter', 'show', '--project', 'mint'])
    expect(JSON.parse(first.out)).toEqual({
      projectId: expect.any(Number),
      minter: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    })
    expect((await run(['minter', 'show', '--project', 'mint'])).out).toBe(first.out)
    expectTold(await run(['minter', 'show', '--project', 'none']), CONFIGURATION, 'No project is named none')
  })
})

describe('serving', () => {
  it('on any free port hands out addresses that hold it', async () => {
    await serving(async (url) => {
      expect(new URL(url).port).not.toBe('0')
      const document = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }
      expect(document.servers).toEqual([{ url }])
    })
  })

  it('refuses a time zone that there is not', async () => {
    const told = await run(['serve'], { ...settings, STORE_TIME_ZONE: 'Europe/Atlantis' })
    expectTold(told, CONFIGURATION, /STORE_TIME_ZONE: expected an IANA time zone/)
  })

  it('stops when told, after the calls in flight', async () => {
    const { status, out } = await serving(async (url, child) => {
      const calls = Array.from({ length: 20 }, () => fetch(`${url}/api/v1/wallet/walletInfo`))
      child.kill('SIGTERM')
      for (const outcome of await Promise.allSettled(calls)) {
        // A call that came in time is answered whole; one that came too late is not let in.
        if (outcome.status === 'fulfilled') expect((await readResponse(outcome.value)).json.code).toBe(401)
      }
    })
    expect(status).toBe(0)
    expect(out).toContain('"msg":"stopping"')
  })
})
