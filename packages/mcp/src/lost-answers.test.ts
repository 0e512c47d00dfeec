import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomFrom } from '@mintmark/devkit/random'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, expect, it, vi } from 'vitest'
import { createMcpApplication, type McpApplication, type McpApplicationOptions } from './application.ts'
import { operations } from './catalog/operations.ts'
import { connectInMemory, type TestClient } from './testing/connect.ts'
import { createSampleInput } from './testing/sample-input.ts'
import { createStubServer, type Fate, type StubServer } from './testing/stub-server.ts'

/** `npm run test:release` loses 10,000. */
const LOST_ANSWERS = Number(process.env.LOST_ANSWERS ?? 2_000)
const writes = [...operations.values()].filter(({ effect }) => effect === 'write')
const applications: McpApplication[] = []
afterEach(() => {
  for (const application of applications.splice(0)) application.close()
})

async function start(
  stub: StubServer,
  options: Partial<McpApplicationOptions> = {},
): Promise<McpApplication> {
  const application = await createMcpApplication({
    gateway: {
      baseUrl: 'http://gateway.test',
      apiKey: 'key',
      secret: 'secret-of-the-gateway',
      fetch: stub.fetch,
    },
    facilitator: { baseUrl: 'http://facilitator.test', token: 'token-of-the-facilitator', fetch: stub.fetch },
    allow: ['*'],
    stateFile: ':memory:',
    retryDelayMs: 0,
    ...options,
  })
  applications.push(application)
  return application
}

/** Connects a client whose user confirms everything. */
async function connect(application: McpApplication): Promise<TestClient> {
  const session = await connectInMemory(application, { elicitation: { form: {} } })
  session.client.setRequestHandler(ElicitRequestSchema, () => ({
    action: 'accept',
    content: { confirm: true },
  }))
  return session
}

it(`the MCP server executes no write twice when ${LOST_ANSWERS} answers of all write operations are lost`, async () => {
  const random = randomFrom(4711)
  const chooseFate = (): Fate =>
    random.chance(0.6) ? (random.chance(0.5) ? 'lost after' : 'lost before') : 'answered'
  const stub = createStubServer(chooseFate)
  const session = await connect(await start(stub, { retries: 6 }))
  const inputs = new Map(writes.map((operation) => [operation.id, createSampleInput(operation)]))
  const succeeded = new Set<string>()
  let lostResults = 0
  for (let number = 0; stub.lostAnswers() + lostResults < LOST_ANSWERS; number += 1) {
    const operation = writes[number % writes.length]
    if (operation === undefined) throw new Error('There are no writes')
    const write = { operation: operation.id, input: inputs.get(operation.id), intent: `intent ${number}` }
    const before = stub.executions.length
    // A call that the client gave up may be executed later, during the next write.
    const countExecuted = () =>
      stub.executions.slice(before).filter((each) => each.operation === operation.id).length
    for (let call = 0; call < 4; call += 1) {
      if (random.chance(0.2)) {
        // The client gives up before the result arrives, and repeats the call.
        const abort = new AbortController()
        const lost = session.call('call_write', write, abort.signal).catch(() => undefined)
        abort.abort()
        await lost
        lostResults += 1
        continue
      }
      const { isError, error } = await session.call('call_write', write)
      const executed = countExecuted()
      expect(executed, operation.id).toBeLessThanOrEqual(1)
      if (!isError) {
        expect(executed, operation.id).toBe(1)
        succeeded.add(operation.id)
        break
      }
      expect(error?.kind, `${operation.id}: ${error?.message}`).toMatch(/^(?:UnknownOutcome|Network)$/)
    }
    expect(countExecuted(), operation.id).toBeLessThanOrEqual(1)
  }
  expect(stub.lostAnswers() + lostResults).toBeGreaterThanOrEqual(LOST_ANSWERS)
  expect([...succeeded].sort()).toEqual(writes.map(({ id }) => id).sort())
  await session.close()
})

