import { waitForBlockedStatements } from '@mintmark/devkit/testing'
import { webhooks as operations } from '@mintmark/facilitator'
import { createSealer, createSecretKey, openDatabase, type Sealer, transaction } from '@mintmark/server-kit'
import { type Resolve, WebhookStore } from '@mintmark/webhooks'
import type { Selectable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebhooksTable } from '../database/tables/webhooks.ts'
import type { Tables } from '../database/tables.ts'
import { facilitatorWebhooks } from '../database/webhook-schema.ts'
import type { Webhooks } from './index.ts'
import { type TestWebhooks, testWebhooks } from './testing.ts'

const resolve: Resolve = async (host) => (host === 'inside.example.com' ? ['10.0.0.1'] : ['93.184.215.14'])
const url = 'https://hooks.example.com/in'

let fixture: TestWebhooks
let webhooks: Webhooks
beforeAll(async () => {
  fixture = await testWebhooks()
  webhooks = fixture.another({ allowPrivate: false, resolve, deliver: false })
  await webhooks.start()
})
afterAll(() => fixture.close())
function openSecret(sealer: Sealer, row: Selectable<WebhooksTable>): string | undefined {
  const secrets = { ...row, owner: row.account_id, webhook_id: row.id, is_rotating: false }
  return new WebhookStore(facilitatorWebhooks, sealer).openSecrets(secrets)[0]
}

const someone = () => fixture.account(webhooks)

test('configuring a webhook returns its secret once', async () => {
  const { client } = await someone()
  const made = await operations.configure(client, {
    url,
    description: 'billing',
    events: ['settlement.settled'],
  })
  expect(made).toMatchObject({
    url,
    description: 'billing',
    events: ['settlement.settled'],
    status: 'ENABLED',
  })
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await operations.get(client, { id: made.id })).not.toHaveProperty('secret')
  expect((await operations.list(client))[0]).not.toHaveProperty('secret')
  expect(await operations.configure(client, { id: made.id, url })).not.toHaveProperty('secret')
})

test('configuring a webhook keeps the secret sealed, for its own row alone', async () => {
  const { client } = await someone()
  const { id, secret = '' } = await operations.configure(client, { url })
  const row = await fixture.database.system
    .selectFrom('facilitator.webhooks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain(secret.slice(6))
  const sealer = createSealer(fixture.secretKeys)
  expect(openSecret(sealer, row)).toBe(secret)
  expect(() => openSecret(sealer, { ...row, id: id + 1 })).toThrow()
  expect(() => openSecret(sealer, { ...row, account_id: row.account_id + 1 })).toThrow()
})

test('configuring a webhook changes what is given and leaves the rest', async () => {
  const { client } = await someone()
  const { id } = await operations.configure(client, {
    url,
    description: 'first',
    events: ['payer_balance.low'],
  })
  const moved = await operations.configure(client, { id, url: 'https://hooks.example.com/moved' })
  expect(moved).toMatchObject({
    id,
    url: 'https://hooks.example.com/moved',
    description: 'first',
    events: ['payer_balance.low'],
  })
  expect(await operations.configure(client, { id, url, events: [] })).toMatchObject({ events: [], url })
})

test('configuring a webhook names an event type that there is not', async () => {
  const { client } = await someone()
  const configuring = operations.configure(client, {
    url,
    events: ['settlement.settled', 'settlement.lost'],
  })
  await expect(configuring).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'events.1' }] })
  await expect(operations.configure(client, { url, events: ['toString'] })).rejects.toMatchObject({
    status: 400,
  })
  expect(await operations.list(client)).toEqual([])
})

test.each([
  'http://hooks.example.com/',
  'https://127.0.0.1/',
  'https://inside.example.com/',
  'https://0x7f.1/',
])('configuring a webhook refuses %s', async (refused) => {
  const { client } = await someone()
  await expect(operations.configure(client, { url: refused })).rejects.toMatchObject({
    kind: 'Refused',
    status: 400,
  })
  const { id } = await operations.configure(client, { url })
  await expect(operations.configure(client, { id, url: refused })).rejects.toMatchObject({ status: 400 })
  expect(await operations.get(client, { id })).toMatchObject({ url })
})

test('configuring a webhook has a maximum of twenty, also for concurrent creations', async () => {
  const { client } = await someone()
  const made = await Promise.allSettled(
    Array.from({ length: 30 }, () => operations.configure(client, { url })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  for (const each of made) if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 409 })
  const [first] = await operations.list(client)
  await operations.remove(client, { id: first?.id ?? 0 })
  await expect(operations.configure(client, { url })).resolves.toMatchObject({ url })
})

