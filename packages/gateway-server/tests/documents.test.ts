import { existsSync } from 'node:fs'
import { type Listening, listen } from '@mintmark/server-kit'
import { bundleFromString, createConfig, lintFromString } from '@redocly/openapi-core'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { TEST_URL, type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type StatedType, statedOperations, statedPage } from '../src/testing/stated-operations.ts'

let gateway: TestGateway
/** The document as it is served. */
let source: string
/** The document with each reference replaced by its component. */
let document: Document
beforeAll(async () => {
  gateway = await testGateway()
  source = await (await gateway.app.request('/openapi.json')).text()
  const { bundle } = await bundleFromString({ source, config: await createConfig({}), dereference: true })
  document = bundle.parsed as Document
})
afterAll(() => gateway.close())

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: unknown
}
interface Content {
  'application/json': { schema: Schema }
}
interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}
interface Described {
  security?: Record<string, string[]>[]
  operationId: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
interface Document {
  openapi: string
  info: { title: string; version: string; license: { name: string } }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Described>>
  components: { securitySchemes: Record<string, { type: string; in: string; name: string }> }
}

const typeOf: Record<StatedType, string> = {
  string: 'string',
  timestamp: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  strings: 'array',
  numbers: 'array',
  traits: 'array',
}

/** An integer may be described as a number: JSON Schema's own check of whole numbers is not everywhere. */
const types = (schema: Schema | undefined) =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, { type }]) => [name, type]))
const stated = (fields: Record<string, StatedType>) =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, typeOf[type]]))

it('the OpenAPI document is sound by the rules of a linter of the field', async () => {
  const found = await lintFromString({
    source,
    config: await createConfig({ extends: ['recommended'] }),
  })
  expect(found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
})

it('the OpenAPI document is one of version 3.1 that says what it is, where it is and how calls are signed', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info).toMatchObject({ title: expect.any(String), license: { name: 'MIT' } })
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(document.servers).toEqual([{ url: TEST_URL }])
  const headers = Object.values(document.components.securitySchemes)
  expect(headers.map(({ name }) => name).sort()).toEqual([
    'X-Api-Key',
    'X-Publishable-Key',
    'X-Signature',
    'X-Timestamp',
  ])
  expect(headers.every((scheme) => scheme.type === 'apiKey' && scheme.in === 'header')).toBe(true)
  expect(document.security).toEqual([{ apiKey: [], signature: [], timestamp: [] }])
})

it('the OpenAPI document says which operations also accept a publishable key', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const alternatives = operations.filter(({ security }) => security !== undefined)
  const publishable = routes.filter(({ operation }) => operation.publishable)
  expect(alternatives.map(({ operationId }) => operationId).sort()).toEqual(
    publishable.map(({ operation }) => operation.id).sort(),
  )
  for (const { security } of alternatives)
    expect(security).toEqual([{ apiKey: [], signature: [], timestamp: [] }, { publishableKey: [] }])
})

it('the OpenAPI document has every operation once, and nothing else', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  const served = routes.map(({ operation: { method, path, id } }) => `${method.toLowerCase()} ${path} ${id}`)
  expect(described.sort()).toEqual(served.sort())
})

it('the OpenAPI document declares every path parameter and a response for success and for failures of every operation', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { parameters, responses, tags, operationId } of Object.values(methods)) {
      const inPath = parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(inPath.every(({ required }) => required)).toBe(true)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', 'default']))
      expect(Object.values(responses).every(({ description }) => description !== '')).toBe(true)
      expect(tags).toEqual([operationId.split('.')[0]])
    }
  }
})

it.each(statedOperations)('the OpenAPI document describes operation $number as it is stated', (operation) => {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
  if (described === undefined) throw new Error('the operation is not described')
  if (operation.input.in === 'body') {
    const schema = described.requestBody?.content['application/json'].schema
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    const expected = stated(operation.input.fields)
    // A count of cards is stated as a number and can only be a whole one.
    if ('totalIssued' in expected) expected.totalIssued = 'integer'
    // Mintmark adds fields that callers may leave out.
    expect(types(schema)).toMatchObject(expected)
    expect(schema?.required?.toSorted()).toEqual(operation.required.toSorted())
  } else {
    const own = described.parameters.filter(({ name }) => name in operation.input.fields)
    expect(own.map(({ name }) => name)).toEqual(Object.keys(operation.input.fields))
    expect(own.every((parameter) => parameter.in === operation.input.in && parameter.required)).toBe(true)
  }
  const envelope = described.responses[200]?.content?.['application/json'].schema
  expect(types(envelope)).toEqual({ code: 'integer', data: 'object', msg: 'string', success: 'boolean' })
  const data = envelope?.properties?.data
  if (!operation.paged) return expect(types(data)).toMatchObject(stated(operation.record))
  expect(types(data)).toEqual({ ...stated(statedPage), list: 'array', paras: 'object' })
  expect(types(data?.properties?.list?.items)).toMatchObject(stated(operation.record))
})

