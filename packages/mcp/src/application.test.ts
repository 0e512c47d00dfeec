import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, expect, it } from 'vitest'
import { createMcpApplication, type McpApplication, type McpApplicationOptions } from './application.ts'
import { operations } from './catalog/operations.ts'
import { connectInMemory } from './testing/connect.ts'
import { createSampleInput } from './testing/sample-input.ts'
import { createStubServer } from './testing/stub-server.ts'

const SECRET = 'secret-of-the-gateway'
const applications: McpApplication[] = []
afterEach(() => {
  for (const application of applications.splice(0)) application.close()
})

type Fetch = (url: string, init: RequestInit) => Promise<Response>

async function start(fetch: Fetch, options: Partial<McpApplicationOptions> = {}) {
  const application = await createMcpApplication({
    gateway: { baseUrl: 'http://gateway.test', apiKey: 'key', secret: SECRET, fetch },
    stateFile: ':memory:',
    retryDelayMs: 0,
    ...options,
  })
  applications.push(application)
  return application
}

/** Responds to every call with an envelope of the data. */
const respondWith = (data: unknown): Fetch => {
  const envelope = { code: 200, data, msg: '', success: true }
  return async () => Response.json(envelope, { headers: { 'x-request-id': 'r-1' } })
}

const card = { operation: 'promoCodeCards.create', input: sampleOf('promoCodeCards.create') }
const removal = { operation: 'promoCodeCards.remove', input: { id: 7 } }

function sampleOf(id: string) {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`There is no operation ${id}`)
  return createSampleInput(operation)
}

it('the MCP tools are few without groups, whatever the number of operations', async () => {
  const session = await connectInMemory(await start(respondWith({})))
  const { tools } = await session.client.listTools()
  const names = ['list_groups', 'list_operations', 'describe_operation', 'call_read', 'call_write']
  expect(tools.map(({ name }) => name)).toEqual(names)
  expect(JSON.stringify(tools).length).toBeLessThan(6000)
})

it('the MCP tools of groups have a schema and annotations of their operation, and writes only if they are allowed', async () => {
  const session = await connectInMemory(
    await start(respondWith({}), {
      groups: ['cards'],
      allow: ['promoCodeCards.create', 'promoCodeCards.remove'],
    }),
  )
  const { tools } = await session.client.listTools()
  const find = (name: string) => tools.find((tool) => tool.name === name)
  expect(find('promoCodeCards_get')).toMatchObject({
    annotations: { readOnlyHint: true, destructiveHint: false },
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  })
  expect(find('promoCodeCards_create')).toMatchObject({
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    inputSchema: {
      required: ['input'],
      properties: { input: { properties: { totalIssued: { type: 'integer' } } } },
    },
  })
  expect(find('promoCodeCards_remove')).toMatchObject({ annotations: { destructiveHint: true } })
  expect(find('promoCodeCards_update')).toBeUndefined()
  expect(find('orders_get')).toBeUndefined()
  // The names that all present clients accept.
  expect(tools.filter(({ name }) => !/^[\w-]{1,64}$/.test(name))).toEqual([])
})

it('the MCP tools find and describe every operation', async () => {
  const session = await connectInMemory(await start(respondWith({})))
  const { data } = await session.call('list_operations')
  const ids = (data as readonly { readonly id: string }[]).map(({ id }) => id)
  expect(ids).toEqual([...operations.keys()])
  for (const id of ids) {
    const description = await session.call('describe_operation', { operation: id })
    expect(description, id).toMatchObject({ isError: false, data: { id, inputSchema: { type: 'object' } } })
  }
  const found = await session.call('list_operations', { group: 'orders', search: 'preorder' })
  expect(found.data).toMatchObject([{ id: 'orders.preOrder', effect: 'write', isAllowed: false }])
})

it('the MCP tools name their arguments when one is unknown, and operations that resemble an unknown one', async () => {
  const session = await connectInMemory(await start(respondWith({})))
  const { error } = await session.call('list_operations', { query: 'cards' })
  expect(error?.issues).toEqual([{ path: 'query', message: 'Unknown argument. Expected: group, search' }])
  const find = async (operation: string) =>
    (await session.call('describe_operation', { operation })).error?.whatToDo
  expect(await find('promoCodeCards.creat')).toMatch(
    /^Use one of: promoCodeCards\.create, promoCodeCards\.createBatch, /,
  )
  expect(await find('coupons.preOrder')).toBe(
    'Use one of: orders.preOrder. Or find its id with list_operations.',
  )
  expect(await find('nothing')).toBe('Find its id with list_operations.')
})

it('the MCP tools call a read of a group and return its data with the request id', async () => {
  const session = await connectInMemory(await start(respondWith({ id: 7 }), { groups: ['promoCodeCards'] }))
  const direct = await session.call('promoCodeCards_get', { id: 7 })
  expect(direct).toMatchObject({ isError: false, data: { id: 7 }, requestId: 'r-1' })
  const general = await session.call('call_read', { operation: 'promoCodeCards.get', input: { id: 7 } })
  expect(general).toEqual(direct)
})

