import { declareDiscoveryExtension, validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { describe, expect, test } from 'vitest'
import { findSchemaProblem } from './info-schema.ts'
import { parseListing } from './parse-listing.ts'

const INFO = 'extensions.bazaar.info'
const SCHEMA = 'extensions.bazaar.schema'
const bazaar = {
  info: { input: { type: 'http', method: 'GET', queryParams: { city: 'Lisbon' } } },
  schema: { type: 'object', properties: { input: { type: 'object' } }, required: ['input'] },
}
const resource = { url: 'https://seller.example/weather?city=Porto#now', description: 'The weather' }

/** Parses a payload whose parts are replaced. */
function parse(changes: { resource?: unknown; bazaar?: unknown; extra?: unknown; version?: number } = {}) {
  const paymentPayload = {
    resource: 'resource' in changes ? changes.resource : resource,
    extensions: { bazaar: 'bazaar' in changes ? changes.bazaar : bazaar },
  }
  const paymentRequirements = {
    maxTimeoutSeconds: 60,
    extra: changes.extra ?? { name: 'USDC', version: '2' },
  }
  const request = { x402Version: changes.version ?? 2, paymentPayload, paymentRequirements }
  return parseListing({ request }, { allowPrivate: false })
}
const parseUrl = (url: unknown) => parse({ resource: { url } })
const parseInfo = (input: unknown) => parse({ bazaar: { ...bazaar, info: { input } } })

/** An object that is nested `levels` deep, made from text because a caller sends text. */
const nest = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

test('reads the listing of a payment', () => {
  expect(parse()).toEqual({
    kind: 'valid',
    listing: {
      resource: 'https://seller.example/weather',
      type: 'http',
      action: 'GET',
      description: 'The weather',
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
      bazaar,
    },
  })
})

test('catalogs the template of a route instead of its path, and ignores a template that is none', () => {
  const url = (routeTemplate: unknown) => {
    const parsed = parse({ bazaar: { ...bazaar, routeTemplate } })
    return parsed.kind === 'valid' ? parsed.listing.resource : parsed
  }
  expect(url('/users/:id')).toBe('https://seller.example/users/:id')
  const none = [
    '',
    'users',
    '//evil.example',
    '/../admin',
    '/%252e%252e/admin',
    '/a?b',
    '/x://y',
    7,
    `/${'a'.repeat(2000)}`,
  ]
  expect(none.map(url)).toEqual([
    ...['https://seller.example/weather', 'https://seller.example/weather'],
    'https://seller.example//evil.example',
    ...Array(6).fill('https://seller.example/weather'),
  ])
})

test.each([1, 3])('reads nothing from a payment of version %i or without the extension', (version) => {
  expect(parse({ version })).toEqual({ kind: 'none' })
  const request = { x402Version: 2, paymentPayload: {}, paymentRequirements: {} }
  expect(parseListing({ request }, { allowPrivate: false })).toEqual({ kind: 'none' })
})

test.each([
  ['http://seller.example/', 'must be an https URL'],
  ['file:///etc/passwd', 'must be an https URL'],
  ['javascript:alert(1)', 'must be an https URL'],
  ['data:text/html,x', 'must be an https URL'],
  ['https://user:word@seller.example/', 'must not contain a user name or a password'],
  ['https://127.0.0.1/', 'must have a host name instead of an IP address'],
  ['https://2130706433/', 'must have a host name instead of an IP address'],
  ['https://0x7f.1/', 'must have a host name instead of an IP address'],
  ['https://8.8.8.8/', 'must have a host name instead of an IP address'],
  ['https://[::1]/', 'must have a host name instead of an IP address'],
  ['https://[::ffff:10.0.0.1]/', 'must have a host name instead of an IP address'],
  ['https://localhost/', 'must have a public host name'],
  ['https://LocalHost./', 'must have a public host name'],
  ['https://LOCALHOST/', 'must have a public host name'],
  ['https://printer.local/', 'must have a public host name'],
  ['https://metadata.google.internal/', 'must have a public host name'],
  ['https://db/', 'must have a public host name'],
  ['/weather', 'must be an absolute URL'],
  ['', 'must be a URL'],
  [7, 'must be a URL'],
  [undefined, 'must be a URL'],
  ['https://seller.example/\u0000', 'must not contain control characters'],
  ['https://seller.example/\ud800', 'must be well-formed Unicode'],
])('the URL %j of a resource is rejected', (url, problem) => {
  expect(parseUrl(url)).toEqual({ kind: 'rejected', field: 'resource.url', problem })
})

test('the URL of a resource that is too long is rejected', () => {
  const problem = 'must be at most 1024 characters'
  expect(parseUrl(`https://seller.example/${'a'.repeat(1100)}`)).toMatchObject({ problem })
  // Each of these becomes nine characters.
  expect(parseUrl(`https://seller.example/${'€'.repeat(200)}`)).toMatchObject({ problem })
})

test('the URL of a resource may be local and plain in development', () => {
  const request = {
    x402Version: 2,
    paymentPayload: { resource: { url: 'http://127.0.0.1:8080/a' }, extensions: { bazaar } },
    paymentRequirements: {},
  }
  expect(parseListing({ request }, { allowPrivate: true }).kind).toBe('valid')
})

test.each([
  [{ description: 'a\u0000b' }, 'resource.description', 'must not contain control characters'],
  [{ description: '\u202etxt.exe' }, 'resource.description', 'must not contain control characters'],
  [{ description: '\ud800' }, 'resource.description', 'must be well-formed Unicode'],
  [{ description: {} }, 'resource.description', 'must be a text'],
])('the text %j of a resource is rejected', (texts, field, problem) => {
  expect(parse({ resource: { ...resource, ...texts } })).toEqual({ kind: 'rejected', field, problem })
})

test.each([
  ['description', 2000],
  ['mimeType', 128],
])('the texts of a resource have a limited length: %s at most %i characters', (field, limit) => {
  const withLength = (length: number) => parse({ resource: { ...resource, [field]: 'a'.repeat(length) } })
  expect(withLength(limit).kind).toBe('valid')
  const problem = `must be at most ${limit} characters`
  expect(withLength(limit + 1)).toEqual({ kind: 'rejected', field: `resource.${field}`, problem })
})

test('the texts of a resource that the specification drops are dropped', () => {
  const wrong = {
    serviceName: 'Wetter für alle',
    tags: ['rain', 'RAIN', '', 7, 'a'.repeat(33), 'sun', 'wind', 'fog', 'hail', 'snow'],
    iconUrl: 'http://localhost/icon.png',
  }
  const parsed = parse({ resource: { ...resource, ...wrong } })
  const listing = parsed.kind === 'valid' ? parsed.listing : undefined
  expect(listing?.serviceName).toBeUndefined()
  expect(listing?.iconUrl).toBeUndefined()
  expect(listing?.tags).toEqual(['rain', 'sun', 'wind', 'fog', 'hail'])
})

test('the texts of a resource are kept as they are: a script is text', () => {
  const description = '<script>alert(1)</script>'
  expect(parse({ resource: { ...resource, description } })).toMatchObject({ listing: { description } })
})

describe('an extension', () => {
  const wide = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`k${index}`, 1]))
  test.each([
    ['null', null, 'extensions.bazaar', 'must be an object'],
    ['an array', [], 'extensions.bazaar', 'must be an object'],
    ['without info', { schema: {} }, INFO, 'must be an object'],
    ['without a schema', { info: bazaar.info }, SCHEMA, 'must be an object'],
    [
      'with deep info',
      { ...bazaar, info: { input: nest(40) } },
      `${INFO}.input${'.a'.repeat(24)}`,
      'must be nested at most 24 levels deep',
    ],
    ['with wide info', { ...bazaar, info: wide }, INFO, 'must have at most 2000 values'],
    [
      'with a long text',
      { ...bazaar, info: { input: 'a'.repeat(17_000) } },
      `${INFO}.input`,
      'must be at most 16384 characters',
    ],
    [
      'with much text',
      { ...bazaar, info: { a: 'a'.repeat(9000), b: 'b'.repeat(9000) } },
      INFO,
      'must be at most 16384 bytes of JSON',
    ],
    [
      'with U+0000 in a name',
      { ...bazaar, info: { 'a\u0000': 1 } },
      `${INFO}.a?`,
      'must not contain control characters',
    ],
    [
      'with U+0000 in a text',
      { ...bazaar, info: { a: { b: '\u0000' } } },
      `${INFO}.a.b`,
      'must not contain control characters',
    ],
    [
      'with an external reference',
      { ...bazaar, schema: { $ref: 'https://evil.example/schema' } },
      SCHEMA,
      'must not contain the external $ref',
    ],
    [
      'with a file reference',
      { ...bazaar, schema: { $ref: 'file:///etc/passwd' } },
      SCHEMA,
      'must not contain the external $ref',
    ],
  ])('%s is rejected', (_, extension, field, problem) => {
    expect(parse({ bazaar: extension })).toEqual({ kind: 'rejected', field, problem })
  })

  test.each([
    [undefined, `${INFO}.input`, 'must be of type object'],
    [{ type: 'ftp' }, `${INFO}.input.type`, 'must be http or mcp'],
    [
      { type: 'http', method: 'TRACE' },
      `${INFO}.input.method`,
      'must be one of GET, HEAD, DELETE, POST, PUT, PATCH',
    ],
    [
      { type: 'http', method: ['GET'] },
      `${INFO}.input.method`,
      'must be one of GET, HEAD, DELETE, POST, PUT, PATCH',
    ],
    [
      { type: 'http', method: 'GET', bodyType: 'json' },
      `${INFO}.input.bodyType`,
      'is only for POST, PUT, PATCH',
    ],
    [
      { type: 'http', method: 'PUT', bodyType: 'xml' },
      `${INFO}.input.bodyType`,
      'must be one of json, form-data, text',
    ],
    [{ type: 'mcp', inputSchema: {} }, `${INFO}.input.toolName`, 'must be a text'],
    [{ type: 'mcp', toolName: 'a' }, `${INFO}.input.inputSchema`, 'must be an object'],
    [
      { type: 'mcp', toolName: 'a', inputSchema: {}, transport: 'carrier' },
      `${INFO}.input.transport`,
      'must be one of streamable-http, sse',
    ],
  ])('an extension with the input %j is rejected', (input, field, problem) => {
    expect(parseInfo(input)).toEqual({ kind: 'rejected', field, problem })
  })

  test('an extension with too many values is rejected before they are read', () => {
    let reads = 0
    const list = new Proxy(Array(100_000).fill(0), {
      get(target, name) {
        reads += 1
        return Reflect.get(target, name)
      },
    })
    expect(parse({ bazaar: { ...bazaar, info: { ...bazaar.info, list } } })).toEqual({
      kind: 'rejected',
      field: INFO,
      problem: 'must have at most 2000 values',
    })
    expect(reads).toBeLessThan(10)
  })

  test('an extension with a long name of a tool is rejected', () => {
    const withLength = (length: number) =>
      parseInfo({ type: 'mcp', toolName: 'a'.repeat(length), inputSchema: {} })
    expect(withLength(128).kind).toBe('valid')
    expect(withLength(129)).toMatchObject({ kind: 'rejected', field: `${INFO}.input.toolName` })
  })

  test('an extension with a large extra of the payment requirements is rejected', () => {
    expect(parse({ extra: { a: 'a'.repeat(3000) } })).toMatchObject({
      kind: 'rejected',
      field: 'accepted.extra.a',
    })
  })
})

