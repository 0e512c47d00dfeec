import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createFakeKeychain } from './testing/fake-keychain.ts'
import { createFolder, createStub, respondWith, runCommand, VARIABLES } from './testing/run-command.ts'

const KEY = {
  apiKey: 'mk_live',
  name: 'shop',
  projectId: 7,
  projectName: 'Café',
  scopes: ['cards:read', 'cards:write'],
  storeId: 0,
  wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
}
const LOGIN = ['login', '--gateway-url', 'https://live.test', '--api-key', 'mk_live']
const variables = { MINTMARK_SECRET: 'sk_secret' }
const refuse = (status: number) =>
  Response.json({ code: status, data: {}, msg: 'no', success: false }, { status })

function getFile(homeFolder: string): string {
  return join(homeFolder, '.config', 'mintmark', 'config.json')
}

async function readProfiles(homeFolder: string) {
  return JSON.parse(await readFile(getFile(homeFolder), 'utf8')).profiles
}

async function writeProfiles(homeFolder: string, profiles: object): Promise<void> {
  await mkdir(dirname(getFile(homeFolder)), { recursive: true })
  await writeFile(getFile(homeFolder), JSON.stringify({ profiles }), { mode: 0o600 })
}

it('mintmark login shows the project, the wallet and the scopes of the key that it stores', async () => {
  const homeFolder = createFolder()
  const { fetch, requests } = createStub(() => respondWith(KEY))
  const { exitCode, errors } = await runCommand(LOGIN, { variables, homeFolder, fetch })
  expect([exitCode, requests.length]).toEqual([0, 1])
  for (const text of [
    'mk_live (shop)',
    'Café (7)',
    KEY.wallet,
    'cards:read, cards:write',
    'Stored the profile',
  ])
    expect(errors).toContain(text)
  expect(errors).not.toContain('sk_secret')
})

it.each([
  ['that the gateway refuses', () => refuse(401), 4],
  ['of a gateway that fails', () => refuse(500), 11],
])('mintmark login stores no credentials %s, unless it is told not to check', async (_, respond, code) => {
  const homeFolder = createFolder()
  const { fetch } = createStub(respond)
  const { exitCode, errors } = await runCommand(LOGIN, { variables, homeFolder, fetch })
  expect([exitCode, errors]).toEqual([code, expect.stringContaining('Nothing was stored')])
  await expect(readFile(getFile(homeFolder))).rejects.toThrow('ENOENT')
  const unchecked = await runCommand([...LOGIN, '--no-check'], { variables, homeFolder, fetch })
  expect([unchecked.exitCode, Object.keys(await readProfiles(homeFolder))]).toEqual([0, ['default']])
})

it('mintmark login stores the key of a gateway that does not say whose it is', async () => {
  const homeFolder = createFolder()
  const { fetch } = createStub(() => refuse(404))
  const { exitCode, errors } = await runCommand(LOGIN, { variables, homeFolder, fetch })
  expect([exitCode, errors]).toEqual([0, expect.stringContaining('the gateway does not say whose')])
})

it('mintmark login stores no token that the facilitator refuses', async () => {
  const homeFolder = createFolder()
  const { fetch, requests } = createStub(() => Response.json({ error: 'Unauthorized' }, { status: 401 }))
  const words = ['login', '--facilitator-url', 'https://pay.test']
  const settings = { variables: { MINTMARK_FACILITATOR_TOKEN: 'wrong' }, homeFolder, fetch }
  expect((await runCommand(words, settings)).exitCode).toBe(4)
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer wrong'])
  await expect(readFile(getFile(homeFolder))).rejects.toThrow('ENOENT')
})

it('two logins at once for two servers of one profile store both', async () => {
  const homeFolder = createFolder()
  const token = { MINTMARK_FACILITATOR_TOKEN: 'token' }
  const pay = ['login', '--no-check', '--facilitator-url', 'https://pay.test']
  await Promise.all([
    runCommand([...LOGIN, '--no-check'], { variables, homeFolder }),
    runCommand(pay, { variables: token, homeFolder }),
  ])
  expect(await readProfiles(homeFolder)).toMatchObject({
    default: { gateway: { apiKey: 'mk_live' }, facilitator: { token: 'token' } },
  })
})

it('a login that waits for the keychain holds no other login up, and keeps what that one stores', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const { promise: isUnlocked, resolve: unlock } = Promise.withResolvers<void>()
  const { promise: isOpened, resolve: opened } = Promise.withResolvers<void>()
  const first = runCommand([...LOGIN, '--no-check', '--keychain'], {
    variables,
    homeFolder,
    async openKeychain(account) {
      opened()
      await isUnlocked
      return await keychain.openKeychain(account)
    },
  })
  await isOpened
  const pay = ['login', '--no-check', '--facilitator-url', 'https://pay.test']
  const second = await runCommand(pay, { variables: { MINTMARK_FACILITATOR_TOKEN: 'token' }, homeFolder })
  expect(second.exitCode).toBe(0)
  unlock()
  expect((await first).exitCode).toBe(0)
  expect(await readProfiles(homeFolder)).toMatchObject({
    default: { gateway: { keychain: 'gateway/default' }, facilitator: { token: 'token' } },
  })
})

it.each([
  ['login', LOGIN],
  ['whoami', ['whoami']],
  ['try', ['try', '--facilitator-url', 'https://pay.test']],
])('mintmark %s ends at Ctrl-C while a server does not respond', async (_, words) => {
  const interruption = new AbortController()
  const { fetch } = createStub(() => {
    interruption.abort()
    return new Promise<Response>(() => {})
  })
  const settings = { fetch, signal: interruption.signal, variables: { ...VARIABLES, ...variables } }
  expect((await runCommand(words, settings)).exitCode).toBe(130)
})