it('MCP writes are refused by default, with the option that allows them', async () => {
  const stub = createStubServer()
  const session = await connectInMemory(await start(stub.fetch))
  for (const [id, operation] of operations) {
    if (operation.effect === 'read') continue
    const { error } = await session.call('call_write', {
      operation: id,
      input: createSampleInput(operation),
    })
    expect(error, id).toMatchObject({
      kind: 'NotAllowed',
      whatToDo: expect.stringContaining(`--allow ${id}`),
    })
  }
  const smuggled = await session.call('call_read', card)
  expect(smuggled.isError).toBe(true)
  expect(stub.executions).toEqual([])
})

it('MCP writes report an invalid input before they are confirmed or sent', async () => {
  const stub = createStubServer()
  const session = await connectInMemory(await start(stub.fetch, { allow: ['*'] }))
  const { error } = await session.call('call_write', { ...removal, input: { id: 'seven' } })
  expect(error).toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'id' }] })
  const unknown = await session.call('call_write', { ...card, idempotencyKey: 'mine' })
  expect(unknown.error).toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'idempotencyKey' }] })
  expect(stub.executions).toEqual([])
})

it('times without a time zone are refused before anything is sent, in reads, writes and lists of records', async () => {
  const stub = createStubServer()
  const session = await connectInMemory(await start(stub.fetch, { allow: ['*'] }))
  const time = '2026-01-01T00:00:00'
  const message = `${time} has no time zone. Append Z for UTC, or an offset such as +02:00`
  const write = { ...card, input: { ...card.input, startTime: time } }
  const batch = { cards: [card.input, { ...card.input, endTime: time }] }
  const calls: [string, object, string][] = [
    ['call_read', { operation: 'orders.list', input: { from: time } }, 'from'],
    ['call_write', write, 'startTime'],
    ['call_write', { operation: 'promoCodeCards.createBatch', input: batch }, 'cards.1.endTime'],
  ]
  for (const [tool, call, path] of calls) {
    const { error } = await session.call(tool, { ...call })
    expect(error).toMatchObject({ kind: 'InvalidInput', issues: [{ path, message }] })
  }
  expect(stub.executions).toEqual([])
})

it('times are described as date-times with a time zone', async () => {
  const session = await connectInMemory(await start(respondWith({})))
  const { data } = await session.call('describe_operation', { operation: 'promoCodeCards.create' })
  expect(data).toMatchObject({
    inputSchema: {
      properties: {
        startTime: { type: 'string', format: 'date-time', examples: ['2026-01-01T00:00:00Z'] },
      },
    },
  })
})

it('irreversible MCP writes need a token that is bound to the exact call and session, without elicitation', async () => {
  const stub = createStubServer()
  let now = Date.parse('2026-01-01T00:00:00Z')
  const application = await start(stub.fetch, { allow: ['*'], now: () => now })
  const session = await connectInMemory(application)
  const refused = await session.call('call_write', removal)
  expect(refused.error?.kind).toBe('ConfirmationRequired')
  const confirmation = refused.error?.confirmation
  const others = [
    { ...removal, input: { id: 8 }, confirmation },
    { ...removal, operation: 'eventCards.remove', confirmation },
    { ...removal, intent: 'another', confirmation },
    { ...removal, confirmation: `${confirmation}x` },
    { ...removal, confirmation: '' },
  ]
  for (const other of others) {
    expect((await session.call('call_write', other)).error?.kind).toBe('ConfirmationRequired')
  }
  const stranger = await connectInMemory(application)
  const stolen = await stranger.call('call_write', { ...removal, confirmation })
  expect(stolen.error?.kind).toBe('ConfirmationRequired')
  expect(stub.executions).toEqual([])
  now += 9 * 60_000
  expect((await session.call('call_write', { ...removal, confirmation })).isError).toBe(false)
  now += 2 * 60_000
  // A repetition returns the first result, although its confirmation has expired.
  expect((await session.call('call_write', { ...removal, confirmation })).isError).toBe(false)
  const late = { ...removal, input: { id: 9 } }
  const token = (await session.call('call_write', late)).error?.confirmation
  now += 11 * 60_000
  const expired = await session.call('call_write', { ...late, confirmation: token })
  expect(expired.error?.kind).toBe('ConfirmationRequired')
  expect(stub.executions).toHaveLength(1)
})

it('irreversible MCP writes ask the user of a client that supports elicitation, and send nothing unless the user confirms', async () => {
  const stub = createStubServer()
  const session = await connectInMemory(await start(stub.fetch, { allow: ['*'] }), {
    elicitation: { form: {} },
  })
  const answers: ElicitResult[] = [
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { confirm: false } },
    { action: 'accept', content: { confirm: true } },
  ]
  const questions: string[] = []
  session.client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message)
    return answers.shift() ?? { action: 'cancel' }
  })
  for (let call = 0; call < 3; call += 1) {
    expect((await session.call('call_write', removal)).error?.kind).toBe('Declined')
  }
  expect(stub.executions).toEqual([])
  expect((await session.call('call_write', removal)).isError).toBe(false)
  expect(questions[0]).toContain('promoCodeCards.remove cannot be undone')
  expect(questions[0]).toContain('"id": 7')
})

