import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createFakeKeychain } from '../testing/fake-keychain.ts'
import { createFolder, createStub, respondWith, runCommand } from '../testing/run-command.ts'
import { openKeychain } from './open-keychain.ts'

const LOGIN = ['login', '--no-check', '--profile', 'live', '--keychain']
const GATEWAY = ['--gateway-url', 'https://live.test', '--api-key', 'mk_live']
const SECRET = `sk_"'$(touch x)\\ stored`
const variables = { MINTMARK_SECRET: SECRET }

function getConfigurationFile(homeFolder: string): string {
  return join(homeFolder, '.config', 'mintmark', 'config.json')
}

async function readProfiles(homeFolder: string) {
  return JSON.parse(await readFile(getConfigurationFile(homeFolder), 'utf8')).profiles
}

async function writeProfiles(homeFolder: string, profiles: object): Promise<void> {
  const file = getConfigurationFile(homeFolder)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ profiles }), { mode: 0o600 })
}

/** Calls the gateway with the profile `live`. Returns how it ended, and what was sent. */
async function callGateway(settings: Parameters<typeof runCommand>[1]) {
  const { requests, fetch } = createStub(() => respondWith({ id: 7 }))
  const words = ['promo-codes', 'get', '7', '--profile', 'live', '--json']
  const { exitCode, errors } = await runCommand(words, { variables: {}, ...settings, fetch })
  return { exitCode, errors, urls: requests.map(({ url }) => new URL(url).origin) }
}

it('stores the secrets of a profile in the keychain, and in no file', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const words = [...LOGIN, ...GATEWAY, '--facilitator-url', 'https://pay.test']
  const { exitCode, errors } = await runCommand(words, {
    ...keychain,
    homeFolder,
    variables: { ...variables, MINTMARK_FACILITATOR_TOKEN: 'token_stored' },
  })
  expect([exitCode, errors]).toEqual([0, expect.stringContaining('and its secrets in the keychain')])
  expect(await readProfiles(homeFolder)).toEqual({
    live: {
      gateway: { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' },
      facilitator: { baseUrl: 'https://pay.test', keychain: 'facilitator/live' },
    },
  })
  const entries = [...keychain.entries].map(([account, value]) => [account, JSON.parse(value)])
  expect(Object.fromEntries(entries)).toEqual({
    'gateway/live': { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: SECRET },
    'facilitator/live': { baseUrl: 'https://pay.test', secret: 'token_stored' },
  })

  const settings = { ...keychain, variables: {}, homeFolder }
  expect(await callGateway(settings)).toMatchObject({ exitCode: 0, urls: ['https://live.test'] })
  const { requests, fetch } = createStub(() => Response.json({ status: 'ok', version: '1', chains: [] }))
  await runCommand(['payments', 'health', '--profile', 'live'], { ...settings, fetch })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token_stored'])
})

it('refuses the secret to another server than the one that it was stored for', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  await runCommand([...LOGIN, ...GATEWAY], { ...keychain, variables, homeFolder })
  const file = getConfigurationFile(homeFolder)
  const content = await readFile(file, 'utf8')
  await writeFile(file, content.replace('https://live.test', 'https://evil.test'))
  const { exitCode, errors, urls } = await callGateway({ ...keychain, homeFolder })
  expect([exitCode, urls]).toEqual([2, []])
  expect(errors).toContain('has no secret of the gateway https://evil.test for the profile live')
})

it('removes the secret from the keychain when the profile is stored in the file again', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const settings = { ...keychain, homeFolder, variables }
  await runCommand([...LOGIN, ...GATEWAY], settings)
  const { exitCode } = await runCommand(['login', '--no-check', '--profile', 'live', ...GATEWAY], settings)
  expect([exitCode, keychain.entries.size]).toEqual([0, 0])
  const { live } = await readProfiles(homeFolder)
  expect(live).toEqual({ gateway: { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: SECRET } })
})

it.each([
  ['no entry', undefined],
  ['an entry of another program', 'a password'],
])('explains a keychain with %s for a profile', async (_, entry) => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  if (entry !== undefined) keychain.entries.set('gateway/live', entry)
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' }
  await writeProfiles(homeFolder, { live: { gateway } })
  const { exitCode, errors } = await callGateway({ ...keychain, homeFolder })
  expect(exitCode).toBe(2)
  expect(errors).toContain('Run `mintmark login --keychain --profile live`')
})

