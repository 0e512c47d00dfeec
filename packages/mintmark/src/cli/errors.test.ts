import { expect, it } from 'vitest'
import { KINDS } from './errors.ts'
import { createStub, runCommand, VARIABLES } from './testing/run-command.ts'

function fail(status: number, body: object = {}, headers: Record<string, string> = {}): Response {
  const envelope = { code: status, data: {}, msg: 'Not possible', success: false, ...body }
  return Response.json(envelope, { status, headers: { 'x-request-id': 'req-7', ...headers } })
}

const GET = ['promo-code-cards', 'get', '7']
const CREATE = [
  ...['promo-code-cards', 'create', '--name', 'A', '--nft-address', '0xa', '--total-issued', '1'],
  ...['--start-time', '2026-01-01T00:00:00Z', '--end-time', '2027-01-01T00:00:00Z'],
]

it.each([
  [['promo-codes', 'verifications', '--id', '7'], "unknown option '--id'\n(Did you mean --card-id?)"],
  [['promo-codes', 'list', '--page-sice', '7'], "unknown option '--page-sice'\n(Did you mean --page-size?)"],
])('the unknown flag of %j is refused with the flag that it resembles', async (words, message) => {
  const { exitCode, errors } = await runCommand(words)
  expect(exitCode).toBe(2)
  expect(errors).toBe(`Error: ${message.trimEnd()}\n`)
})

it.each([
  ['InvalidInput', GET, 3, () => fail(400)],
  ['Unauthorized', GET, 4, () => fail(401)],
  ['Forbidden', GET, 5, () => fail(403)],
  ['NotFound', GET, 6, () => fail(404)],
  ['Conflict', GET, 7, () => fail(409)],
  ['InsufficientBalance', GET, 8, () => fail(402)],
  ['RateLimited', CREATE, 9, () => fail(429)],
  ['Refused', GET, 10, () => fail(422, { code: 42201, data: { reason: 'NONCE_REUSED' } })],
  ['Server', CREATE, 11, () => fail(500)],
  ['UnknownOutcome', CREATE, 14, () => fail(502)],
  ['UnexpectedResponse', CREATE, 15, () => new Response('<html>', { status: 200 })],
] as const)(
  'the exit code of a failed call of the kind %s is a number of its own',
  async (kind, words, exitCode, respond) => {
    const { fetch } = createStub(respond)
    const result = await runCommand(words, { fetch })
    expect(result).toMatchObject({ exitCode, output: '' })
    expect(result.errors).toContain(`kind        ${kind}`)
    expect(result.errors).toContain(KINDS[kind].advice)
    for (const secret of [VARIABLES.MINTMARK_SECRET, VARIABLES.MINTMARK_API_KEY]) {
      expect(result.errors).not.toContain(secret)
    }
  },
)

it('an error of a call ends with the page that explains it and what to do', async () => {
  const { fetch } = createStub(() => fail(404, {}, { link: '<http://gateway.test/docs/errors>; rel="help"' }))
  const docs = 'http://gateway.test/docs/errors#notfound'
  const { errors } = await runCommand(GET, { fetch })
  expect(errors).toContain(`  docs        ${docs}\n  ${KINDS.NotFound.advice}\n`)
  const asJson = await runCommand([...GET, '--json'], { fetch })
  expect(JSON.parse(asJson.errors)).toMatchObject({ error: { kind: 'NotFound', docs } })
})

it('the exit code of a call is 13 when the network cannot be reached', async () => {
  const { fetch } = createStub(() => {
    throw Object.assign(new TypeError('fetch failed'), {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    })
  })
  const { exitCode, errors } = await runCommand(CREATE, { fetch })
  expect(exitCode).toBe(13)
  expect(errors).toContain('ECONNREFUSED')
})

it('the exit code of a call is 12 when the server does not respond in time', async () => {
  const { fetch } = createStub(() => new Promise<Response>(() => {}))
  const words = ['promo-code-cards', 'get', '7', '--timeout', '0.001']
  const { exitCode } = await runCommand(words, { fetch })
  expect(exitCode).toBe(12)
})

it.each([
  ['that has a key, with the key that repeats it', ['--idempotency-key', 'auto']],
  ['that has no key, with a warning', []],
])('the exit code is 130 after Ctrl-C during a write %s', async (_, flags) => {
  const interruption = new AbortController()
  const { requests, fetch } = createStub(() => {
    interruption.abort()
    return new Promise<Response>(() => {})
  })
  const { signal } = interruption
  const { exitCode, errors } = await runCommand([...CREATE, ...flags], { fetch, signal })
  const key = requests[0]?.headers['idempotency-key']
  const advice =
    key === undefined
      ? KINDS.UnknownOutcome.advice
      : `The call may have taken effect. To repeat it without a second effect, add --idempotency-key ${key}`
  expect([exitCode, errors]).toEqual([130, `${advice}\n`])
})

it('an error shows the reason and the id of the request', async () => {
  const { fetch } = createStub(() => fail(409, { code: 40901, data: { reason: 'NONCE_REUSED' } }))
  const { errors } = await runCommand(GET, { fetch })
  expect(errors).toContain('reason      NONCE_REUSED\n')
  expect(errors).toContain('request id  req-7\n')
})

