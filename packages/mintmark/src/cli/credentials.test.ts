import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import {
  createFolder,
  createRecorder,
  createStub,
  createTerminal,
  respondWith,
  runCommand,
} from './testing/run-command.ts'

// Loading the library of prompts takes long on a loaded machine.
const WAIT = { timeout: 60_000 }

const WORDS = ['promo-code-cards', 'list']
const page = {
  firstPage: true,
  lastPage: true,
  list: [],
  orderBy: '',
  pageNumber: 1,
  pageSize: 20,
  paras: {},
  totalPage: 0,
  totalRow: 0,
}

function toProfile(host: string) {
  return { gateway: { baseUrl: `http://${host}`, apiKey: `mk_${host}`, secret: 'sk' } }
}

async function writeProfiles(homeFolder: string, profiles: object, mode = 0o600): Promise<string> {
  const file = join(homeFolder, '.config', 'mintmark', 'config.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ profiles }))
  await chmod(file, mode)
  return file
}

async function createSandboxFolder(): Promise<string> {
  const folder = createFolder()
  await mkdir(join(folder, '.mintmark'))
  const credentials = { ...toProfile('sandbox.test'), demo: { orderNo: '1' } }
  await writeFile(join(folder, '.mintmark', 'credentials.json'), JSON.stringify(credentials))
  return folder
}

/** Calls the gateway. Returns the server that was called, and the key. */
async function call(words: readonly string[], settings: Parameters<typeof runCommand>[1]) {
  const { requests, fetch } = createStub(() => respondWith(page))
  const result = await runCommand([...WORDS, ...words], { variables: {}, ...settings, fetch })
  const [request] = requests
  const called = request && `${new URL(request.url).host} ${request.headers['x-api-key']}`
  return { ...result, called }
}

it('the credentials of a command are those of the environment', async () => {
  const variables = {
    MINTMARK_GATEWAY_URL: 'http://env.test',
    MINTMARK_API_KEY: 'mk_env',
    MINTMARK_SECRET: 'sk',
  }
  const homeFolder = createFolder()
  await writeProfiles(homeFolder, { default: toProfile('stored.test') })
  expect(await call([], { variables, homeFolder })).toMatchObject({ called: 'env.test mk_env' })
})

it('the credentials of a command are never sent to the server of another source', async () => {
  const variables = { MINTMARK_API_KEY: 'mk_env', MINTMARK_SECRET: 'sk' }
  const homeFolder = createFolder()
  await writeProfiles(homeFolder, { default: toProfile('stored.test') })
  const { exitCode, errors, called } = await call([], { variables, homeFolder })
  expect([exitCode, called]).toEqual([2, undefined])
  expect(errors).toContain('Set MINTMARK_GATEWAY_URL')
})

it('the credentials of a command are those of the profile that is named, also with others in the environment', async () => {
  const variables = {
    MINTMARK_GATEWAY_URL: 'http://env.test',
    MINTMARK_API_KEY: 'mk_env',
    MINTMARK_SECRET: 'sk',
  }
  const homeFolder = createFolder()
  await writeProfiles(homeFolder, { default: toProfile('stored.test'), live: toProfile('live.test') })
  const settings = { variables, homeFolder }
  expect(await call(['--profile', 'live'], settings)).toMatchObject({ called: 'live.test mk_live.test' })
  const named = { variables: { MINTMARK_PROFILE: 'live' }, homeFolder }
  expect(await call([], named)).toMatchObject({ called: 'live.test mk_live.test' })
  const missing = await call(['--profile', 'lost'], settings)
  expect(missing.exitCode).toBe(2)
  expect(missing.errors).toContain('has no profile lost. It has default, live')
})

it('the credentials of a command are those of the sandbox in the current folder', async () => {
  const currentFolder = await createSandboxFolder()
  expect(await call([], { currentFolder })).toMatchObject({ called: 'sandbox.test mk_sandbox.test' })
})

it('the credentials of a command are refused when both a sandbox and a stored profile could be meant', async () => {
  const currentFolder = await createSandboxFolder()
  const homeFolder = createFolder()
  await writeProfiles(homeFolder, { default: toProfile('stored.test') })
  const settings = { currentFolder, homeFolder }
  const { exitCode, errors, called } = await call([], settings)
  expect([exitCode, called]).toEqual([2, undefined])
  expect(errors).toContain('--profile sandbox or --profile default')
  const chosen = await call(['--profile', 'sandbox'], settings)
  expect(chosen.called).toBe('sandbox.test mk_sandbox.test')
})

it('the credentials of a command are read from a file with a byte order mark, as editors of Windows save it', async () => {
  const homeFolder = createFolder()
  const file = await writeProfiles(homeFolder, { default: toProfile('stored.test') })
  await writeFile(file, `\ufeff${await readFile(file, 'utf8')}`)
  expect(await call([], { homeFolder })).toMatchObject({ called: 'stored.test mk_stored.test' })
})

it('the credentials of a command are refused when other users can read them', async () => {
  const homeFolder = createFolder()
  const file = await writeProfiles(homeFolder, { default: toProfile('stored.test') }, 0o640)
  const { exitCode, errors, called } = await call([], { homeFolder })
  expect([exitCode, called]).toEqual([2, undefined])
  expect(errors).toContain(`chmod 600 ${file}`)
})

it('credentials of the current folder open no other program than a browser', async () => {
  const currentFolder = createFolder()
  await mkdir(join(currentFolder, '.mintmark'))
  const gateway = { baseUrl: 'file:///tmp/evil.app', apiKey: 'mk', secret: 'sk' }
  await writeFile(join(currentFolder, '.mintmark', 'credentials.json'), JSON.stringify({ gateway }))
  const opened: string[] = []
  const { exitCode, errors } = await runCommand(['open', 'console'], {
    variables: {},
    currentFolder,
    isTerminal: true,
    openBrowser: async (url) => opened.push(url) > 0,
  })
  expect([exitCode, opened]).toEqual([2, []])
  expect(errors).toContain('The URL of the server is not http: file:///tmp/evil.app')
})

it('the credentials of a command are explained when there are none', async () => {
  const { exitCode, errors } = await call([], {})
  expect(exitCode).toBe(2)
  expect(errors).toContain(
    'Run `mintmark login`, set MINTMARK_GATEWAY_URL, MINTMARK_API_KEY, MINTMARK_SECRET',
  )
})

const variables = { MINTMARK_SECRET: 'sk_stored' }

const logIn = (homeFolder: string, profile: string) =>
  runCommand(
    [
      'login',
      '--no-check',
      '--profile',
      profile,
      '--gateway-url',
      'https://live.test',
      '--api-key',
      'mk_live',
    ],
    {
      variables: { MINTMARK_SECRET: 'sk' },
      homeFolder,
    },
  )
const listProfiles = async (homeFolder: string) => {
  const text = await readFile(join(homeFolder, '.config', 'mintmark', 'config.json'), 'utf8')
  return Object.keys((JSON.parse(text) as { profiles: object }).profiles).toSorted()
}

it('mintmark login at the same time as others stores a profile after a login has crashed', async () => {
  const homeFolder = createFolder()
  const file = await writeProfiles(homeFolder, { a: toProfile('a.test') })
  await writeFile(`${file}.new`, '{"profiles":')
  await utimes(`${file}.new`, 1, 1)
  expect((await logIn(homeFolder, 'b')).exitCode).toBe(0)
  expect(await listProfiles(homeFolder)).toEqual(['a', 'b'])
  expect(await readdir(dirname(file))).toEqual(['config.json'])
})

it('mintmark login stores a profile that only its owner can read, and keeps the others', async () => {
  const homeFolder = createFolder()
  const words = ['login', '--no-check', '--gateway-url', 'https://live.test', '--api-key', 'mk_live']
  const first = await runCommand(words, { variables, homeFolder })
  expect([first.exitCode, first.errors]).toEqual([0, expect.stringContaining('Stored the profile default')])
  expect(first.errors + first.output).not.toContain('sk_stored')
  const second = await runCommand([...words, '--profile', 'other'], { variables, homeFolder })
  expect(second.exitCode).toBe(0)
  const file = join(homeFolder, '.config', 'mintmark', 'config.json')
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: 'sk_stored' }
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    profiles: { default: { gateway }, other: { gateway } },
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
})

