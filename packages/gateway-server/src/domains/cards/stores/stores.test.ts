import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTenant } from '../../../database/tenant.ts'
import { codeOf, createCardClient } from '../../../testing/cards.ts'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'
import { rawClient } from '../../../testing/raw-client.ts'
import { toStoreKey } from './store-key.ts'
import { addStore } from './stores-store.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** A project of its own: its stores do not change the requests of other tests. */
async function createShop(...names: [name: string, code?: string][]) {
  const key = await gateway.newKey({ project: `shop ${names.join()} ${Math.random()}` })
  const calls = createCardClient(gateway, key)
  const stores = []
  for (const [name, code] of names) stores.push((await store(key, { name, code })).json.data)
  return { key, calls, stores }
}
const STORES = '/api/v1/card/stores'
const store = (key: TestKey, body: object) => key.call({ path: STORES, body })
const update = (key: TestKey, id: unknown, body: object) =>
  key.call({ path: `/api/v1/card/stores/${id}`, body })

/** The key of a till that is bound to a store. */
async function createTill(key: TestKey, storeId: number) {
  const body = { name: 'till', scopes: ['cards:verify'], storeId }
  const created = await key.call({ path: '/admin/v1/apiKeys', body })
  expect(created.status, created.text).toBe(200)
  const { apiKey, secret } = created.json.data as { apiKey: string; secret: string }
  return rawClient((request) => gateway.app.fetch(request), { apiKey, secret }, { publicUrl: TEST_URL })
}

it.each([
  ['Berlin ', 'berlin'],
  ['ＢＥＲＬＩＮ', 'Berlin'],
  ['Straße  1', 'STRASSE 1'],
  ['Café', 'Cafe\u0301'],
])('matches %j and %j as names of one store', (one, other) => {
  expect(toStoreKey(one)).toBe(toStoreKey(other))
})

it('accepts a card in its store, whatever case and space a scanner sends, before and after there are records', async () => {
  const { key, calls } = await createShop()
  const card = await calls.create('membershipCards', { applicableStores: ['Berlin '] })
  const scan = (storeName: string) => calls.verify('membershipCards', { id: card.id, store: storeName })
  expect(await scan(' BERLIN')).toMatchObject({ result: 'OK' })
  expect(await scan('berlin')).toMatchObject({ reason: 'already_checked_in' })
  expect(await scan('Bonn')).toMatchObject({ reason: 'wrong_store' })
  const early = { id: card.id, nonce: 'early', store: 'BERLIN' }
  const first = await calls.verify('membershipCards', early)
  await store(key, { name: 'Berlin', code: 'BER1' })
  expect(await scan('ber1')).toMatchObject({ store: 'Berlin', result: 'OK' })
  expect(await calls.verify('membershipCards', early)).toMatchObject({ id: first.id })
})

it('refuses the name of no store of the project in cards and scans, and names the nearest one', async () => {
  const { calls } = await createShop(['Berlin', 'BER1'], ['Hamburg'])
  const body = {
    name: 'x',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
    totalIssued: 1,
  }
  const refused = await calls.post('promoCodeCards', '/createBatch', {
    cards: [body, { ...body, applicableStores: ['Hamburg', 'Berlni'] }],
  })
  expect([refused.status, refused.json.msg]).toEqual([
    400,
    expect.stringMatching(/^cards\.1\.applicableStores\.1: .*Did you mean Berlin\?$/),
  ])
  const card = await calls.create('promoCodeCards', { applicableStores: ['ber1'] })
  const scan = { id: card.id, action: 'REDEEM', nonce: 'a', store: 'Hambrug' }
  const scanned = await calls.post('promoCodeCards', '/verification/create', scan)
  expect([scanned.status, scanned.json.msg]).toEqual([400, expect.stringContaining('Did you mean Hamburg?')])
})

it('keeps a card with its store when the store gets another name, and another store the old one', async () => {
  const { key, calls, stores } = await createShop(['Berlin'])
  const { id } = await calls.create('promoCodeCards', { applicableStores: ['Berlin'] })
  await update(key, stores[0]?.id, { name: 'Berlin Mitte' })
  await store(key, { name: 'Berlin' })
  const scan = (name: string) => calls.verify('promoCodeCards', { id, store: name })
  expect(await scan('Berlin')).toMatchObject({ reason: 'wrong_store' })
  expect(await scan('Berlin Mitte')).toMatchObject({ result: 'OK' })
  const listed = (await calls.get('promoCodeCards', '/getPageListByStore', { store: 'berlin mitte' })).json
    .data
  expect(listed).toMatchObject({ totalRow: 1 })
})