test('a removed webhook is not there any more, and its secret is nowhere', async () => {
  const { client } = await someone()
  const { id } = await operations.configure(client, { url })
  expect(await operations.remove(client, { id })).toEqual({})
  const missing = { kind: 'NotFound', status: 404 }
  await expect(operations.get(client, { id })).rejects.toMatchObject(missing)
  await expect(operations.configure(client, { id, url })).rejects.toMatchObject(missing)
  await expect(operations.remove(client, { id })).rejects.toMatchObject(missing)
  await expect(operations.deliveries(client, { id })).rejects.toMatchObject(missing)
  expect(await operations.list(client)).toEqual([])
  const row = fixture.database.system.selectFrom('facilitator.webhooks').select('secret').where('id', '=', id)
  expect(await row.executeTakeFirst()).toEqual({ secret: '' })
})

test('a removed webhook does not stop the work that writes an event while it is being removed', async () => {
  const { account, client } = await someone()
  const { id } = await operations.configure(client, { url })
  await transaction(fixture.database.system, async (trx) => {
    await trx.updateTable('facilitator.webhooks').set({ status: 'REMOVED' }).where('id', '=', id).execute()
    await expect(fixture.record(webhooks, account, 'settlement.settled')).resolves.toHaveLength(1)
  })
})

