import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteOldResponses } from '../src/maintenance/maintenance.ts'
import { type TestGateway, type TestKey, testGateway } from '../src/testing/gateway.ts'
import { callOf, HASH, statedOperations, WALLET } from '../src/testing/stated-operations.ts'
import { buildOrderRow } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let key: TestKey
beforeAll(async () => {
  gateway = await testGateway()
})
beforeEach(async () => {
  key = await gateway.newKey({ project: crypto.randomUUID() })
})
afterAll(() => gateway.close())

const create = (() => {
  const operation = statedOperations.find(({ number }) => number === 2)
  if (!operation) throw new Error('operation 2 is not listed')
  return callOf(operation, operation.valid)
})()
const under = (idempotencyKey: string, more: object = {}) => ({
  ...create,
  headers: { 'idempotency-key': idempotencyKey },
  ...more,
})

async function cards(): Promise<number> {
  const found = await gateway.owner.system
    .selectFrom('gateway.cards')
    .select('id')
    .where('project_id', '=', key.projectId)
    .execute()
  return found.length
}

/** Moves the stored responses into the past, as if the hours had passed. */
async function later(hours: number): Promise<void> {
  await sql`update gateway.idempotency_keys set created_at = created_at - make_interval(hours => ${hours})
    where project_id = ${key.projectId}`.execute(gateway.owner.system)
}

it('a call with an Idempotency-Key runs the operation once and returns the same response to retries with new signatures', async () => {
  const first = await key.call(under('one'))
  expect(first.status).toBe(200)
  for (let again = 0; again < 3; again++) {
    const repeated = await key.call(under('one'))
    expect(repeated.status).toBe(200)
    expect(repeated.text).toBe(first.text)
    expect(repeated.headers.get('content-type')).toBe('application/json')
  }
  expect(await cards()).toBe(1)
})

it('a call with an Idempotency-Key does its work once when two processes receive many concurrent calls', async () => {
  const CALLS = 20
  const other = await gateway.another()
  let completed = 0
  const holder = await gateway.owner.pool.connect()
  try {
    // Whoever comes to the work waits at the table, so that all are seen to come while the first is at it.
    await holder.query('begin; lock table gateway.cards in share row exclusive mode')
    const calls = Array.from({ length: CALLS }, async (_, at) => {
      const response = await (at % 2 ? other : gateway.app).fetch(key.request(under('crowd')))
      completed += 1
      return { status: response.status, text: await response.text() }
    })
    const atWork = async () => {
      const { rows } = await holder.query<{ count: number }>(
        "select count(*)::int as count from pg_locks where not granted and relation = 'gateway.cards'::regclass",
      )
      return rows[0]?.count ?? 0
    }
    while (completed + (await atWork()) < CALLS) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await atWork()).toBe(1)
    await holder.query('rollback')
    const responses = await Promise.all(calls)
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(CALLS - 1).fill(409)])
    const done = responses.find(({ status }) => status === 200)
    expect(await cards()).toBe(1)
    expect((await key.call(under('crowd'))).text).toBe(done?.text)
  } finally {
    holder.release()
  }
})

it('a call with an Idempotency-Key is refused from a key of another wallet, so that nobody reads what only the first wallet may', async () => {
  const [mine, theirs] = await Promise.all(
    ['0xa1', '0xa2'].map((wallet) => gateway.newKey({ project: `two wallets ${key.projectId}`, wallet })),
  )
  const created = await mine?.call(create)
  const id = created?.json.data.id
  const update = (body: object, idempotencyKey: string) => ({
    path: '/api/v1/card/promoCodeCards/update',
    body: { id, ...body },
    headers: { 'idempotency-key': idempotencyKey },
  })
  await mine?.call(update({ reference: 'secret' }, 'first'))
  const first = await mine?.call(update({ name: 'Renamed' }, 'second'))
  expect(first?.json.data).toMatchObject({ reference: 'secret' })
  const other = await theirs?.call(update({ name: 'Renamed' }, 'second'))
  expect(other?.status).toBe(409)
  expect(other?.text).not.toContain('secret')
})

