import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTenant } from '../../../database/tenant.ts'
import { codeOf, createCardClient, type TestProgram } from '../../../testing/cards.ts'
import { type TestGateway, type TestKey, testGateway } from '../../../testing/gateway.ts'
import { findPreviousUse } from './reversals-store.ts'
import { claim, decide } from './verifications-store.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
let till: TestKey
let otherTill: TestKey
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
  const scopes = ['cards:read', 'cards:verify']
  till = await gateway.newKey({ name: 'till', scopes })
  otherTill = await gateway.newKey({ name: 'other till', scopes })
})
afterAll(() => gateway.close())

let nonces = 0
function nextNonce(): string {
  nonces += 1
  return `reversal ${nonces}`
}

const reverse = (id: number, key: TestKey = gateway.key, more: object = {}) =>
  key.call({
    path: '/api/v1/card/verification/reverse',
    body: { id, nonce: nextNonce(), reason: 'Wrong customer', ...more },
  })
const read = async (program: TestProgram, id: number) => (await calls.get(program, `/${id}`)).json.data
const scan = (key: TestKey, card: { qrCodeUrl: string }) =>
  createCardClient(gateway, key).verify('promoCodeCards', { qrCode: codeOf(card), nonce: nextNonce() })

it('the reversal of a verification gives the use of a promo code card back and records it', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 1 })
  const redeemed = await calls.verify('promoCodeCards', { id, store: 'Berlin', nonce: nextNonce() })
  const { status, json } = await reverse(redeemed.id)
  expect([status, json.data]).toMatchObject([
    200,
    { result: 'REVERSED', reason: 'Wrong customer', reverses: redeemed.id, store: 'Berlin', usedCount: 0 },
  ])
  expect(await read('promoCodeCards', id)).toMatchObject({ usedCount: 0, isRedeemed: false })
  const records = await calls.get('promoCodeCards', '/verification/page', { cardId: String(id) })
  expect(records.json.data).toMatchObject({
    list: [{ result: 'REVERSED' }, { result: 'OK', reversedBy: (json.data as { id: number }).id }],
  })
  expect(await calls.verify('promoCodeCards', { id, nonce: nextNonce() })).toMatchObject({ result: 'OK' })
})

it('the reversal of a verification ends the check-in of an event card, unless a later one counts', async () => {
  const { id } = await calls.create('eventCards')
  const first = await calls.verify('eventCards', { id, nonce: nextNonce() })
  expect((await reverse(first.id)).status).toBe(200)
  expect(await read('eventCards', id)).toMatchObject({ isCheckedIn: false })
  const second = await calls.verify('eventCards', { id, nonce: nextNonce() })
  await calls.post('eventCards', '/update', { id, isCheckedIn: false })
  await calls.verify('eventCards', { id, nonce: nextNonce() })
  expect((await reverse(second.id)).json).toMatchObject({ code: 40923 })
  expect(await read('eventCards', id)).toMatchObject({ isCheckedIn: true })
})

it('an update that ends a check-in waits for a reversal of it without holding the card', async () => {
  const { id } = await calls.create('eventCards')
  const { id: checkIn } = await calls.verify('eventCards', { id, nonce: nextNonce() })
  const tenant = openTenant(gateway.database, gateway.key.projectId)
  const { update } = await tenant.transaction(async (trx) => {
    await sql`select from gateway.card_verifications where id = ${checkIn} for no key update`.execute(trx)
    const ended = calls.post('eventCards', '/update', { id, isCheckedIn: false })
    await vi.waitFor(async () => {
      const waiting = await gateway.owner.pool.query(`select from pg_locks where not granted
        and pid in (select pid from pg_stat_activity where datname = current_database())`)
      expect(waiting.rowCount).toBe(1)
    })
    await sql`select from gateway.cards where id = ${id} for no key update nowait`.execute(trx)
    return { update: ended }
  })
  expect((await update).json.data).toMatchObject({ isCheckedIn: false })
})

it('the reversal of a verification lets a membership card be used in its store again on the same day', async () => {
  const { id } = await calls.create('membershipCards')
  const visit = () => calls.verify('membershipCards', { id, store: 'Berlin', nonce: nextNonce() })
  const first = await visit()
  expect(await visit()).toMatchObject({
    reason: 'already_checked_in',
    previousUse: { id: first.id, store: 'Berlin', actor: first.actor },
  })
  expect((await reverse(first.id)).status).toBe(200)
  expect(await visit()).toMatchObject({ result: 'OK' })
})

it('the reversal of a verification happens once, however many callers request it at once', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 2 })
  await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  const redeemed = await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  const responses = await Promise.all(Array.from({ length: 8 }, () => reverse(redeemed.id)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  expect(await read('promoCodeCards', id)).toMatchObject({ usedCount: 1 })
})

