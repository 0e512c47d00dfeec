import { Role, session } from '@mintmark/admin'
import { operatorAccounts, operatorKeys } from '@mintmark/facilitator/operator'
import { createSessionFacilitator } from '@mintmark/transport/browser'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, setOperator, TestBrowser } from '../testing/console-person.ts'
import { TEST_URL, type TestGateway, testGateway } from '../testing/gateway.ts'
import { interfaceResponse, type StubFacilitator, startStubFacilitator } from '../testing/stub-facilitator.ts'

const TOKEN = 'the-operator-token-of-the-facilitator-0123456789'
const ACCOUNTS = '/facilitator/operator/v1/accounts'
const account = {
  id: 12,
  payer: `0x${'a1'.repeat(20)}`,
  name: 'Corner Coffee',
  balance: '5',
  reserved: '0',
  owed: '0',
  batchDelayMs: 0,
  createTime: '2026-01-01T00:00:00.000Z',
}
const freeze = { reason: 'The key was published' }
const asOperator = { 'x-mintmark-session': 'none' }

let stub: StubFacilitator
let gateway: TestGateway
let operator: TestBrowser
beforeAll(async () => {
  stub = await startStubFacilitator()
  gateway = await testGateway({ facilitator: { url: `${stub.url}/pay`, token: TOKEN } })
  operator = await newOperator('operator@example.com')
})
beforeEach(() => {
  stub.received.length = 0
  stub.response = interfaceResponse(200, account)
})
afterAll(async () => {
  await gateway.close()
  stub.close()
})

async function newPerson(email: string, role: Role): Promise<TestBrowser> {
  return await addPerson(gateway, { email, role, project: gateway.key.projectId })
}

async function newOperator(email: string): Promise<TestBrowser> {
  const browser = await newPerson(email, Role.STAFF)
  await setOperator(gateway, email, true)
  return browser
}

const clientOf = (browser: TestBrowser) =>
  createSessionFacilitator({ baseUrl: TEST_URL, fetch: browser.fetch, retries: 0 })

const get = async (browser: TestBrowser, headers: Record<string, string> = asOperator) =>
  await browser.fetch(`${ACCOUNTS}/12`, { headers })

describe('an operator of the gateway', () => {
  it('an operator of the gateway reads and changes the facilitator by its token, and the facilitator learns who does', async () => {
    const { personId } = await session.get(operator.client())
    expect(await operatorAccounts.freeze(clientOf(operator), { id: 12, ...freeze })).toEqual(account)
    stub.response = interfaceResponse(200, { list: [account], total: 1, paras: {} })
    await operator.fetch(`${ACCOUNTS}?search=50%25%20off%26x&pageSize=2`, { headers: asOperator })
    expect(stub.received).toMatchObject([
      { method: 'POST', path: '/pay/operator/v1/accounts/12/freeze', body: JSON.stringify(freeze) },
      { method: 'GET', path: '/pay/operator/v1/accounts?search=50%25%20off%26x&pageSize=2', body: '' },
    ])
    for (const { headers } of stub.received)
      expect(headers).toMatchObject({
        authorization: `Bearer ${TOKEN}`,
        'x-mintmark-actor': `person:${personId}`,
      })
  })

  it('an operator of the gateway sends the facilitator nothing else of the browser, and cannot be somebody else', async () => {
    const { personId } = await session.get(operator.client())
    await operator.post(`${ACCOUNTS}/12/freeze`, freeze, {
      ...asOperator,
      'idempotency-key': 'once',
      'x-mintmark-actor': 'person:somebody-else',
      authorization: 'Bearer forged',
      'x-forwarded-for': '10.1.2.3',
      'x-other': 'x',
      'accept-language': 'de',
    })
    const [call] = stub.received
    expect(call?.headers).toMatchObject({
      'x-mintmark-actor': `person:${personId}`,
      authorization: `Bearer ${TOKEN}`,
      'idempotency-key': 'once',
      'content-type': 'application/json',
    })
    const ofBrowser = [
      'cookie',
      'origin',
      'x-forwarded-for',
      'x-mintmark-session',
      'x-other',
      'sec-fetch-site',
    ]
    expect(Object.keys(call?.headers ?? {}).filter((name) => ofBrowser.includes(name))).toEqual([])
  })

  it('an operator of the gateway sees what the facilitator refuses, with its reason, and none of its headers but the time to wait', async () => {
    const refusal = interfaceResponse(409, { error: 'balance_too_large', message: 'Too much' })
    stub.response = { ...refusal, headers: { ...refusal.headers, 'set-cookie': 'a=b', 'retry-after': '7' } }
    const response = await get(operator)
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({ error: 'balance_too_large', message: 'Too much' })
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('retry-after')).toBe('7')
    await expect(
      operatorAccounts.credit(clientOf(operator), { id: 12, amount: '1', reason: 'x' }),
    ).rejects.toMatchObject({ reason: 'balance_too_large' })
  })

  it('an operator of the gateway gets the token of a new key, which is in no log of the gateway', async () => {
    const key = {
      id: 3,
      accountId: 12,
      name: '',
      prefix: 'mf_',
      token: 'mf_shown-once',
      createTime: account.createTime,
    }
    stub.response = interfaceResponse(200, key)
    expect(await operatorKeys.create(clientOf(operator), { accountId: 12 })).toEqual(key)
    const log = gateway.logged.join('\n')
    expect(log).not.toContain('mf_shown-once')
    expect(log).not.toContain(TOKEN)
  })

  it('an operator of the gateway no longer reaches the facilitator once that right has ended', async () => {
    const email = 'former@example.com'
    const browser = await newOperator(email)
    expect((await get(browser)).status).toBe(200)
    await setOperator(gateway, email, false)
    await expect.poll(async () => (await get(browser)).status).toBe(403)
    const { length } = stub.received
    expect((await browser.post(`${ACCOUNTS}/12/freeze`, freeze, asOperator)).status).toBe(403)
    expect(stub.received).toHaveLength(length)
  })
})