it('irreversible MCP writes are not sent when the client fails to show the question', async () => {
  const stub = createStubServer()
  const application = await start(stub.fetch, { allow: ['*'] })
  const session = await connectInMemory(application, { elicitation: { form: {} } })
  session.client.setRequestHandler(ElicitRequestSchema, () => {
    throw new Error('The window is closed')
  })
  expect((await session.call('call_write', removal)).error?.kind).toBe('ConfirmationUnavailable')
  expect(stub.executions).toEqual([])
})

it('irreversible MCP writes are refused with --require-elicitation when the client cannot ask its user', async () => {
  const stub = createStubServer()
  const session = await connectInMemory(await start(stub.fetch, { allow: ['*'], requireElicitation: true }))
  expect((await session.call('call_write', removal)).error?.kind).toBe('ConfirmationUnavailable')
  expect((await session.call('call_write', card)).isError).toBe(false)
  expect(stub.executions).toHaveLength(1)
})

it('the results of tools shorten a page to the items that fit, and say how to continue', async () => {
  const list = Array.from({ length: 100 }, (_, id) => ({ id, name: 'x'.repeat(100) }))
  const page = { list, pageNumber: 1, pageSize: 100, totalPage: 5, totalRow: 500 }
  const session = await connectInMemory(await start(respondWith(page), { maxResultCharacters: 2000 }))
  const { data, hint, text } = await session.call('call_read', { operation: 'promoCodeCards.list' })
  const { list: shown } = data as typeof page
  expect(shown.length).toBeGreaterThan(10)
  expect(hint).toContain(`pageSize ${shown.length}`)
  expect(text.length).toBeLessThan(3000)
})

it('the results of tools shorten a record that is too large', async () => {
  const session = await connectInMemory(
    await start(respondWith({ id: 1, name: 'x'.repeat(100_000) }), { maxResultCharacters: 2000 }),
  )
  const { hint, text } = await session.call('call_read', {
    operation: 'promoCodeCards.get',
    input: { id: 1 },
  })
  expect(hint).toContain('beginning')
  expect(text.length).toBeLessThan(3000)
})

it('the results of tools contain no secret, neither of this server nor of a new webhook', async () => {
  const echo = respondWith({ id: 1, secret: 'whsec_of_the_webhook', note: `signed with ${SECRET}` })
  const session = await connectInMemory(await start(echo, { allow: ['*'] }))
  const write = { operation: 'eventWebhooks.configure', input: sampleOf('eventWebhooks.configure') }
  const first = await session.call('call_write', write)
  expect(first).toMatchObject({ isError: false, data: { secret: expect.stringContaining('Withheld') } })
  const repeated = await session.call('call_write', write)
  for (const { text } of [first, repeated]) {
    expect(text).not.toContain('whsec_of_the_webhook')
    expect(text).not.toContain(SECRET)
  }
})

it('the results of tools report errors with kind, reason, detail, what to do and request id, and no secret', async () => {
  const data = { reason: 'OUT_OF_STOCK', detail: { remaining: 3, note: SECRET } }
  const body = { code: 40907, data, msg: `refused ${SECRET}`, success: false }
  const refuse: Fetch = async () => Response.json(body, { status: 409, headers: { 'x-request-id': 'r-9' } })
  const session = await connectInMemory(await start(refuse))
  const result = await session.call('call_read', { operation: 'promoCodeCards.get', input: { id: 1 } })
  expect(result).toMatchObject({
    isError: true,
    error: {
      kind: 'Refused',
      reason: 'OUT_OF_STOCK',
      detail: { remaining: 3 },
      requestId: 'r-9',
      whatToDo: expect.any(String),
    },
  })
  expect(result.text).not.toContain(SECRET)
})

it('the results of tools hide the message of a failure of the program itself, and log it', async () => {
  const logged: unknown[] = []
  const failure = new RangeError(`internal ${SECRET}`)
  const options = { onError: (error: unknown) => logged.push(error) }
  const application = await start(respondWith({}), {
    ...options,
    allow: ['*'],
    now: createFailingClock(failure),
  })
  const session = await connectInMemory(application)
  const { error, text } = await session.call('call_write', card)
  expect(error?.kind).toBe('Internal')
  expect(text).not.toContain('internal secret')
  expect(logged).toEqual([failure])
})

it('the results of tools name the service that is not configured', async () => {
  const session = await connectInMemory(await start(respondWith({})))
  const { error } = await session.call('call_read', { operation: 'payments.health' })
  expect(error).toMatchObject({
    kind: 'NotConfigured',
    whatToDo: expect.stringContaining('MINTMARK_FACILITATOR_URL'),
  })
})

/** A clock that works once, for the start. */
function createFailingClock(failure: Error): () => number {
  let calls = 0
  return () => {
    calls += 1
    if (calls > 1) throw failure
    return 0
  }
}