it('mintmark login prompts on a terminal, and does not show the secret', async () => {
  const homeFolder = createFolder()
  const screen = createRecorder(true)
  const input = createTerminal()
  const done = runCommand(['login', '--no-check'], {
    variables: {},
    homeFolder,
    input,
    errors: screen.stream,
  })
  async function answer(question: string, text: string) {
    await vi.waitFor(() => expect(screen.read()).toContain(question), WAIT)
    input.write(`${text}\r`)
  }
  await answer('URL of the gateway', 'live.test')
  await vi.waitFor(() => expect(screen.read()).toContain('Expected a URL such as'), WAIT)
  for (const _ of 'live.test') input.write('\u007f')
  input.write('https://live.test\r')
  await answer('API key', 'mk_live')
  await answer('Secret of the key', 'sk_typed')
  await answer('Do you also use a facilitator?', '')
  expect((await done).exitCode).toBe(0)
  expect(screen.read()).not.toContain('sk_typed')
  const file = join(homeFolder, '.config', 'mintmark', 'config.json')
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: 'sk_typed' }
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ profiles: { default: { gateway } } })
})

it('mintmark login keeps the token of a facilitator that is given without one', async () => {
  const homeFolder = createFolder()
  const facilitator = ['--facilitator-url', 'https://pay.test']
  const token = { MINTMARK_FACILITATOR_TOKEN: 'token' }
  await runCommand(['login', '--no-check', ...facilitator], { variables: token, homeFolder })
  const words = [
    'login',
    '--no-check',
    '--gateway-url',
    'https://live.test',
    '--api-key',
    'mk_live',
    ...facilitator,
  ]
  expect((await runCommand(words, { variables, homeFolder })).exitCode).toBe(0)
  const file = join(homeFolder, '.config', 'mintmark', 'config.json')
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.default.facilitator).toEqual({
    baseUrl: 'https://pay.test',
    token: 'token',
  })
  const other = ['login', '--no-check', '--facilitator-url', 'https://other.test']
  await runCommand(other, { variables: {}, homeFolder })
  expect(JSON.parse(await readFile(file, 'utf8')).profiles.default.facilitator).toEqual({
    baseUrl: 'https://other.test',
  })
})

it.each([
  [['--gateway-url', 'https://live.test'], 'MINTMARK_SECRET'],
  [['--gateway-url', 'live.test', '--api-key', 'ak'], '--gateway-url: Expected a URL'],
  [[], 'There is nothing to store'],
  [['--profile', 'sandbox'], 'Choose another name'],
])('mintmark login ends with 2 without what it needs: %s', async (words, message) => {
  const { exitCode, errors } = await runCommand(['login', '--no-check', ...words], { variables })
  expect(exitCode).toBe(2)
  expect(errors).toContain(message)
})