it.each([Role.OWNER, Role.MANAGER, Role.STAFF, Role.AUDITOR])(
  'everybody else with the role %s and no right to operate is refused, in every project',
  async (role) => {
    const browser = await newPerson(`${role}@example.com`, role)
    for (const target of ['none', String(gateway.key.projectId)]) {
      const headers = { 'x-mintmark-session': target }
      expect((await get(browser, headers)).status).toBe(403)
      expect((await browser.post(`${ACCOUNTS}/12/freeze`, freeze, headers)).status).toBe(403)
    }
    expect(stub.received).toEqual([])
  },
)

it('everybody else without a session is refused, with a key of every scope too', async () => {
  const visitor = new TestBrowser(gateway)
  expect((await get(visitor)).status).toBe(401)
  expect((await get(operator, {})).status).toBe(401)
  const key = await gateway.newKey({ scopes: ['*', 'operator:read', 'operator:write'] })
  expect((await key.call({ method: 'GET', path: `${ACCOUNTS}/12` })).status).toBe(401)
  expect((await get(operator, { ...asOperator, 'x-api-key': key.apiKey })).status).toBe(401)
  const bearer = { authorization: `Bearer ${TOKEN}` }
  expect((await get(visitor, bearer)).status).toBe(401)
  expect(stub.received).toEqual([])
})