it('the OpenAPI document lists the reasons of the rules that can refuse an operation', () => {
  const [cancel] = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => operationId === 'orders.cancel')
  expect(cancel?.responses[409]?.description).toBe('ORDER_NOT_CANCELLABLE')
  expect(JSON.parse(source).components.schemas.OrderNotCancellableRefusal).toMatchObject({
    description: expect.stringMatching(/^40905: /),
    properties: { reason: { const: 'ORDER_NOT_CANCELLABLE' } },
  })
})

it('the OpenAPI document describes the detail of the rules that have one', () => {
  const { OutOfStockRefusal, ErrorData } = JSON.parse(source).components.schemas
  expect(ErrorData.anyOf).toContainEqual({ $ref: '#/components/schemas/OutOfStockRefusal' })
  expect(OutOfStockRefusal.properties.detail).toEqual({ $ref: '#/components/schemas/OutOfStockDetail' })
  expect(JSON.parse(source).components.schemas.OutOfStockDetail).toMatchObject({
    properties: { remaining: { type: 'integer' } },
    required: ['remaining'],
  })
})

it('the OpenAPI document names every object, and refers to nothing outside of itself', () => {
  const { components, paths, webhooks } = JSON.parse(source)
  const named = Object.values<object>(components.schemas)
  const parts = [paths, webhooks, components.responses, components.parameters, ...named.map(Object.values)]
  expect(parts.flatMap(listObjectSchemas)).toEqual([])
  const references = [...source.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference)
  expect(references.filter((each) => !each?.startsWith('#/components/'))).toEqual([])
})

/** Lists the schemas of objects in a part of the document. */
function listObjectSchemas(part: unknown): readonly unknown[] {
  if (typeof part !== 'object' || part === null) return []
  const inner = Object.entries(part).flatMap(([name, each]) =>
    name === 'example' ? [] : listObjectSchemas(each),
  )
  return 'type' in part && part.type === 'object' ? [part, ...inner] : inner
}

it('the OpenAPI document is compressed for those who accept it', async () => {
  const response = await gateway.app.request('/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect((await response.arrayBuffer()).byteLength).toBeLessThan(100_000)
})

/** `npm run test:release` brings a browser. `npm test` uses the machine's, if there is one. */
const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

describe.skipIf(!existsSync(browser))('the reference in a browser', () => {
  let listening: Listening
  beforeAll(async () => {
    listening = await listen(gateway.app, { port: 0 })
  })
  afterAll(() => listening.close())

  it('the reference in a browser shows the operations without console errors and without requests to other origins', async () => {
    const chrome = await chromium.launch({
      executablePath: browser,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      const page = await chrome.newPage({ viewport: { width: 1280, height: 900 } })
      const consoleMessages: string[] = []
      const origins = new Set<string>()
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) consoleMessages.push(message.text())
      })
      page.on('pageerror', (error) => consoleMessages.push(error.message))
      page.on('request', (request) => origins.add(new URL(request.url()).origin))
      const response = await page.goto(`${listening.url}/docs`)
      expect(response?.headers()['content-security-policy']).toContain("default-src 'none'")
      await page.getByText('Mintmark marketplace gateway').first().waitFor()
      await page.getByText('/api/v1/wallet/walletInfo').first().waitFor()
      await page.getByText('X-Api-Key').first().waitFor()
      // Requests that the page makes after it has rendered follow within a moment.
      await page.waitForTimeout(1000)
      if (process.env.SCREENSHOT_DOCS) await page.screenshot({ path: process.env.SCREENSHOT_DOCS })
      expect(consoleMessages).toEqual([])
      expect([...origins].filter((origin) => origin !== listening.url && origin !== 'null')).toEqual([])
    } finally {
      await chrome.close()
    }
  })
})
