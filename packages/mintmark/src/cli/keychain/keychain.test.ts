import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFakeKeychain, type KeychainPlatform } from '../testing/fake-keychain.ts'
import { createFolder, createStub, respondWith, runCommand } from '../testing/run-command.ts'

const PLATFORMS: readonly KeychainPlatform[] = ['linux', 'darwin', 'win32']
const LOGIN = ['login', '--profile', 'live', '--keychain']
const GATEWAY = ['--gateway-url', 'https://live.test', '--api-key', 'mk_live']
const SECRET = `sk_"'$(touch x)\\ stored`

function getConfigurationFile(homeFolder: string): string {
  return join(homeFolder, '.config', 'mintmark', 'config.json')
}

async function readProfiles(homeFolder: string) {
  return JSON.parse(await readFile(getConfigurationFile(homeFolder), 'utf8')).profiles
}

/** Calls the gateway with the profile `live`. Returns how it ended, and what was sent. */
async function callGateway(settings: Parameters<typeof runCommand>[1]) {
  const { requests, fetch } = createStub(() => respondWith({ id: 7 }))
  const words = ['promo-codes', 'get', '7', '--profile', 'live', '--json']
  const { exitCode, errors } = await runCommand(words, { ...settings, fetch })
  return { exitCode, errors, urls: requests.map(({ url }) => new URL(url).origin) }
}