it('returns the record of a scan that is repeated after its store got another name', async () => {
  const { key, calls, stores } = await createShop(['Berlin'])
  const till = await createTill(key, Number(stores[0]?.id))
  const card = await calls.create('promoCodeCards')
  const named = { id: card.id, nonce: 'named', store: 'Berlin' }
  const first = await calls.verify('promoCodeCards', named)
  const scan = { qrCode: codeOf(card), action: 'REDEEM', nonce: 'bound' }
  const path = '/api/v1/card/promoCodeCards/verification/create'
  const bound = await till.call({ path, body: scan })
  await update(key, stores[0]?.id, { name: 'Berlin Mitte' })
  expect(await calls.verify('promoCodeCards', named)).toEqual(first)
  expect(await calls.verify('promoCodeCards', { ...named, store: 'Berlin Mitte' })).toEqual(first)
  expect((await till.call({ path, body: scan })).json.data).toEqual(bound.json.data)
  await store(key, { name: 'Berlin' })
  expect(await calls.verify('promoCodeCards', named)).toEqual(first)
  const other = await calls.post('promoCodeCards', '/verification/create', {
    ...named,
    action: 'REDEEM',
    store: 'Bonn',
  })
  expect(other.status).toBe(400)
})

it('gives each name and code to one store, also to concurrent calls', async () => {
  const { key, stores } = await createShop(['Berlin', 'BER1'])
  const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'Köln' : 'KO\u0308LN'))
  const results = await Promise.all(names.map((name) => store(key, { name })))
  expect(results.map(({ json }) => json.code).toSorted()).toEqual([200, ...Array(11).fill(40927)])
  expect((await store(key, { name: 'Bonn', code: 'berlin' })).json.code).toBe(40927)
  expect(
    (await update(key, results.find(({ status }) => status === 200)?.json.data.id, { code: 'ber1' })).json
      .code,
  ).toBe(40927)
  expect((await update(key, stores[0]?.id, { status: 'CLOSED' })).status).toBe(200)
  const calls = createCardClient(gateway, key)
  await expect(calls.create('promoCodeCards', { applicableStores: ['Berlin'] })).rejects.toThrow('closed')
})

it.each([
  ['Asia/Kolkata', 200],
  ['UTC', 200],
  ['Mars5', 400],
  ['+05:30', 400],
])('answers %s as the time zone of a store with %i', async (timeZone, status) => {
  const { key } = await createShop()
  const created = await store(key, { name: 'Berlin', timeZone })
  expect(created.status, created.text).toBe(status)
  const { json } = await store(key, { name: 'Bonn' })
  expect((await update(key, json.data.id, { timeZone })).status).toBe(status)
})

it('accepts names that grow when they are normalized, in stores and cards', async () => {
  const name = '\u{fdfa}'.repeat(128)
  const { calls, stores } = await createShop([name])
  expect(stores).toEqual([expect.objectContaining({ name })])
  const card = await calls.create('membershipCards', { applicableStores: [name] })
  expect(await calls.verify('membershipCards', { id: card.id, store: name })).toMatchObject({ result: 'OK' })
  const { calls: other } = await createShop()
  const applicableStores = Array.from({ length: 80 }, (_, index) => `${name.slice(2)}${index}`)
  const { id } = await other.create('membershipCards', { applicableStores })
  expect(await other.verify('membershipCards', { id, store: applicableStores[79] })).toMatchObject({
    result: 'OK',
  })
})

it('requires the scopes of a key that is bound to a store', async () => {
  const { key, stores } = await createShop(['Berlin'])
  const body = { name: 'till', storeId: stores[0]?.id }
  const { status, json } = await key.call({ path: '/admin/v1/apiKeys', body })
  expect([status, json.msg]).toEqual([400, expect.stringMatching(/^scopes: .*cards:verify/)])
})

it('gives a name to one of two transactions that overlap', async () => {
  const { key } = await createShop()
  const tenant = openTenant(gateway.database, key.projectId)
  const fields = { name: 'Berlin', time_zone: 'UTC' }
  let isSettled = false
  const { second } = await tenant.transaction(async (trx) => {
    await addStore(trx, fields)
    const other = tenant.transaction((overlapping) => addStore(overlapping, fields))
    void other.finally(() => {
      isSettled = true
    })
    await vi.waitFor(async () => {
      const waiting = await gateway.owner.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(isSettled || waiting.rowCount === 1).toBe(true)
    })
    return { second: other }
  })
  expect(await second).toBe('taken')
})

it('lets the key of a till verify in its own store only', async () => {
  const { key, calls, stores } = await createShop(['Berlin'], ['Hamburg'])
  const till = await createTill(key, Number(stores[0]?.id))
  const card = await calls.create('membershipCards')
  const scan = (more: object) =>
    till.call({
      path: '/api/v1/card/membershipCards/verification/create',
      body: { qrCode: codeOf(card), action: 'CHECK_IN', nonce: JSON.stringify(more), ...more },
    })
  expect((await scan({})).json.data).toMatchObject({ store: 'Berlin', result: 'OK' })
  expect((await scan({ store: 'BERLIN' })).json.data).toMatchObject({ reason: 'already_checked_in' })
  expect((await scan({ store: 'Hamburg' })).status).toBe(403)
})