it('the reversal of a verification returns the same record when it is repeated with its nonce', async () => {
  const { id } = await calls.create('promoCodeCards')
  const redeemed = await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  const again = { nonce: nextNonce() }
  const responses = await Promise.all([1, 2, 3].map(() => reverse(redeemed.id, gateway.key, again)))
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  const other = await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  expect((await reverse(other.id, gateway.key, again)).json).toMatchObject({ code: 40922 })
  expect(await read('promoCodeCards', id)).toMatchObject({ usedCount: 1 })
})

it('the reversal of a verification is refused for refused verifications and for reversals', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 1 })
  const redeemed = await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  const refused = await calls.verify('promoCodeCards', { id, nonce: nextNonce() })
  const reversal = (await reverse(redeemed.id)).json.data as { id: number }
  expect((await reverse(refused.id)).json).toMatchObject({ code: 40924 })
  expect((await reverse(reversal.id)).json).toMatchObject({ code: 40924 })
})

it('the reversal of a verification is refused for another till, and for its own after the time of the project', async () => {
  const card = await calls.create('promoCodeCards', { totalIssued: 5 })
  const redeemed = await scan(till, card)
  expect((await reverse(redeemed.id, otherTill)).json).toMatchObject({ code: 40925 })
  await gateway.owner.system
    .updateTable('gateway.card_verifications')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('id', '=', redeemed.id)
    .execute()
  expect((await reverse(redeemed.id, till)).json).toMatchObject({ code: 40925 })
  const settings = { path: '/api/v1/card/settings', body: { reversalMinutes: 15 } }
  expect((await till.call(settings)).status).toBe(403)
  expect((await gateway.key.call(settings)).status).toBe(200)
  expect((await reverse(redeemed.id, till)).status).toBe(200)
  const another = await scan(till, card)
  expect((await reverse(another.id)).status).toBe(200)
})

it('the reversal of a verification is refused to a till that has reversed as often as the project allows in a day', async () => {
  const limit = (reversalsPerDay: number) =>
    gateway.key.call({ path: '/api/v1/card/settings', body: { reversalsPerDay } })
  await limit(2)
  const card = await calls.create('promoCodeCards', { totalIssued: 9 })
  const statuses = []
  for (let count = 0; count < 3; count += 1) {
    const redeemed = await scan(otherTill, card)
    statuses.push((await reverse(redeemed.id, otherTill)).json.code)
  }
  expect(statuses).toEqual([200, 200, 40926])
  expect(await read('promoCodeCards', card.id)).toMatchObject({ usedCount: 1 })
  const counts = await gateway.key.call({ path: '/api/v1/card/verification/reversals', query: '' })
  expect(counts.json.data).toContainEqual(
    expect.objectContaining({ actor: `key:${otherTill.apiKey}`, count: 2 }),
  )
  await limit(20)
})

describe('the refusal of a used card', () => {
  it('the refusal of a used card says where and by whom it was used, to callers who may read cards', async () => {
    const verifierOnly = await gateway.newKey({ name: 'door', scopes: ['cards:verify'] })
    const card = await calls.create('promoCodeCards', { totalIssued: 1 })
    const first = await calls.verify('promoCodeCards', {
      id: card.id,
      nonce: nextNonce(),
      store: 'Berlin',
      verifier: 'Ada',
    })
    expect(await scan(till, card)).toMatchObject({
      reason: 'already_redeemed',
      previousUse: { id: first.id, store: 'Berlin', verifier: 'Ada', createTime: first.createTime },
    })
    expect(await scan(verifierOnly, card)).not.toHaveProperty('previousUse')
  })

  it('the refusal of a used card names a use that was requested later and decided first', async () => {
    const { id } = await calls.create('promoCodeCards', { totalIssued: 1 })
    const tenant = openTenant(gateway.database, gateway.key.projectId)
    const till = { name: '', keys: [], visitKey: '', timeZone: 'UTC' }
    const claimUse = async () => {
      const fields = {
        device: '',
        store: '',
        store_key: '',
        verifier: '',
        actor: '',
        requested_card: `id ${id}`,
      }
      const request = { program: 'promo_code', action: 'REDEEM', nonce: nextNonce(), ...fields } as const
      const claimed = await claim(tenant, request)
      if (claimed === undefined) throw new Error('The nonce is in use')
      return claimed
    }
    const [first, second] = [await claimUse(), await claimUse()]
    const used = await decide(tenant, second, { id }, till)
    const refused = await decide(tenant, first, { id }, till)
    expect([used.result, refused.reason]).toEqual(['OK', 'already_redeemed'])
    expect(await findPreviousUse(tenant, refused)).toMatchObject({ id: used.id })
  })
})