it('the MCP server repeats an unknown write under its key, and returns the result of the first call', async () => {
  const fates: Fate[] = ['lost after', 'answered']
  const stub = createStubServer(() => fates.shift() ?? 'answered')
  const session = await connect(await start(stub))
  const write = {
    operation: 'promoCodeCards.create',
    input: createSampleInput(getOperation('promoCodeCards.create')),
  }
  const first = await session.call('call_write', write)
  expect(first).toMatchObject({ isError: false, data: { id: 1 } })
  const second = await session.call('call_write', write)
  expect(second).toMatchObject({ isError: false, data: { id: 1 }, note: expect.stringContaining('before') })
  expect(stub.executions).toHaveLength(1)
})

it.each(['promoCodeCards.create', 'payments.settle'])(
  'the MCP server executes %s once when a proxy responds to its repetitions',
  async (id) => {
    const fates: Fate[] = ['lost after', 'proxy', 'proxy', 'proxy']
    const stub = createStubServer(() => fates.shift() ?? 'answered')
    const session = await connect(await start(stub, { retries: 1 }))
    const write = { operation: id, input: createSampleInput(getOperation(id)) }
    for (let call = 0; call < 2; call += 1) {
      const { error } = await session.call('call_write', write)
      expect(error).toMatchObject({ kind: 'UnknownOutcome' })
    }
    expect((await session.call('call_write', write)).isError).toBe(false)
    expect(stub.executions).toHaveLength(1)
  },
)

it('the MCP server executes a second creation when the caller names another intent', async () => {
  const stub = createStubServer()
  const session = await connect(await start(stub))
  const write = {
    operation: 'promoCodeCards.create',
    input: createSampleInput(getOperation('promoCodeCards.create')),
  }
  await session.call('call_write', write)
  const second = await session.call('call_write', { ...write, intent: 'a second card' })
  expect(second.data).toMatchObject({ id: 2 })
  expect(stub.executions).toHaveLength(2)
})

it('the MCP server never repeats a write without a key whose answer was lost', async () => {
  const fates: Fate[] = ['lost after']
  const stub = createStubServer(() => fates.shift() ?? 'answered')
  const session = await connect(await start(stub))
  const write = { operation: 'walletInfo.edit', input: createSampleInput(getOperation('walletInfo.edit')) }
  for (let call = 0; call < 3; call += 1) {
    const { error } = await session.call('call_write', write)
    expect(error).toMatchObject({ kind: 'UnknownOutcome', whatToDo: expect.stringContaining('intent') })
  }
  expect(stub.executions).toHaveLength(1)
  expect((await session.call('call_write', { ...write, intent: 'again' })).isError).toBe(false)
})

it.each(['promoCodeCards.create', 'walletInfo.edit'])(
  'the MCP server executes simultaneous equal calls of %s once',
  async (id) => {
    const stub = createStubServer()
    const session = await connect(await start(stub))
    const write = { operation: id, input: createSampleInput(getOperation(id)) }
    const results = await Promise.all(Array.from({ length: 50 }, () => session.call('call_write', write)))
    expect(results.map(({ data }) => data)).toEqual(results.map(() => expect.objectContaining({ id: 1 })))
    expect(stub.executions).toHaveLength(1)
  },
)

