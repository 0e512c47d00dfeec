import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as promoCodeCards from '@mintmark/cards/promo-code-cards'
import { createGateway } from '@mintmark/transport'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listCodeBlocks } from '../../docs/site/blocks.ts'
import { run } from '../run.ts'
import { toolchain } from '../toolchains/toolchains.ts'
import { repositoryRoot } from '../workspace.ts'
import { programPages, runInBrowser, servePages } from './browser.ts'
import { startEnvironment, type Traits } from './environment.ts'
import type { Input } from './program.ts'
import { type Command, createProject, type Project } from './project.ts'
import { requestWorker, runInWorkerd } from './workerd.ts'

const RUN_TIMEOUT_MS = 120_000
// Each runtime is stopped before this limit.
vi.setConfig({ testTimeout: RUN_TIMEOUT_MS + 30_000, hookTimeout: 600_000 })

const document = readFileSync(join(repositoryRoot, 'docs/runtimes.md'), 'utf8')
const documentedWorker =
  listCodeBlocks(document).find(({ code }) => code.includes('export default'))?.code ?? ''
const { imports } = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(document)?.[1] ?? '{}')
const documentedPage = {
  imports,
  script: `
    import { get } from '@mintmark/cards/promo-code-cards'
    import { createGateway } from '@mintmark/transport'
    globalThis.program = ({ gateway: { baseUrl, ...credentials }, id }) =>
      get(createGateway({ baseUrl, credentials, dangerouslyAllowBrowser: true }), { id })
  `,
}

const stops = new AsyncDisposableStack()
let project: Project
let pages: string
let prepare: Awaited<ReturnType<typeof startEnvironment>>
beforeAll(async () => {
  project = await createProject(stops)
  pages = await servePages(project, { ...programPages(project), documented: documentedPage }, stops)
  prepare = await startEnvironment([pages], stops)
})
afterAll(() => stops.disposeAsync())

/** Runs a file of the project with a command. */
async function runFile(
  command: string,
  file: Command,
  input: Input,
  options: readonly string[] = [],
): Promise<unknown> {
  // Without the environment of the test run, such as NODE_OPTIONS, which a user does not have.
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    NO_COLOR: '1',
    DENO_DIR: join(project.folder, '.deno'),
    DENO_NO_UPDATE_CHECK: '1',
  }
  const parameters = [...options, file, JSON.stringify(input)]
  return JSON.parse(await run(command, parameters, { cwd: project.folder, env, timeoutMs: RUN_TIMEOUT_MS }))
}

/** Deno checks the program's types, and may reach nothing but the servers. */
function runInDeno(input: Input): Promise<unknown> {
  const { gateway, keyService, failing, facilitator } = input
  const urls = [gateway.baseUrl, keyService, facilitator.baseUrl, ...Object.values(failing)]
  const hosts = new Set(urls.map((url) => new URL(url).host))
  const options = [
    '--check',
    '--no-prompt',
    '--node-modules-dir=manual',
    `--allow-net=${[...hosts].join(',')}`,
  ]
  return runFile(toolchain('deno'), 'command.ts', input, ['run', ...options])
}

const node: Traits = { signsBy: "Node's crypto", unreachedWrite: 'Network' }
const deno: Traits = { signsBy: "Node's crypto", unreachedWrite: 'UnknownOutcome' }
const web: Traits = { signsBy: 'WebCrypto', unreachedWrite: 'UnknownOutcome' }

const RUNTIMES: Readonly<Record<string, readonly [Traits, (input: Input) => Promise<unknown>]>> = {
  'Node 22': [node, (input) => runFile(toolchain('node-22'), 'command.js', input)],
  'Node 22, CommonJS': [node, (input) => runFile(toolchain('node-22'), 'command.cjs', input)],
  'the Node of the repository': [node, (input) => runFile(process.execPath, 'command.js', input)],
  'Node 26': [node, (input) => runFile(toolchain('node-26'), 'command.js', input)],
  Bun: [node, (input) => runFile(toolchain('bun'), 'command.js', input)],
  Deno: [deno, runInDeno],
  workerd: [web, (input) => runInWorkerd(project, input)],
  'Chromium, bundled': [web, (input) => runInBrowser(`${pages}/bundled`, input)],
  'Chromium, import map': [web, (input) => runInBrowser(`${pages}/import-map`, input)],
}

it.each(Object.entries(RUNTIMES))(
  'packages that are installed from their tarballs sign, call, paginate, fail, verify webhooks, settle and resume a stream in %s',
  async (name, [traits, runProgram]) => {
    const { input, expected } = await prepare(name)
    const result = await runProgram(input)
    expect(result).toEqual(await expected(traits))
  },
)

it.each(['Bun', 'workerd', 'Chromium, bundled'])(
  'packages that are installed from their tarballs report what a program throws in %s',
  async (name) => {
    const { input } = await prepare(name)
    const wrong = { ...input, gateway: { ...input.gateway, secret: 'another' } }
    // The response to the first attempt was lost, so that 401 for the second one decides nothing.
    const thrown = /UnknownOutcomeError: promoCodeCards\.create: 401/
    await expect(RUNTIMES[name]?.[1](wrong)).rejects.toThrow(thrown)
  },
)

it('packages in a page do not reach the servers from an origin that CORS_ORIGINS does not name', async () => {
  const { input } = await prepare('another origin')
  const page = `${pages.replace('127.0.0.1', 'localhost')}/bundled`
  await expect(runInBrowser(page, input)).rejects.toThrow(
    'UnknownOutcomeError: promoCodeCards.create: no response',
  )
})

async function createCard() {
  const { input } = await prepare('documents')
  const { baseUrl, ...credentials } = input.gateway
  const { id } = await promoCodeCards.create(createGateway({ baseUrl, credentials }), {
    name: 'a card',
    nftAddress: input.nftAddress,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
    totalIssued: 1,
  })
  return { gateway: input.gateway, id }
}

it('the examples of docs/runtimes.md work as a worker', async () => {
  const { gateway, id } = await createCard()
  const bindings = { GATEWAY_URL: gateway.baseUrl, API_KEY: gateway.apiKey, SECRET: gateway.secret }
  const answer = await requestWorker(project, documentedWorker, { path: `/?card=${id}`, bindings })
  expect(answer).toEqual({ name: 'a card', usedCount: 0 })
})

it('the examples of docs/runtimes.md work as an import map', async () => {
  const card = await createCard()
  expect(await runInBrowser(`${pages}/documented`, card)).toMatchObject({ id: card.id, name: 'a card' })
})