it.each([
  ['a key with scopes that the caller lacks', '/admin/v1/apiKeys', { name: 'deploy', scopes: ['*'] }],
  ['a link', '/admin/v1/invitations', { email: 'kim@example.com', role: 'OWNER' }],
  ['the secret of a webhook', '/api/v1/webhooks', { url: 'http://127.0.0.1/hooks' }],
])(
  'a call with an Idempotency-Key is refused from another key if its response has %s',
  async (_, path, body) => {
    const scopes = ['keys:write', 'people:write', 'webhooks:write']
    const project = `secrets ${key.projectId}`
    const [mine, theirs] = await Promise.all([
      gateway.newKey({ project, scopes: ['*', ...scopes] }),
      gateway.newKey({ project, scopes }),
    ])
    const request = { path, body, headers: { 'idempotency-key': 'once' } }
    const first = await mine.call(request)
    expect(first.status, first.text).toBe(200)
    expect((await mine.call(request)).text).toBe(first.text)
    const other = await theirs.call(request)
    expect(other.status).toBe(409)
    expect(other.json.data).toEqual({ reason: 'IDEMPOTENCY_KEY_REUSED' })
  },
)

it('a call with an Idempotency-Key is refused with another body, and the first response stays stored', async () => {
  const first = await key.call(under('body'))
  const changed = await key.call(under('body', { body: { ...(create.body as object), name: 'Another' } }))
  expect(changed.status).toBe(409)
  expect(changed.json).toMatchObject({
    code: 40990,
    data: { reason: 'IDEMPOTENCY_KEY_REUSED' },
    success: false,
  })
  expect((await key.call(under('body'))).text).toBe(first.text)
  expect(await cards()).toBe(1)
})

it('a call with an Idempotency-Key gets the refusal of a rule again, also when the rule would let it pass by now', async () => {
  const db = gateway.owner.system
  await db
    .insertInto('gateway.orders')
    .values(buildOrderRow(key.projectId, { status: 4 }))
    .execute()
  const pay = {
    path: '/api/v1/order/payOrder',
    body: { hash: HASH, orderNo: 'stated-order-1', recipient: WALLET },
    headers: { 'idempotency-key': 'refused' },
  }
  const first = await key.call(pay)
  expect(first.json.code).toBe(40901)
  await db.updateTable('gateway.orders').set({ status: 0 }).where('project_id', '=', key.projectId).execute()
  expect((await key.call(pay)).text).toBe(first.text)
  const { headers: _, ...unkeyed } = pay
  expect((await key.call(unkeyed)).status).toBe(200)
})

it('a call with an Idempotency-Key stores nothing when the call is unauthorized or has invalid input', async () => {
  expect((await key.call({ ...under('unkept'), secret: 'sk_guessed' })).status).toBe(401)
  expect((await key.call(under('unkept', { body: { name: 'x' } }))).status).toBe(400)
  expect((await key.call(under('unkept'))).status).toBe(200)
})

it('a call with an Idempotency-Key is a new call after 24 hours, and not before', async () => {
  const first = await key.call(under('day'))
  await later(23)
  expect((await key.call(under('day'))).text).toBe(first.text)
  await later(2)
  const second = await key.call(under('day', { body: { ...(create.body as object), name: 'Another' } }))
  expect(second.status).toBe(200)
  expect(second.text).not.toBe(first.text)
  expect(await cards()).toBe(2)
  const third = await key.call(under('day', { body: { ...(create.body as object), name: 'Another' } }))
  expect(third.text).toBe(second.text)
})

it('a call with an Idempotency-Key leaves nothing behind once its time is over', async () => {
  await key.call(under('old'))
  await later(25)
  await key.call(under('young'))
  expect(await deleteOldResponses(gateway.owner.pool)).toBeGreaterThan(0)
  const { rows } = await sql<{ key: string }>`select key from gateway.idempotency_keys
      where project_id = ${key.projectId}`.execute(gateway.owner.system)
  expect(rows).toEqual([{ key: 'young' }])
})

it('a call with an Idempotency-Key is another one in another project and for another operation', async () => {
  const other = await gateway.newKey({ project: crypto.randomUUID() })
  const mine = await key.call(under('shared'))
  const theirs = await other.call(under('shared'))
  expect(theirs.json.data.id).not.toBe(mine.json.data.id)
  const event = { ...under('shared'), path: '/api/v1/card/eventCards/create' }
  expect((await key.call(event)).json.data.isCheckedIn).toBe(false)
})

it.each(['', 'x'.repeat(256)])(
  'a call with an Idempotency-Key is refused with the invalid key "%s"',
  async (text) => {
    const answer = await key.call(under(text))
    expect(answer.status).toBe(400)
    expect(answer.json.data).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
    expect(await cards()).toBe(0)
  },
)

it('a call with an Idempotency-Key is ignored by an operation that only reads', async () => {
  const read = {
    path: '/api/v1/contract/info',
    query: 'nftAddress=0x1111111111111111111111111111111111111111',
  }
  const answer = await key.call({ ...read, headers: { 'idempotency-key': '' } })
  expect(answer.status).toBe(404)
})