it('the MCP server continues an unknown write in another session, also after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-mcp-'))
  try {
    const stateFile = join(folder, 'state', 'mcp.sqlite')
    let fate: Fate = 'lost after'
    const stub = createStubServer(() => fate)
    const write = {
      operation: 'promoCodeCards.create',
      input: createSampleInput(getOperation('promoCodeCards.create')),
    }
    const first = await start(stub, { stateFile })
    const lost = await (await connect(first)).call('call_write', write)
    expect(lost.error?.kind).toBe('UnknownOutcome')
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600)
    const second = await start(stub, { stateFile })
    fate = 'answered'
    const repeated = await (await connect(second)).call('call_write', write)
    expect(repeated).toMatchObject({ isError: false, data: { id: 1 } })
    expect(stub.executions).toHaveLength(1)
    // The outcome is known now, so that a session of its own is an intent of its own.
    const third = await (await connect(second)).call('call_write', write)
    expect(third.data).toMatchObject({ id: 2 })
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('the MCP server sends a write again after an error that proves that it had no effect', async () => {
  let isOutOfStock = true
  const stub = createStubServer()
  const session = await connect(
    await start({
      ...stub,
      async fetch(url, init) {
        if (!isOutOfStock) return await stub.fetch(url, init)
        const body = {
          code: 40907,
          data: { reason: 'OUT_OF_STOCK' },
          msg: 'Not enough items left',
          success: false,
        }
        return Response.json(body, { status: 409 })
      },
    }),
  )
  const write = { operation: 'orders.preOrder', input: createSampleInput(getOperation('orders.preOrder')) }
  const refused = await session.call('call_write', write)
  expect(refused.error).toMatchObject({ kind: 'Refused', reason: 'OUT_OF_STOCK' })
  isOutOfStock = false
  expect((await session.call('call_write', write)).isError).toBe(false)
  expect(stub.executions).toHaveLength(1)
})

/** Holds the call of each session until the test lets it continue. The server refuses the first. */
async function startTwoSessions() {
  const stub = createStubServer()
  const keys: (string | null)[] = []
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const application = await start({
    ...stub,
    async fetch(url, init) {
      keys.push(new Headers(init.headers).get('idempotency-key'))
      const call = keys.length - 1
      await ends[call]?.promise
      if (call > 0) return await stub.fetch(url, init)
      return Response.json({ code: 429, data: null, msg: 'Slow down', success: false }, { status: 429 })
    },
  })
  const input = createSampleInput(getOperation('promoCodeCards.create'))
  const write = async (session: TestClient) =>
    await session.call('call_write', { operation: 'promoCodeCards.create', input })
  const sessions = [await connect(application), await connect(application)] as const
  const limited = write(sessions[0])
  await vi.waitUntil(() => keys.length === 1)
  const continued = write(sessions[1])
  await vi.waitUntil(() => keys.length === 2)
  return { stub, keys, ends, limited, continued, repeat: () => write(sessions[0]) }
}

it('a write of two sessions, one of which is refused by the rate limit, is executed once, if the other one ends first', async () => {
  const { stub, ends, limited, continued, repeat } = await startTwoSessions()
  ends[1].resolve()
  expect(await continued).toMatchObject({ isError: false, data: { id: 1 } })
  ends[0].resolve()
  expect((await limited).error?.kind).toBe('RateLimited')
  expect(await repeat()).toMatchObject({ isError: false, data: { id: 1 } })
  expect(stub.executions).toHaveLength(1)
})

it('a write of two sessions, one of which is refused by the rate limit, is executed once, if it is repeated while the other one is in progress', async () => {
  const { stub, keys, ends, limited, continued, repeat } = await startTwoSessions()
  ends[0].resolve()
  expect((await limited).error?.kind).toBe('RateLimited')
  expect(await repeat()).toMatchObject({ isError: false, data: { id: 1 } })
  ends[1].resolve()
  expect(await continued).toMatchObject({ isError: false, data: { id: 1 } })
  expect(new Set(keys).size).toBe(1)
  expect(stub.executions).toHaveLength(1)
})

it('the MCP server does not repeat an unknown write after the server has forgotten its key', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const stub = createStubServer(() => 'lost after')
  const session = await connect(await start(stub, { now: () => now }))
  const write = {
    operation: 'promoCodeCards.create',
    input: createSampleInput(getOperation('promoCodeCards.create')),
  }
  expect((await session.call('call_write', write)).error?.kind).toBe('UnknownOutcome')
  now += 23 * 3_600_000
  const { error } = await session.call('call_write', write)
  expect(error).toMatchObject({
    kind: 'UnknownOutcome',
    message: expect.stringContaining('was not sent again'),
  })
  expect(stub.executions).toHaveLength(1)
})

function getOperation(id: string) {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`There is no operation ${id}`)
  return operation
}
