import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { somePayment } from '../testing-engine.ts'
import { createRemoteUpstream } from './remote.ts'

const transaction = `0x${'ab'.repeat(32)}`
const network = 'eip155:84532'
let server: Server
let url = ''
let respond: (request: IncomingMessage, response: ServerResponse, body: string) => void = () => {}
let received: { path: string | undefined; authorization: string | undefined; body: string }[] = []

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ path: request.url, authorization: request.headers.authorization, body })
    respond(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}/facilitator/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const says = (status: number, body: unknown, headers = {}) => {
  respond = (_, response) => {
    response.writeHead(status, headers)
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const settle = (timeout = 5000, given = {}) => {
  received = []
  const upstream = createRemoteUpstream({ url, headers: async () => ({ authorization: 'Bearer upstream' }) })
  const signal = AbortSignal.timeout(timeout)
  return upstream.settle(somePayment(given), { settlementId: '1', attempt: '', signal })
}
const settled = { success: true, transaction, network, payer: '0xabc' }

test('a settled payment returns its transaction, and the request is forwarded unchanged with our credentials', async () => {
  says(200, settled)
  const request = {
    x402Version: 2,
    paymentPayload: { extensions: { a: 1 } },
    paymentRequirements: { amount: '7' },
  }
  const answer = await settle(5000, { request })
  expect(answer).toEqual({ kind: 'responded', httpStatus: 200, body: settled })
  expect(received).toEqual([
    { path: '/facilitator/settle', authorization: 'Bearer upstream', body: JSON.stringify(request) },
  ])
})

test('a settlement without a body is read from the PAYMENT-RESPONSE header', async () => {
  says(200, '', { 'payment-response': Buffer.from(JSON.stringify(settled)).toString('base64') })
  expect(await settle()).toMatchObject({ kind: 'responded', body: { success: true, transaction } })
})

test('a 2xx without success is a response with a reason', async () => {
  says(200, { success: false, errorReason: 'insufficient_funds', transaction: null, network })
  const body = { success: false, errorReason: 'insufficient_funds', transaction: '', network }
  expect(await settle()).toMatchObject({ kind: 'responded', httpStatus: 200, body })
})

test('a 4xx with a reason before broadcast is a refusal', async () => {
  says(400, {
    success: false,
    errorReason: 'invalid_exact_evm_payload_signature',
    errorMessage: 'no',
    transaction: '',
  })
  const refusal = {
    kind: 'refused',
    httpStatus: 400,
    reason: 'invalid_exact_evm_payload_signature',
    message: 'no',
  }
  expect(await settle()).toEqual(refusal)
})

test.each([
  [
    'a 4xx with a reason that may come after broadcast',
    400,
    { success: false, errorReason: 'invalid_transaction_state' },
  ],
  ['a 4xx that names a transaction', 400, { success: false, errorReason: 'insufficient_funds', transaction }],
  ['a 4xx without a reason', 401, { error: 'Unauthorized' }],
  ['a 4xx that claims success', 400, settled],
  ['a 5xx', 503, 'busy'],
  [
    'a 5xx that looks like a refusal',
    500,
    { success: false, errorReason: 'insufficient_funds', transaction: '' },
  ],
])('%s leaves the outcome unknown', async (_, status, body) => {
  says(status, body)
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'status', httpStatus: status })
})

test.each([
  ['a 5xx of our native API', 503, { error: 'SettlementPending', transaction }],
  ['a 5xx of x402', 500, { success: false, errorReason: 'settlement_pending', transaction }],
])(
  '%s that names a transaction leaves the outcome unknown with that transaction',
  async (_, status, body) => {
    says(status, body)
    expect(await settle()).toMatchObject({ kind: 'lost', transaction })
  },
)

test('a redirect is not followed, and leaves the outcome unknown', async () => {
  says(307, '', { location: `${url}elsewhere` })
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'status', httpStatus: 307 })
  expect(received).toHaveLength(1)
})

test.each([
  ['HTML', '<html>ok</html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['an array', []],
  ['a success without a transaction', { success: true, transaction: '', network }],
  ['a success that is a text', { success: 'true', transaction, network }],
  ['a success on another network', { success: true, transaction, network: 'eip155:1' }],
  ['half of it', '{"success":true,'],
])('a 2xx with %s is malformed', async (_, body) => {
  says(200, body)
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'malformed', httpStatus: 200 })
})

test('an upstream that closes the connection before or during its response leaves the outcome unknown', async () => {
  respond = (request) => request.socket.destroy()
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'reset' })
  respond = (request, response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"success":true')
    setTimeout(() => request.socket.destroy(), 20)
  }
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'reset' })
})

test('an upstream that does not respond or does not finish its response times out', async () => {
  respond = () => {}
  expect(await settle(100)).toMatchObject({ kind: 'lost', why: 'timeout' })
  respond = (_, response) => {
    response.writeHead(200)
    response.write('{')
  }
  expect(await settle(100)).toMatchObject({ kind: 'lost', why: 'timeout' })
})

test('an endless response is aborted', async () => {
  respond = (_, response) => {
    response.writeHead(200)
    const chunk = 'x'.repeat(1 << 16)
    const more = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(more))
    }
    more()
  }
  expect(await settle()).toMatchObject({ kind: 'lost', why: 'reset' })
})

test('the error of a failed call contains no credentials', async () => {
  respond = (request) => request.socket.destroy()
  expect(JSON.stringify(await settle())).not.toContain('upstream"')
  const upstream = createRemoteUpstream({ url, headers: () => ({ authorization: 'Bearer se\ncret' }) })
  const answer = await upstream.settle(somePayment(), {
    settlementId: '1',
    attempt: '',
    signal: AbortSignal.timeout(1000),
  })
  expect(answer.kind).toBe('lost')
  expect(JSON.stringify(answer)).not.toContain('cret')
})

test('texts of the upstream have no characters that PostgreSQL cannot store, and a limited length', async () => {
  says(400, { success: false, errorReason: 'insufficient_funds', errorMessage: `a\0${'b'.repeat(5000)}` })
  const refused = await settle()
  expect(refused).toMatchObject({ kind: 'refused', reason: 'insufficient_funds' })
  expect('message' in refused && refused.message).toMatch(/^a b{900,1100}…$/)
  says(200, { success: false, errorReason: 'a\0', errorMessage: 'b\0', transaction: '\0', payer: 'c\0' })
  expect(await settle()).toMatchObject({
    body: { errorReason: 'a ', errorMessage: 'b ', transaction: ' ', payer: 'c ' },
  })
  says(200, { ...settled, network: 'eip155:1\0' })
  expect(await settle()).toMatchObject({
    kind: 'lost',
    message: 'The upstream responded for the network eip155:1 ',
  })
})