it('explains a keychain that is missing or fails, and stores nothing', async () => {
  const homeFolder = createFolder()
  const missing = () => Promise.reject(new Error('Cannot find native binding'))
  const failing = Object.assign(createFakeKeychain(), { failure: 'The collection is locked' })
  for (const [openKeychain, reason] of [
    [missing, 'Cannot find native binding'],
    [failing.openKeychain, 'The collection is locked'],
  ] as const) {
    const { exitCode, errors } = await runCommand([...LOGIN, ...GATEWAY], {
      openKeychain,
      homeFolder,
      variables,
    })
    expect(exitCode).toBe(2)
    expect(errors).toContain(`The keychain failed: ${reason}. Unlock or start it`)
    expect(errors).toContain('log in again without --keychain, or set the credentials in the environment')
  }
  await expect(readProfiles(homeFolder)).rejects.toThrow('ENOENT')
})

it('fails on a machine without a desktop session instead of storing where a restart forgets', async () => {
  const openElsewhere = async () => {
    const bus = process.env.DBUS_SESSION_BUS_ADDRESS
    process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent'
    try {
      return await openKeychain('gateway/live')
    } finally {
      if (bus === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS
      else process.env.DBUS_SESSION_BUS_ADDRESS = bus
    }
  }
  if (process.platform === 'linux') await expect(openElsewhere()).rejects.toThrow()
  else expect(await openElsewhere()).toBeDefined()
})

it('leaves a keychain that no longer works', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  await runCommand([...LOGIN, ...GATEWAY], { ...keychain, homeFolder, variables })
  keychain.failure = 'The collection is locked'
  const words = ['login', '--no-check', '--profile', 'live', ...GATEWAY]
  const { exitCode, errors } = await runCommand(words, { ...keychain, homeFolder, variables })
  expect(exitCode).toBe(0)
  expect(errors).toContain('Warning: the keychain still has gateway/live')
  expect(await callGateway({ homeFolder })).toMatchObject({ exitCode: 0 })
})

it('moves the secret of the other service to the keychain too, which an earlier login stored in the file', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const words = ['login', '--no-check', '--profile', 'live', '--facilitator-url', 'https://pay.test']
  await runCommand(words, {
    ...keychain,
    variables: { MINTMARK_FACILITATOR_TOKEN: 'token_stored' },
    homeFolder,
  })
  const { errors } = await runCommand([...LOGIN, ...GATEWAY], { ...keychain, variables, homeFolder })
  expect(errors).toContain('and its secrets in the keychain')
  expect(await readFile(getConfigurationFile(homeFolder), 'utf8')).not.toContain('token_stored')
  expect([...keychain.entries.keys()].sort()).toEqual(['facilitator/live', 'gateway/live'])
})

it('says that the private key of a wallet stays in the file', async () => {
  const homeFolder = createFolder()
  const wallet = { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', privateKey: '0xprivate' }
  await writeProfiles(homeFolder, { live: { wallet } })
  const { errors } = await runCommand([...LOGIN, ...GATEWAY], {
    ...createFakeKeychain(),
    homeFolder,
    variables,
  })
  expect(errors).toContain(
    `and its secrets in the keychain, except the private key of the wallet ${wallet.address}, which is in the file`,
  )
  expect((await readProfiles(homeFolder)).live.wallet).toEqual(wallet)
})

it('refuses a name that is no name of an entry for a profile with a keychain', async () => {
  const words = ['login', '--no-check', '--keychain', '--profile', 'live $(id)', ...GATEWAY]
  const { exitCode, errors } = await runCommand(words, { variables })
  expect(exitCode).toBe(2)
  expect(errors).toContain('--profile: Expected at most 64 letters')
})

it('refuses a profile with an entry of the keychain that no login wrote', async () => {
  const homeFolder = createFolder()
  await writeProfiles(homeFolder, {
    live: { facilitator: { baseUrl: 'https://pay.test', keychain: "x' -w" } },
  })
  const { exitCode, errors } = await callGateway({ homeFolder })
  expect(exitCode).toBe(2)
  expect(errors).toContain('has no valid profiles')
})

it('does not look up an entry of the keychain that the credentials.json of a folder names', async () => {
  const currentFolder = createFolder()
  await mkdir(join(currentFolder, '.mintmark'))
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' }
  await writeFile(join(currentFolder, '.mintmark', 'credentials.json'), JSON.stringify({ gateway }))
  const keychain = createFakeKeychain()
  const { exitCode, errors } = await runCommand(['promo-codes', 'get', '7'], {
    ...keychain,
    variables: {},
    currentFolder,
  })
  expect(keychain.opened).toEqual([])
  expect(exitCode).toBe(2)
  expect(errors).toContain('has no credentials of a sandbox')
})
