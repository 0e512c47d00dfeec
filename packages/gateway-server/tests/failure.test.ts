import type { Socket } from 'node:net'
import { promoCodeCards } from '@mintmark/cards'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TEST_URL, type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { callOf, statedOperations } from '../src/testing/stated-operations.ts'

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

it.each(statedOperations)(
  'operation $number is 500 without a word of why when the database does not respond',
  async (operation) => {
    await gateway.database.close()
    const { status, json, headers } = await gateway.key.call(callOf(operation, operation.valid))
    expect(status).toBe(500)
    expect(json).toEqual(failed)
    const [failure, ...others] = failuresLogged()
    expect(failure?.requestId).toBe(headers.get('x-request-id'))
    expect(failure?.err?.message).toMatch(/pool/)
    expect(others).toEqual([])
  },
)

it('the health of the server says so when the database does not respond', async () => {
  expect((await gateway.key.call({ path: '/health' })).json).toMatchObject({ status: 'ok' })
  await gateway.database.close()
  const { status, json } = await gateway.key.call({ path: '/health' })
  expect(status).toBe(503)
  expect(json).toMatchObject({ status: 'the database does not respond' })
})

it('a QR picture is 500 in the same words when the database does not respond', async () => {
  await gateway.database.close()
  const { status, json, headers } = await gateway.key.call({ path: `/qr/1/${'a'.repeat(27)}.svg` })
  expect(status).toBe(500)
  expect(json).toEqual(failed)
  expect(failuresLogged()[0]?.requestId).toBe(headers.get('x-request-id'))
})

it('answers every call with 503 and Retry-After while the database accepts no writes, and its health says so', async () => {
  await sql`do $$ begin
    execute format('alter database %I set default_transaction_read_only = on', current_database());
  end $$`.execute(gateway.owner.system)
  for (const operation of statedOperations) {
    const { status, headers } = await gateway.key.call(callOf(operation, operation.valid))
    expect([operation.number, status, headers.get('retry-after')]).toEqual([operation.number, 503, '1'])
  }
  const { status, json } = await gateway.key.call({ path: '/health' })
  expect(status).toBe(503)
  expect(json).toMatchObject({ status: 'the database is read-only' })
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
  await sql`alter table gateway.mintable_nfts rename to hidden`.execute(gateway.owner.system)
  const operation = statedOperations.find(({ number }) => number === 5)
  if (!operation) throw new Error('operation 5 is not listed')
  const request = { ...callOf(operation, operation.valid), headers: { 'idempotency-key': 'once' } }
  expect((await gateway.key.call(request)).status).toBe(500)
  await sql`alter table gateway.hidden rename to mintable_nfts`.execute(gateway.owner.system)
  expect((await gateway.key.call(request)).status).toBe(200)
})

describe('a write whose connection to the database is lost', () => {
  const card = {
    name: 'Coffee',
    nftAddress: `0x${'a1'.repeat(20)}`,
    totalIssued: 1,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
  }
  const client = () =>
    createGateway({
      baseUrl: TEST_URL,
      credentials: gateway.key,
      retries: 0,
      fetch: async (url, init) => await gateway.app.fetch(new Request(url, init)),
    })

  /** Runs SQL whenever a card is added: at once, or when the transaction commits. */
  async function onNewCard(body: string, timing = ''): Promise<void> {
    await sql
      .raw(`create function public.on_new_card() returns trigger language plpgsql security definer as
        $$ begin ${body} return null; end $$;
        create constraint trigger on_new_card after insert on gateway.cards ${timing}
          for each row execute function public.on_new_card()`)
      .execute(gateway.owner.system)
  }

  it('a write whose connection to the database is lost has an unknown outcome if the connection was lost during the commit', async () => {
    const cut = 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(10);'
    await onNewCard(cut, 'deferrable initially deferred')
    const request = promoCodeCards.create(client(), card, { idempotencyKey: 'once' })
    await expect(request).rejects.toMatchObject({
      kind: 'UnknownOutcome',
      status: 504,
      retryable: false,
      idempotencyKey: 'once',
    })
  })

  it('a write whose connection to the database is lost has an unknown outcome if the connection was lost during a statement, which takes effect', async () => {
    await onNewCard('perform pg_sleep(1);')
    const { pool, system } = gateway.owner
    const streams = new Set<Socket>()
    // The type declarations of pg lack the connection of a client.
    gateway.database.pool.on('acquire', (borrowed: unknown) =>
      streams.add((borrowed as { connection: { stream: Socket } }).connection.stream),
    )
    const request = promoCodeCards.create(client(), card)
    const ended = expect(request).rejects.toMatchObject({ kind: 'UnknownOutcome', retryable: false })
    const sleeping =
      "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
    await expect.poll(async () => (await pool.query(sleeping)).rowCount).toBe(1)
    for (const stream of streams) stream.destroy()
    await ended
    const cards = async () => (await system.selectFrom('gateway.cards').select('name').execute()).length
    await expect.poll(cards).toBe(1)
  })
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