describe('a schema', () => {
  const fields = { value: 'info', schema: 'schema' }
  const references = (count: number) => ({
    $defs: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
      ]).concat([[`d${count}`, {} as never]]),
    ),
    $ref: '#/$defs/d0',
  })
  const alternatives = Array.from({ length: 500 }, () => ({ enum: Array.from({ length: 100 }, (_, i) => i) }))

  test.each([
    ['that refers to itself', { $ref: '#' }],
    ['whose references double at each level', references(30)],
    ['with many alternatives and values', { anyOf: alternatives }],
  ])('%s is too complex: its evaluation ends after a number of steps', (_, schema) => {
    expect(findSchemaProblem({ a: 'text' }, schema, fields)).toEqual({
      field: 'schema',
      problem: 'is too complex',
    })
  })

  /** Evaluates a schema against the same value again and again. */
  const repeated = (schema: object) => ({
    $defs: {
      ...Object.fromEntries(
        [0, 1].map((level) => [
          `d${level}`,
          { allOf: Array.from({ length: 20 }, () => ({ $ref: `#/$defs/d${level + 1}` })) },
        ]),
      ),
      d2: schema,
    },
    $ref: '#/$defs/d0',
  })
  const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`k${index}`, 0]))
  const longName = '/'.repeat(4_000)

  test.each<[string, object, object]>([
    ['whose value has many properties', many, repeated({})],
    ['that counts many properties', many, { anyOf: [...Array(400).fill({ minProperties: 9_999 }), {}] }],
    ['that compares many properties', { a: 1 }, repeated({ not: { const: many } })],
    [
      'with a long reference',
      { a: 1 },
      { ...repeated({ $ref: `#/${longName.replaceAll('/', '~1')}` }), [longName]: {} },
    ],
  ])('%s is too complex if it is evaluated repeatedly: each one counts', (_, value, schema) => {
    expect(findSchemaProblem(value, { ...schema }, fields)).toEqual({
      field: 'schema',
      problem: 'is too complex',
    })
  })

  test('a schema with a reference that leads nowhere, or parts that are no schemas, is reported', () => {
    const problem = (schema: object) => findSchemaProblem({ a: 1 }, { ...schema }, fields)?.problem
    expect(problem({ $ref: '#/$defs/none' })).toBe('contains a $ref that leads nowhere')
    expect(problem({ $ref: '#/constructor/name' })).toBe('contains a $ref that leads nowhere')
    expect(problem({ properties: { a: 7 } })).toBe('must contain only objects and booleans as schemas')
  })

  const declared = declareDiscoveryExtension({
    method: 'POST',
    bodyType: 'json',
    input: { city: 'Lisbon', days: 3 },
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer', maximum: 7 } },
      required: ['city'],
      additionalProperties: false,
    },
  } as never).bazaar as { info: { input: object }; schema: object }
  const schemas: object[] = [
    declared.schema,
    { $defs: { a: { type: 'object' } }, properties: { input: { $ref: '#/$defs/a' } } },
    { properties: { input: { anyOf: [{ type: 'string' }, { required: ['body'] }] } } },
    { properties: { input: { oneOf: [{ type: 'object' }, { required: ['body'] }] } } },
    { properties: { input: { not: { required: ['body'] } } } },
    { properties: { input: { properties: { body: { minProperties: 2 } } } } },
    { properties: { input: { properties: { body: { const: { days: 3, city: 'Lisbon' } } } } } },
    { properties: { input: { properties: { body: { properties: { days: { exclusiveMinimum: 3 } } } } } } },
    { properties: { input: { properties: { list: { prefixItems: [{ type: 'number' }], items: false } } } } },
    { required: ['output'] },
    { type: ['array', 'object'] },
  ]
  const bodies = [
    { city: 'Lisbon', days: 3 },
    { city: 'L' },
    { city: 'Porto', days: 8 },
    { days: 1.5 },
    'text',
    { city: 'Faro', more: 1 },
  ]
  const infos = [
    ...bodies.map((body) => ({ input: { ...declared.info.input, method: 'POST', body } })),
    { input: { ...declared.info.input, method: 'GET' } },
    { input: { list: [1] } },
    { input: { list: ['a', 2] } },
    { output: {} },
    { input: 'text' },
  ]
  test('decides as the stock validation does', () => {
    const decisions = schemas.flatMap((schema, s) =>
      infos.map((info, i) => {
        const stock = validateDiscoveryExtension({ info, schema } as never).valid
        const ours = findSchemaProblem(info, { ...schema }, fields) === undefined
        return { schema: s, info: i, stock, ours }
      }),
    )
    expect(decisions.filter(({ stock, ours }) => stock !== ours)).toEqual([])
    expect(new Set(decisions.map(({ stock }) => stock))).toEqual(new Set([true, false]))
  })
})
