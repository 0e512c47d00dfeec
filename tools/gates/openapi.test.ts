import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { listen } from '@mintmark/server-kit'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, expect, it } from 'vitest'
import { testGateway } from '../../packages/gateway-server/src/testing/gateway.ts'
import { readRelease } from '../release/pack.ts'
import { run } from '../run.ts'
import { repositoryRoot } from '../workspace.ts'

const FILES = ['gateway', 'facilitator'].map((name) => ({ name, path: `dist/openapi/${name}.json` }))
const binary = (name: string) => join(import.meta.dirname, 'node_modules/.bin', name)
const pathOf = (path: string) => join(repositoryRoot, 'packages/mintmark', path)

const folder = mkdtempSync(join(tmpdir(), 'mintmark-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each(FILES)(
  'the package mintmark has an OpenAPI document of the $name that a linter accepts',
  async ({ path }) => {
    const mintmark = readRelease().packages.find(({ manifest }) => manifest.name === 'mintmark')
    expect(mintmark?.files).toContain(path)
    const source = readFileSync(pathOf(path), 'utf8')
    const found = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) })
    expect(found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
  },
)

/** A program with the types that a generator makes of both documents. */
const PROGRAM = `
import type { components as paid } from './facilitator.ts'
import type { components, operations, webhooks } from './gateway.ts'

type Schemas = components['schemas']
export const input: Schemas['PromoCodeCardsCreateInput'] = {
  name: 'A free coffee', startTime: '2026-01-01T00:00:00Z', endTime: '2026-12-31T23:59:59Z', totalIssued: 100,
}
type Created = operations['promoCodeCards.create']['responses'][200]['content']['application/json']
export const toCard = (envelope: Created): Schemas['PromoCodeCard'] => envelope.data
type Failed = operations['orders.preOrder']['responses'][409]['content']['application/json']
export const toRemaining = ({ data }: Failed): number | undefined =>
  'reason' in data && data.reason === 'OUT_OF_STOCK' ? data.detail?.remaining : undefined
type Event = NonNullable<webhooks['event']['post']['requestBody']>['content']['application/json']
export const toOrderNo = (event: Event): string | undefined =>
  event.type === 'order.paid' ? event.data.orderNo : undefined
export const toPayer = (event: paid['schemas']['SettlementEvent']): string => event.data.payer
`

it('a generator makes types of the OpenAPI documents that narrow data, refusals and events', async () => {
  for (const { name, path } of FILES) {
    copyFileSync(pathOf(path), join(folder, `${name}.json`))
    await run(binary('openapi-typescript'), [`${name}.json`, '--output', `${name}.ts`], { cwd: folder })
  }
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
  ]
  await run(binary('tsc'), [...options, 'program.ts'], { cwd: folder })
})

/** A program with the client that a generator makes of the gateway's document. It signs each call. */
const SIGNING_PROGRAM = `
import { createHash, createHmac } from 'node:crypto'
import { client } from './client/client.gen.ts'
import { promoCodeCardsCreate, promoCodeCardsGet } from './client/sdk.gen.ts'

const { BASE_URL = '', API_KEY = '', SECRET = '' } = process.env
client.setConfig({ baseUrl: BASE_URL })
client.interceptors.request.use(async (request) => {
  const timestamp = String(Date.now())
  const hash = createHash('sha256').update(await request.clone().text()).digest('hex')
  const lines = ['v1', timestamp, request.method, new URL(request.url).pathname, '', hash]
  request.headers.set('X-Api-Key', API_KEY)
  request.headers.set('X-Timestamp', timestamp)
  request.headers.set('X-Signature', createHmac('sha256', SECRET).update(lines.join('\\n')).digest('hex'))
  return request
})
const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' }
const body = { name: 'A free coffee', totalIssued: 100, ...times }
const created = await promoCodeCardsCreate({ body, throwOnError: true })
const { data } = await promoCodeCardsGet({ path: { id: created.data.data.id }, throwOnError: true })
console.log(data.data.name)
`

it('a client that a generator makes of the OpenAPI document makes signed calls', async () => {
  const output = { path: join(folder, 'client'), module: { extension: '.ts' } }
  const plugins = ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'] as const
  const logs = { level: 'silent', file: false } as const
  await createClient({ input: pathOf('dist/openapi/gateway.json'), output, plugins: [...plugins], logs })
  writeFileSync(join(folder, 'signing.ts'), SIGNING_PROGRAM)
  await using stops = new AsyncDisposableStack()
  const gateway = await testGateway()
  stops.defer(() => gateway.close())
  const listening = await listen(gateway.app, { port: 0 })
  stops.defer(() => listening.close())
  const { apiKey, secret } = await gateway.newKey()
  const env = { ...process.env, BASE_URL: listening.url, API_KEY: apiKey, SECRET: secret }
  expect(await run(process.execPath, ['signing.ts'], { cwd: folder, env })).toBe('A free coffee\n')
})

type Node = { readonly [key: string]: unknown }

/** The schemas in a document that have fields and no name, by their place. */
function listAnonymous(value: unknown, place: string): readonly string[] {
  if (value === null || typeof value !== 'object') return []
  const node = value as Node
  const isNamed = /^\/components\/schemas\/\w+$/.test(place)
  const own = typeof node.properties === 'object' && node.type === 'object' && !isNamed ? [place] : []
  return [...own, ...Object.entries(node).flatMap(([key, each]) => listAnonymous(each, `${place}/${key}`))]
}

/** The names of a list that generators of Go (`TokenID`) or Python (`token_id`) write alike. */
function listClashes(names: readonly string[]): readonly string[] {
  const written = Map.groupBy(names, (name) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase())
  return [...written.values()].filter(({ length }) => length > 1).map((each) => each.join(', '))
}

const RESERVED_NAMES = ['None', 'True', 'False', 'Type', 'Any', 'Error', 'Exception', 'Client', 'Response']

it.each(FILES)(
  'the OpenAPI document of the $name has names that generators of Go and Python keep',
  ({ path }) => {
    const document = JSON.parse(readFileSync(pathOf(path), 'utf8'))
    expect(listAnonymous(document, '')).toEqual([])
    const schemas: Readonly<Record<string, Node>> = document.components.schemas
    const operations = Object.values<Node>(document.paths).flatMap(
      (methods) => Object.values(methods) as Node[],
    )
    const ids = operations.map(({ operationId }) => String(operationId))
    for (const names of [Object.keys(schemas), ids]) expect(listClashes(names)).toEqual([])
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/)
    expect(Object.keys(schemas).filter((name) => RESERVED_NAMES.includes(name))).toEqual([])
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/)
    for (const [name, { properties = {} }] of Object.entries(schemas))
      expect(listClashes(Object.keys(properties as Node)), name).toEqual([])
  },
)