describe.each(PLATFORMS)('the keychain of %s', (platform) => {
  it('a keychain has the secrets of a profile, which are in no file and no parameter of a process', async () => {
    const homeFolder = createFolder()
    const keychain = await createFakeKeychain(platform)
    const variables = {
      ...keychain.variables,
      MINTMARK_SECRET: SECRET,
      MINTMARK_FACILITATOR_TOKEN: 'token_stored',
    }
    const words = [...LOGIN, ...GATEWAY, '--facilitator-url', 'https://pay.test']
    const { exitCode, errors } = await runCommand(words, { platform, variables, homeFolder })
    expect([exitCode, errors]).toEqual([0, expect.stringContaining('and its secrets in the keychain')])
    expect(await readProfiles(homeFolder)).toEqual({
      live: {
        gateway: { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' },
        facilitator: { baseUrl: 'https://pay.test', keychain: 'facilitator/live' },
      },
    })
    const entries = Object.entries(await keychain.readEntries()).map(([account, value]) => [
      account,
      JSON.parse(Buffer.from(value, 'base64url').toString()),
    ])
    expect(Object.fromEntries(entries)).toEqual({
      'gateway/live': { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: SECRET },
      'facilitator/live': { baseUrl: 'https://pay.test', secret: 'token_stored' },
    })
    const parameters = await keychain.readParameters()
    for (const value of Object.values(await keychain.readEntries())) expect(parameters).not.toContain(value)
    expect(parameters).not.toContain('sk_')

    const settings = { platform, variables: keychain.variables, homeFolder }
    expect(await callGateway(settings)).toMatchObject({ exitCode: 0, urls: ['https://live.test'] })
    const { requests, fetch } = createStub(() => Response.json({ status: 'ok', version: '1', chains: [] }))
    await runCommand(['payments', 'health', '--profile', 'live'], { ...settings, fetch })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token_stored'])
  })

  it('a keychain refuses the secret to another server than the one that it was stored for', async () => {
    const homeFolder = createFolder()
    const keychain = await createFakeKeychain(platform)
    const variables = { ...keychain.variables, MINTMARK_SECRET: SECRET }
    await runCommand([...LOGIN, ...GATEWAY], { platform, variables, homeFolder })
    const file = getConfigurationFile(homeFolder)
    const content = await readFile(file, 'utf8')
    await writeFile(file, content.replace('https://live.test', 'https://evil.test'))
    const { exitCode, errors, urls } = await callGateway({ platform, variables, homeFolder })
    expect([exitCode, urls]).toEqual([2, []])
    expect(errors).toContain('has no secret of the gateway https://evil.test for the profile live')
  })

  it('a keychain loses the secret when the profile is stored in the file again', async () => {
    const homeFolder = createFolder()
    const keychain = await createFakeKeychain(platform)
    const settings = {
      platform,
      homeFolder,
      variables: { ...keychain.variables, MINTMARK_SECRET: SECRET },
    }
    await runCommand([...LOGIN, ...GATEWAY], settings)
    const { exitCode } = await runCommand(['login', '--profile', 'live', ...GATEWAY], settings)
    expect([exitCode, await keychain.readEntries()]).toEqual([0, {}])
    const { live } = await readProfiles(homeFolder)
    expect(live).toEqual({ gateway: { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: SECRET } })
  })

  it('a keychain is explained when it has no secret of a profile', async () => {
    const homeFolder = createFolder()
    const keychain = await createFakeKeychain(platform)
    const file = getConfigurationFile(homeFolder)
    await mkdir(dirname(file), { recursive: true })
    const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' }
    await writeFile(file, JSON.stringify({ profiles: { live: { gateway } } }), { mode: 0o600 })
    const { variables } = keychain
    const { exitCode, errors } = await callGateway({ platform, variables, homeFolder })
    expect(exitCode).toBe(2)
    expect(errors).toContain('Run `mintmark login --keychain --profile live`')
  })

  it('a keychain is explained when its tool is missing or fails, and nothing is stored', async () => {
    const homeFolder = createFolder()
    const empty = createFolder()
    const missing = { PATH: empty, SystemRoot: empty, MINTMARK_SECRET: SECRET }
    const first = await runCommand([...LOGIN, ...GATEWAY], { platform, variables: missing, homeFolder })
    expect(first.exitCode).toBe(2)
    expect(first.errors).toContain('There is no keychain: ')
    expect(first.errors).toContain(
      'log in again without --keychain, or set the credentials in the environment',
    )

    const { variables } = await createFakeKeychain(platform)
    const failing = {
      ...variables,
      MINTMARK_SECRET: SECRET,
      FAKE_KEYCHAIN_FAILURE: 'The collection is locked',
    }
    const second = await runCommand([...LOGIN, ...GATEWAY], { platform, variables: failing, homeFolder })
    expect(second.exitCode).toBe(2)
    expect(second.errors).toContain('The keychain failed: The collection is locked. Unlock or start it')
    // Interactive commands of `security` may end with 0 although they failed.
    const silent = { ...failing, FAKE_KEYCHAIN_EXIT_CODE: '0' }
    const third = await runCommand([...LOGIN, ...GATEWAY], { platform, variables: silent, homeFolder })
    expect(third.exitCode).toBe(2)
    expect(third.errors).toContain('The collection is locked')
    await expect(readProfiles(homeFolder)).rejects.toThrow('ENOENT')
  })

  it('a keychain can be left when it no longer works', async () => {
    const homeFolder = createFolder()
    const { variables } = await createFakeKeychain(platform)
    const working = { ...variables, MINTMARK_SECRET: SECRET }
    await runCommand([...LOGIN, ...GATEWAY], { platform, homeFolder, variables: working })
    const failing = { ...working, FAKE_KEYCHAIN_FAILURE: 'The collection is locked' }
    const words = ['login', '--profile', 'live', ...GATEWAY]
    const { exitCode, errors } = await runCommand(words, { platform, homeFolder, variables: failing })
    expect(exitCode).toBe(0)
    expect(errors).toContain('Warning: the keychain still has gateway/live')
    expect(await callGateway({ platform, homeFolder, variables: {} })).toMatchObject({ exitCode: 0 })
  })
})

it('a profile with a keychain has the secret of the other service in the keychain too, which an earlier login stored in the file', async () => {
  const homeFolder = createFolder()
  const keychain = await createFakeKeychain('linux')
  const variables = { ...keychain.variables, MINTMARK_FACILITATOR_TOKEN: 'token_stored' }
  const words = ['login', '--profile', 'live', '--facilitator-url', 'https://pay.test']
  await runCommand(words, { variables, homeFolder })
  const gateway = { ...keychain.variables, MINTMARK_SECRET: SECRET }
  const { errors } = await runCommand([...LOGIN, ...GATEWAY], { variables: gateway, homeFolder })
  expect(errors).toContain('and its secrets in the keychain')
  expect(await readFile(getConfigurationFile(homeFolder), 'utf8')).not.toContain('token_stored')
  expect(Object.keys(await keychain.readEntries()).sort()).toEqual(['facilitator/live', 'gateway/live'])
})

it('a profile with a keychain has a name that needs no quotes', async () => {
  const words = ['login', '--keychain', '--profile', 'live $(id)', ...GATEWAY]
  const { exitCode, errors } = await runCommand(words, { variables: { MINTMARK_SECRET: SECRET } })
  expect(exitCode).toBe(2)
  expect(errors).toContain('--profile: Expected at most 64 letters')
})

it('a profile with a keychain is refused with an account that no login wrote', async () => {
  const homeFolder = createFolder()
  const file = getConfigurationFile(homeFolder)
  await mkdir(dirname(file), { recursive: true })
  const facilitator = { baseUrl: 'https://pay.test', keychain: "x' -w" }
  await writeFile(file, JSON.stringify({ profiles: { live: { facilitator } } }), { mode: 0o600 })
  const { exitCode, errors } = await callGateway({ homeFolder, variables: {} })
  expect(exitCode).toBe(2)
  expect(errors).toContain('has no valid profiles')
})

it('does not look up an entry of the keychain that the credentials.json of a folder names', async () => {
  const currentFolder = createFolder()
  await mkdir(join(currentFolder, '.mintmark'))
  // The entry would end the text of the script and begin a command of its own.
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: "x'); Start-Process calc #" }
  await writeFile(join(currentFolder, '.mintmark', 'credentials.json'), JSON.stringify({ gateway }))
  const { variables, readParameters } = await createFakeKeychain('win32')
  const settings = { platform: 'win32', variables, currentFolder } as const
  const { exitCode, errors } = await runCommand(['promo-codes', 'get', '7'], settings)
  expect(await readParameters().catch(() => 'no tool ran')).toBe('no tool ran')
  expect(exitCode).toBe(2)
  expect(errors).toContain('has no credentials of a sandbox')
})