describe('sealing again', () => {
  test('leaves every secret readable by the newest key alone', async () => {
    const { client } = await someone()
    const { id, secret } = await operations.configure(client, { url })
    const newest = createSecretKey('k2')
    const both = createSealer(`${newest},${fixture.secretKeys}`)
    expect(await new WebhookStore(facilitatorWebhooks, both).reseal(fixture.database.system)).toBeGreaterThan(
      0,
    )
    const row = await fixture.database.system
      .selectFrom('facilitator.webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(openSecret(createSealer(newest), row)).toBe(secret)
    expect(await new WebhookStore(facilitatorWebhooks, both).reseal(fixture.database.system)).toBe(0)
  })
})

test("another account's webhook is not there for any operation", async () => {
  const owner = await someone()
  const stranger = await someone()
  const { id } = await operations.configure(owner.client, { url })
  await fixture.record(webhooks, owner.account, 'settlement.settled')
  const [delivery] = (await operations.deliveries(owner.client, { id })).list
  const deliveryId = delivery?.id ?? 0
  const missing = { kind: 'NotFound', status: 404 }
  const { client } = stranger
  await expect(operations.get(client, { id })).rejects.toMatchObject(missing)
  await expect(operations.configure(client, { id, url })).rejects.toMatchObject(missing)
  await expect(operations.remove(client, { id })).rejects.toMatchObject(missing)
  await expect(operations.deliveries(client, { id })).rejects.toMatchObject(missing)
  await expect(operations.redeliver(client, { id, deliveryId })).rejects.toMatchObject(missing)
  const own = await operations.configure(client, { url })
  await expect(operations.redeliver(client, { id: own.id, deliveryId })).rejects.toMatchObject(missing)
  expect(await operations.list(client)).toHaveLength(1)
  expect(await operations.get(owner.client, { id })).toMatchObject({ url })
})

describe('the deliveries of a webhook', () => {
  test('come newest first, in pages that follow on each other', async () => {
    const { account, client } = await someone()
    const { id } = await operations.configure(client, { url })
    const types = Array.from({ length: 7 }, () => 'settlement.settled' as const)
    const events = await fixture.record(webhooks, account, ...types)
    const found = []
    for await (const delivery of operations.deliveries.items(client, { id, pageSize: 3 }))
      found.push(delivery)
    expect(found.map(({ eventId }) => eventId)).toEqual(events.map((event) => `evt_${event.id}`).reverse())
    expect(found[0]).toMatchObject({ status: 'PENDING', attempts: 0, responseStatus: 0, error: '' })
    expect(found[0]).toHaveProperty('nextAttemptTime')
    const second = await operations.deliveries(client, { id, pageSize: 3, pageNumber: 2, orderBy: 'id' })
    expect(second).toMatchObject({ totalRow: 7, totalPage: 3, firstPage: false, lastPage: false })
    const [third] = found.slice(2)
    const [from, to] = [
      third?.createTime ?? '',
      new Date(Date.parse(third?.createTime ?? '') + 1).toISOString(),
    ]
    const inRange = await operations.deliveries(client, { id, from, to })
    expect(inRange.list).toContainEqual(third)
    expect((await operations.deliveries(client, { id, to: from })).list).not.toContainEqual(third)
    expect((await operations.deliveries(client, { id, from: to, to: from })).totalRow).toBe(0)
    // @ts-expect-error an order that the list does not have
    await expect(operations.deliveries(client, { id, orderBy: 'secret' })).rejects.toMatchObject({
      status: 400,
    })
  })
})

test('lists the types of events with descriptions', async () => {
  const { client } = await someone()
  const types = await operations.eventTypes(client)
  expect(types.map(({ type }) => type)).toEqual([
    'settlement.settled',
    'settlement.failed',
    'settlement.unknown',
    'settlement.reconciled',
    'payment.refunded',
    'payer_quota.registered',
    'payer_quota.revoked',
    'payer_quota.exhausted',
    'payer_balance.credited',
    'payer_balance.low',
  ])
  expect(types.every(({ description }) => description.length > 10)).toBe(true)
})

describe('replacing the secret of a webhook', () => {
  const key = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

  test('returns a generated secret, and until when the previous one signs too', async () => {
    const { client } = await someone()
    const { id, secret } = await operations.configure(client, { url })
    const rotated = await operations.rotateSecret(client, { id, overlapHours: 2 })
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(rotated.secret).not.toBe(secret)
    const { previousSecretExpireTime = '', ...webhook } = await operations.get(client, { id })
    expect(webhook).not.toHaveProperty('secret')
    const hours = (Date.parse(previousSecretExpireTime) - Date.parse(webhook.updateTime)) / 3_600_000
    expect(hours).toBeCloseTo(2, 3)
    const ended = await operations.rotateSecret(client, { id, overlapHours: 0 })
    expect(ended).not.toHaveProperty('previousSecretExpireTime')
  })

  test('replacing the secret of a webhook by a given one changes nothing when it is repeated, so that the one before still signs', async () => {
    const { client } = await someone()
    const { id } = await operations.configure(client, { url })
    const first = await operations.rotateSecret(client, { id, secret: key(32) })
    expect(first.secret).toBe(key(32))
    expect(await operations.rotateSecret(client, { id, secret: key(32), overlapHours: 0 })).toEqual(first)
  })

  test('replacing the secret of a webhook by a given one twice at a time is done once', async () => {
    const { client } = await someone()
    const { id, secret = '' } = await operations.configure(client, { url })
    const rotate = () => operations.rotateSecret(client, { id, secret: key(40) })
    let calls: Promise<unknown>[] = []
    // The owner of the schema sees what the role's connections wait for.
    const owner = openDatabase<Tables>({ url: fixture.url, max: 1 })
    await fixture.database.system.transaction().execute(async (trx) => {
      await trx.selectFrom('facilitator.webhooks').select('id').where('id', '=', id).forUpdate().execute()
      calls = [rotate(), rotate()]
      await waitForBlockedStatements(owner.system, 2)
    })
    await Promise.all(calls)
    await owner.close()
    const row = await fixture.database.system
      .selectFrom('facilitator.webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const store = new WebhookStore(facilitatorWebhooks, createSealer(fixture.secretKeys))
    const secrets = { ...row, owner: row.account_id, webhook_id: id, is_rotating: true }
    expect(store.openSecrets(secrets)).toEqual([key(40), secret])
  })

  test.each([key(23), key(65), 'whsec_', Buffer.alloc(32).toString('base64'), `${key(32)}!`])(
    'refuses the secret %s',
    async (secret) => {
      const { client } = await someone()
      const { id } = await operations.configure(client, { url })
      await expect(operations.rotateSecret(client, { id, secret })).rejects.toMatchObject({
        kind: 'InvalidInput',
        issues: [{ path: 'secret', message: 'Expected whsec_ and 24 to 64 random bytes in base64' }],
      })
    },
  )

  test('replacing the secret of a webhook of another account is not possible', async () => {
    const [{ client }, stranger] = [await someone(), await someone()]
    const { id } = await operations.configure(client, { url })
    await expect(operations.rotateSecret(stranger.client, { id })).rejects.toMatchObject({ kind: 'NotFound' })
    expect(await operations.get(client, { id })).not.toHaveProperty('previousSecretExpireTime')
  })
})