it('everybody else is refused from a page of another origin, also with the session of an operator', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://gateway.test.evil.example']) {
    expect((await get(operator, { ...asOperator, origin })).status).toBe(403)
    const headers = { ...asOperator, origin }
    expect((await operator.post(`${ACCOUNTS}/12/freeze`, freeze, headers)).status).toBe(403)
  }
  expect((await get(operator, { ...asOperator, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(stub.received).toEqual([])
})

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
  'everybody else cannot send a form: %s is refused',
  async (type) => {
    const headers = { ...asOperator, 'content-type': type }
    expect((await operator.post(`${ACCOUNTS}/12/freeze`, freeze, headers)).status).toBe(415)
    expect(stub.received).toEqual([])
  },
)

it.each([
  ['/facilitator/operator/v1/unknown', 404],
  ['/facilitator/operator/v1/accounts/..%2f..%2fmetrics', 400],
  ['/facilitator/operator/v1/accounts/%2e%2e/%2e%2e/%2e%2e/metrics', 404],
  ['/facilitator/settle', 404],
  ['/facilitator/metrics', 404],
  [`${ACCOUNTS}?pageSize=101`, 400],
])('the forwarded calls are only known operations with valid input: %s', async (path, status) => {
  expect((await operator.fetch(path, { headers: asOperator })).status).toBe(status)
  expect(stub.received).toEqual([])
})

it('the forwarded calls have a bounded body', async () => {
  const body = { reason: 'x'.repeat(1024 * 1024) }
  expect((await operator.post(`${ACCOUNTS}/12/freeze`, body, asOperator)).status).toBe(413)
  expect(stub.received).toEqual([])
})

it('the forwarded calls do not exist without a facilitator, and the session says so', async () => {
  const lone = await gateway.another({ facilitator: undefined })
  const headers = { ...asOperator, cookie: operator.cookieHeader }
  expect((await lone.request(`${TEST_URL}${ACCOUNTS}/12`, { headers })).status).toBe(404)
  const read = await lone.request(`${TEST_URL}/admin/v1/session`, { headers })
  expect(await read.json()).toMatchObject({ data: { hasFacilitator: false } })
  expect(await session.get(operator.client())).toMatchObject({ hasFacilitator: true })
})

describe('a facilitator that misbehaves', () => {
  const body = async (response: Response) => (await response.json()) as { error: string; message: string }

  it.each([401, 403])(
    'a facilitator that misbehaves and refuses the token with %i signs nobody out, and names the setting',
    async (status) => {
      stub.response = interfaceResponse(status, { error: 'Unauthorized' })
      const response = await get(operator)
      expect(response.status).toBe(503)
      expect(await body(response)).toMatchObject({
        error: 'FacilitatorRefused',
        message: expect.stringContaining('FACILITATOR_OPERATOR_TOKEN'),
      })
    },
  )

  it.each([
    [
      'the page of another server',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<script>' },
    ],
    [
      'a facilitator without OPERATOR_TOKEN',
      { status: 404, headers: { 'content-type': 'application/json' }, body: '{}' },
    ],
    ['a redirect', { status: 307, headers: { location: 'https://evil.example/' }, body: '' }],
  ])('a facilitator that misbehaves is reported as a wrong setting: %s', async (_, response) => {
    stub.response = response
    const received = await get(operator)
    expect(received.status).toBe(503)
    expect(await body(received)).toMatchObject({
      error: 'FacilitatorMismatch',
      message: expect.stringContaining('OPERATOR_TOKEN'),
    })
    expect(stub.received).toHaveLength(1)
  })

  it.each([
    [502, 504, 'FacilitatorNoResponse'],
    [503, 503, 'FacilitatorUnreachable'],
    [504, 504, 'FacilitatorNoResponse'],
  ])(
    'a facilitator behind a proxy that responds with %i is reported with %i',
    async (status, reported, error) => {
      stub.response = { status, headers: {}, body: '' }
      const response = await get(operator)
      expect(response.status).toBe(reported)
      expect(await body(response)).toMatchObject({ error, message: expect.stringContaining(`${status}`) })
    },
  )

  it('a facilitator that misbehaves and responds too much leaves the outcome unknown', async () => {
    stub.response = interfaceResponse(200, 'x'.repeat(9 * 1024 * 1024))
    const response = await get(operator)
    expect(response.status).toBe(504)
    expect(await body(response)).toMatchObject({ error: 'FacilitatorNoResponse' })
  })

  it('a facilitator that misbehaves and closes the connection in the middle of a change leaves its outcome unknown', async () => {
    stub.response = interfaceResponse(200, account)
    stub.response = { ...stub.response, headers: { ...stub.response.headers, 'content-length': '100000' } }
    const change = operatorAccounts.credit(clientOf(operator), { id: 12, amount: '1', reason: 'x' })
    await expect.poll(() => stub.received.length).toBe(1)
    stub.disconnect()
    await expect(change).rejects.toMatchObject({ kind: 'UnknownOutcome' })
  })

  it('a facilitator that misbehaves and is down is reported with what to check, and changes nothing', async () => {
    const down = await startStubFacilitator()
    down.close()
    const app = await gateway.another({ facilitator: { url: down.url, token: TOKEN } })
    const browser = operator.steal({ app })
    const response = await get(browser)
    expect(response.status).toBe(503)
    const { error, message } = await body(response)
    expect(error).toBe('FacilitatorUnreachable')
    expect(message).toContain('FACILITATOR_URL')
    expect(message).not.toContain('127.0.0.1')
    await expect(
      operatorAccounts.credit(clientOf(browser), { id: 12, amount: '1', reason: 'x' }),
    ).rejects.toMatchObject({ kind: 'Server', status: 503 })
  })
})
