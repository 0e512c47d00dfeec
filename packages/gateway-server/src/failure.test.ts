import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from './testing/gateway.ts'
import { callOf, statedOperations } from './testing/stated-operations.ts'

let gateway: TestGateway
beforeEach(async () => {
  gateway = await testGateway()
})
afterEach(() => gateway.close())

const failed = {
  code: 500,
  data: {},
  msg: 'Internal server error. The server log contains the request id',
  success: false,
}
const ERROR = 50

function failuresLogged() {
  return gateway.logged
    .map((line) => JSON.parse(line) as { level: number; requestId: string; err?: { message: string } })
    .filter(({ level }) => level >= ERROR)
}

describe('when the database does not respond', () => {
  it.each(statedOperations)('operation $number is 500 without a word of why', async (operation) => {
    await gateway.database.close()
    const { status, json, headers } = await gateway.key.call(callOf(operation, operation.valid))
    expect(status).toBe(500)
    expect(json).toEqual(failed)
    const [failure, ...others] = failuresLogged()
    expect(failure?.requestId).toBe(headers.get('x-request-id'))
    expect(failure?.err?.message).toMatch(/pool/)
    expect(others).toEqual([])
  })

  it('its health says so', async () => {
    expect((await gateway.key.call({ path: '/health' })).json).toMatchObject({ status: 'ok' })
    await gateway.database.close()
    const { status, json } = await gateway.key.call({ path: '/health' })
    expect(status).toBe(503)
    expect(json).toMatchObject({ status: 'the database does not respond' })
  })

  it('a QR picture is 500 in the same words', async () => {
    await gateway.database.close()
    const { status, json, headers } = await gateway.key.call({ path: `/qr/1/${'a'.repeat(27)}.svg` })
    expect(status).toBe(500)
    expect(json).toEqual(failed)
    expect(failuresLogged()[0]?.requestId).toBe(headers.get('x-request-id'))
  })
})

it('reveals nothing of the database when a table is missing', async () => {
  await sql`drop table gateway.wallet_info`.execute(gateway.owner.system)
  const { status, json } = await gateway.key.call({
    path: '/api/v1/wallet/walletInfo',
    query: 'address=0x1111111111111111111111111111111111111111',
  })
  expect(status).toBe(500)
  expect(json).toEqual(failed)
  expect(failuresLogged()).toMatchObject([{ err: { message: expect.stringContaining('wallet_info') } }])
})

it('a failure is not stored under its Idempotency-Key, and a retry runs the operation', async () => {
  await sql`alter table gateway.product_nfts rename to hidden`.execute(gateway.owner.system)
  const operation = statedOperations.find(({ number }) => number === 5)
  if (!operation) throw new Error('operation 5 is not listed')
  const request = { ...callOf(operation, operation.valid), headers: { 'idempotency-key': 'once' } }
  expect((await gateway.key.call(request)).status).toBe(500)
  await sql`alter table gateway.hidden rename to product_nfts`.execute(gateway.owner.system)
  expect((await gateway.key.call(request)).status).toBe(200)
})

it('logs each call by its operation, status and request id, and nothing of what it carried', async () => {
  const confidential = `0x${'c0ff'.repeat(10)}`
  const { headers } = await gateway.key.call({
    path: '/api/v1/wallet/walletInfo',
    query: `address=${confidential}`,
    headers: { authorization: 'Bearer confidential' },
  })
  const line = gateway.logged.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'call')
  expect(line).toEqual({
    level: 30,
    time: expect.any(String),
    name: 'gateway',
    requestId: headers.get('x-request-id'),
    operation: 'walletInfo.get',
    status: 404,
    ms: expect.any(Number),
    msg: 'call',
  })
  expect(gateway.logged.join()).not.toContain('confidential')
  expect(gateway.logged.join()).not.toContain(confidential)
})

it('says which server it is to a client whose base URL belongs to another one', async () => {
  const { status, json } = await gateway.key.call({ path: '/micropayment-orders' })
  expect(status).toBe(404)
  expect(json.msg).toBe(
    'No operation has this path. This is the gateway: the facilitator has another base URL, and that of the gateway ends before /api. The reference is at /docs',
  )
})

it('names what to check when a call has no signature', async () => {
  const response = await gateway.app.request('/api/v1/order/list')
  expect([response.status, (await response.json()).msg]).toEqual([
    401,
    'X-Api-Key, X-Signature and X-Timestamp (milliseconds since the epoch) are required. Check that the API key and its secret are set',
  ])
})

it('gives every response a request id, also for unknown paths', async () => {
  const ids = new Set<string | null>()
  for (const path of ['/nothing', '/api/v1/wallet/walletInfo', '/api/v1/order/payOrder']) {
    const { headers } = await gateway.key.call({ path })
    ids.add(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(3)
  expect(ids).not.toContain(null)
  const logged = gateway.logged.map((line) => JSON.parse(line).requestId)
  expect([...ids].every((id) => logged.includes(id))).toBe(true)
})