const SOLD_OUT = {
  code: 40907,
  data: { reason: 'OUT_OF_STOCK', detail: { remaining: 3, opensAt: '2026-01-01\u001b[2J' } },
}

it('an error shows the detail of the rule on one line, without control characters', async () => {
  const { fetch } = createStub(() => fail(409, SOLD_OUT))
  const { errors } = await runCommand(GET, { fetch })
  expect(errors).toContain('detail      remaining: 3, opensAt: 2026-01-01\\u001b[2J\n')
})

it('an error with --json has the detail of the rule', async () => {
  const { fetch } = createStub(() => fail(409, SOLD_OUT))
  const { errors } = await runCommand([...GET, '--json'], { fetch })
  expect(JSON.parse(errors)).toMatchObject({ error: { detail: SOLD_OUT.data.detail } })
})

it.each([[['--json']], [['--output', 'json']], [['--output=json']]])(
  'an error is one line of JSON with %j',
  async (flags) => {
    const { fetch } = createStub(() => fail(404))
    const { errors } = await runCommand([...GET, ...flags], { fetch })
    expect(errors.split('\n')).toHaveLength(2)
    expect(JSON.parse(errors)).toMatchObject({
      error: { kind: 'NotFound', operation: 'promoCodeCards.get', requestId: 'req-7', exitCode: 6 },
    })
  },
)

it('an error with --json has the key of a call in doubt, so that a program can repeat it', async () => {
  const { requests, fetch } = createStub(() => fail(502))
  const words = [...CREATE, '--json', '--idempotency-key', 'auto']
  const { exitCode, errors } = await runCommand(words, { fetch })
  const key = requests[0]?.headers['idempotency-key']
  expect([exitCode, key]).toEqual([14, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  expect(JSON.parse(errors)).toMatchObject({ error: { idempotencyKey: key } })
})

it('an error with --json has the seconds to wait', async () => {
  const { fetch } = createStub(() => fail(429, {}, { 'retry-after': '7' }))
  const { errors } = await runCommand([...CREATE, '--json'], { fetch })
  expect(JSON.parse(errors)).toMatchObject({ error: { kind: 'RateLimited', retryAfter: 7 } })
})

it.each([
  [['promo-codes', 'get', '7', '--color', 'red', '--json'], "unknown option '--color'"],
  [['promo-codes', 'get', 'seven', '--json'], '--id: Expected a number, received "seven"'],
  [['promo-codes', 'list', '--page-sice', '7', '--output', 'json'], '(Did you mean --page-size?)'],
])('an error of the command line is one line of JSON with --json, too: %j', async (words, message) => {
  const { exitCode, errors } = await runCommand(words)
  expect([exitCode, errors.split('\n').length]).toEqual([2, 2])
  expect(JSON.parse(errors)).toMatchObject({ error: { kind: 'Usage', exitCode: 2 } })
  expect(JSON.parse(errors).error.message).toContain(message)
})

it('an error contains no control characters of the server', async () => {
  const { fetch } = createStub(() => fail(404, { msg: 'Gone\u001b[2J\u009b31m\u202e' }))
  const { errors } = await runCommand(GET, { fetch })
  expect(errors).toContain('Gone\\u001b[2J\\u009b31m\\u202e')
})

it('an error contains no control characters of the server with --json either', async () => {
  const { fetch } = createStub(() => fail(404, { msg: 'Gone\u009b31m\u202e' }))
  const { errors } = await runCommand([...GET, '--json'], { fetch })
  expect(errors).toContain('Gone\\u009b31m\\u202e')
  expect(JSON.parse(errors).error.message).toContain('Gone\u009b31m\u202e')
})

it.each([
  [['promo-code-cards', 'get'], 'Missing: --id'],
  [['promo-code-cards', 'get', 'seven'], '--id: Expected a number, received "seven"'],
  [['promo-code-cards', 'get', '7', '--id', '7'], '--id is given twice'],
  [['promo-code-cards', 'gett', '7'], "unknown command 'gett'"],
  [['promo-code-cards', 'search', '--status', 'LOST'], 'Expected NOT_YET_VALID, ACTIVE'],
  [['promo-code-cards', 'list', '--page-size', '101'], '--page-size: Expected an integer from 1 to 100'],
  [['promo-code-cards', 'get', '7', '--all'], "unknown option '--all'"],
  [['promo-code-cards', 'get', '7', '--timeout', 'Infinity'], 'Expected seconds, from 0.001 to 2147483'],
  [['promo-code-cards', 'get', '7', '--timeout', '2147484'], 'Expected seconds, from 0.001 to 2147483'],
  [['event-cards', 'create-batch', '--cards', '[{'], '--cards'],
  [['event-cards', 'create-batch', '--cards', '[{}]'], '--cards (0.name): Required'],
])(
  'a command line that is incorrect ends with 2, sends nothing and names what is wrong: %s',
  async (words, message) => {
    const { requests, fetch } = createStub(() => fail(500))
    const { exitCode, errors } = await runCommand(words, { fetch })
    expect(errors).toContain(message)
    expect(exitCode).toBe(2)
    expect(requests).toEqual([])
  },
)