it('mintmark whoami shows whose the credentials are, and where they are from', async () => {
  const { fetch } = createStub(({ url }) =>
    url.includes('facilitator') ? Response.json([]) : respondWith(KEY),
  )
  const shown = await runCommand(['whoami'], { fetch, isTerminal: true })
  expect(shown.output).toContain('source       the environment\n')
  expect(shown.output).toContain('project      Café (7)\n')
  expect(shown.output).toContain('the token is valid')
  const { output } = await runCommand(['whoami', '--json'], { fetch })
  expect(JSON.parse(output)).toMatchObject({ gateway: { key: KEY }, facilitator: { hasToken: true } })
  const refused = await runCommand(['whoami'], { fetch: createStub(() => refuse(401)).fetch })
  expect([refused.exitCode, refused.output]).toEqual([4, ''])
  expect((await runCommand(['whoami'], { variables: {} })).errors).toContain('Run `mintmark login`')
})

it('mintmark logout removes a profile with its secrets, and keeps the others', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const words = [...LOGIN, '--no-check', '--keychain', '--profile', 'live']
  await runCommand(words, { ...keychain, variables, homeFolder })
  await runCommand([...LOGIN, '--no-check'], { variables, homeFolder })
  expect(keychain.entries.size).toBe(1)
  const settings = { ...keychain, variables: {}, homeFolder }
  expect((await runCommand(['logout', '--profile', 'live'], settings)).exitCode).toBe(0)
  expect([keychain.entries.size, Object.keys(await readProfiles(homeFolder))]).toEqual([0, ['default']])
  const again = await runCommand(['logout', '--profile', 'live'], settings)
  expect([again.exitCode, again.errors]).toEqual([2, expect.stringContaining('has no profile live')])
  const empty = createFolder()
  expect((await runCommand(['logout'], { variables: {}, homeFolder: empty })).exitCode).toBe(2)
  await expect(readFile(getFile(empty))).rejects.toThrow('ENOENT')
})

it('mintmark logout keeps a profile with a wallet, of whose key it has the only copy, unless it is told to remove it', async () => {
  const homeFolder = createFolder()
  const keychain = createFakeKeychain()
  const wallet = { address: KEY.wallet, privateKey: '0xprivate' }
  const facilitator = { baseUrl: 'https://pay.test', keychain: 'facilitator/try' }
  await writeProfiles(homeFolder, { try: { facilitator, wallet } })
  keychain.entries.set('facilitator/try', '{}')
  const settings = { ...keychain, variables: {}, homeFolder }
  const refused = await runCommand(['logout', '--profile', 'try'], settings)
  expect([refused.exitCode, keychain.entries.size]).toEqual([2, 1])
  for (const text of [KEY.wallet, getFile(homeFolder), '--remove-wallet'])
    expect(refused.errors).toContain(text)
  expect(refused.errors).not.toContain('0xprivate')
  expect(await readProfiles(homeFolder)).toEqual({ try: { facilitator, wallet } })
  const { exitCode } = await runCommand(['logout', '--profile', 'try', '--remove-wallet'], settings)
  expect([exitCode, keychain.entries.size, await readProfiles(homeFolder)]).toEqual([0, 0, {}])
  const { output } = await runCommand(['logout', '--help'], settings)
  expect(output).toContain('--remove-wallet')
})

it('mintmark profiles says where the secrets of each profile are', async () => {
  const homeFolder = createFolder()
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', keychain: 'gateway/live' }
  const facilitator = { baseUrl: 'https://pay.test', keychain: 'facilitator/live' }
  const wallet = { address: KEY.wallet, privateKey: '0xprivate' }
  const inFile = { baseUrl: 'https://pay.test', token: 'token' }
  await writeProfiles(homeFolder, {
    both: { gateway, facilitator },
    wallet: { facilitator, wallet },
    token: { gateway, facilitator: inFile },
    file: { facilitator: inFile, wallet },
    none: { facilitator: { baseUrl: 'https://pay.test' } },
  })
  const { output } = await runCommand(['profiles', '--json'], { homeFolder, variables: {} })
  const rows = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(Object.fromEntries(rows.map(({ profile, secrets }) => [profile, secrets]))).toEqual({
    both: 'keychain',
    wallet: 'keychain and file',
    token: 'keychain and file',
    file: 'file',
    none: '',
  })
  expect(output).not.toContain('0xprivate')
})

it('mintmark profiles lists the stored profiles without their secrets', async () => {
  const homeFolder = createFolder()
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: 'sk_secret' }
  const facilitator = { baseUrl: 'https://pay.test', keychain: 'facilitator/till' }
  await writeProfiles(homeFolder, { default: { gateway }, till: { facilitator } })
  const { output } = await runCommand(['profiles'], { homeFolder, variables: {}, isTerminal: true })
  expect(output.split('\n')).toEqual([
    'profile  gateway            apiKey   facilitator       secrets',
    'default  https://live.test  mk_live                    file',
    'till                                 https://pay.test  keychain',
    '',
  ])
  const lines = (await runCommand(['profiles', '--json'], { homeFolder, variables: {} })).output
  expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({ profile: 'default', apiKey: 'mk_live' })
  expect(lines).not.toContain('sk_secret')
})
