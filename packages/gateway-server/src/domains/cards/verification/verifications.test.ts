import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, createCardClient } from '../../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { rawClient } from '../../../testing/raw-client.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
})
afterAll(() => gateway.close())

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day)
const outcome = ({ result, reason }: { result: string; reason: string }) => [result, reason]
const recordsOf = async (program: 'promoCodeCards' | 'eventCards' | 'membershipCards', cardId: number) =>
  (await calls.get(program, '/verification/page', { cardId: String(cardId) })).json.data

it('a promo code card is used once by each redemption until none is left', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 2 })
  const read = async () => (await calls.get('promoCodeCards', `/${id}`)).json.data
  expect(outcome(await calls.verify('promoCodeCards', { id }))).toEqual(['OK', ''])
  expect(await read()).toMatchObject({ usedCount: 1, isRedeemed: false })
  expect(outcome(await calls.verify('promoCodeCards', { id }))).toEqual(['OK', ''])
  expect(await read()).toMatchObject({ usedCount: 2, isRedeemed: true })
  const refused = await calls.verify('promoCodeCards', { id })
  expect([...outcome(refused), refused.usedCount]).toEqual(['REFUSED', 'exhausted', 2])
  expect(await read()).toMatchObject({ usedCount: 2, isRedeemed: true })
})

it('a promo code card with a total of 1 reports already_redeemed at the second redemption', async () => {
  const card = await calls.create('promoCodeCards', { totalIssued: 1 })
  expect(outcome(await calls.verify('promoCodeCards', { qrCode: codeOf(card) }))).toEqual(['OK', ''])
  expect(outcome(await calls.verify('promoCodeCards', { qrCode: codeOf(card) }))).toEqual([
    'REFUSED',
    'already_redeemed',
  ])
})

it('a promo code card with 10 uses is redeemed 10 times by 60 concurrent calls to two processes', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 10 })
  const another = await gateway.another()
  const counts: number[] = []
  const second = rawClient((request) => another.fetch(request), gateway.key, { publicUrl: TEST_URL })
  const results = await Promise.all(
    Array.from({ length: 60 }, async (_, at) => {
      const { status, json } = await (at % 2 ? second : gateway.key).call({
        path: '/api/v1/card/promoCodeCards/verification/create',
        body: { id, action: 'REDEEM', nonce: `concurrent ${at}`, device: `scanner ${at % 7}` },
      })
      expect(status).toBe(200)
      if (json.data.result === 'OK') counts.push(Number(json.data.usedCount))
      return `${json.data.result} ${json.data.reason}`
    }),
  )
  expect(results.filter((each) => each === 'OK ')).toHaveLength(10)
  expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(results.filter((each) => each === 'REFUSED exhausted')).toHaveLength(50)
  expect((await calls.get('promoCodeCards', `/${id}`)).json.data).toMatchObject({
    usedCount: 10,
    isRedeemed: true,
  })
  expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(60)
})

it('a promo code card accepts only REDEEM', async () => {
  const { id } = await calls.create('promoCodeCards')
  const body = { id, action: 'CHECK_IN', nonce: 'wrong action' }
  expect((await calls.post('promoCodeCards', '/verification/create', body)).status).toBe(400)
  expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(0)
})

it('an event card is checked in once by concurrent calls', async () => {
  const { id } = await calls.create('eventCards', { totalIssued: 50 })
  const request = await Promise.all(Array.from({ length: 20 }, () => calls.verify('eventCards', { id })))
  expect(request.filter(({ result }) => result === 'OK')).toHaveLength(1)
  const refused = request.filter(({ result }) => result !== 'OK')
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['already_checked_in']))
  expect((await calls.get('eventCards', `/${id}`)).json.data).toMatchObject({ isCheckedIn: true })
})

it('an event card can be checked in again after the check-in is undone', async () => {
  const { id } = await calls.create('eventCards', { isCheckedIn: true })
  expect(outcome(await calls.verify('eventCards', { id }))).toEqual(['REFUSED', 'already_checked_in'])
  await calls.post('eventCards', '/update', { id, isCheckedIn: false })
  expect(outcome(await calls.verify('eventCards', { id }))).toEqual(['OK', ''])
})

it('a membership card is accepted once per store and day, any number of times', async () => {
  const { id } = await calls.create('membershipCards', { totalIssued: 1 })
  for (const store of ['Berlin', 'Hamburg', 'Köln', '']) {
    expect(outcome(await calls.verify('membershipCards', { id, store }))).toEqual(['OK', ''])
    expect(outcome(await calls.verify('membershipCards', { id, store }))).toEqual([
      'REFUSED',
      'already_checked_in',
    ])
  }
  expect(outcome(await calls.verify('membershipCards', { id, store: 'Bonn', action: 'REDEEM' }))).toEqual([
    'OK',
    '',
  ])
  // The second call reports the action that was recorded first.
  expect(outcome(await calls.verify('membershipCards', { id, store: 'Bonn' }))).toEqual([
    'REFUSED',
    'already_redeemed',
  ])
})

it('a membership card is accepted once by 20 concurrent calls', async () => {
  const { id } = await calls.create('membershipCards')
  const request = await Promise.all(
    Array.from({ length: 20 }, () => calls.verify('membershipCards', { id, store: 'Berlin' })),
  )
  expect(request.filter(({ result }) => result === 'OK')).toHaveLength(1)
})

it('a membership card is accepted again on the next day in the time zone of the stores', async () => {
  // Of these two zones one is a calendar day ahead of the other at any time.
  const [east, west] = await Promise.all(
    ['Pacific/Kiritimati', 'Pacific/Niue'].map((storeTimeZone) => gateway.another({ storeTimeZone })),
  )
  const { id } = await calls.create('membershipCards')
  const at = async (app: typeof east, nonce: string) => {
    const client = rawClient((request) => app?.fetch(request) ?? new Response(), gateway.key, {
      publicUrl: TEST_URL,
    })
    const { json } = await client.call({
      path: '/api/v1/card/membershipCards/verification/create',
      body: { id, action: 'CHECK_IN', nonce, store: 'Zone' },
    })
    return [json.data.result, json.data.reason]
  }
  expect(await at(west, 'west 1')).toEqual(['OK', ''])
  expect(await at(east, 'east 1')).toEqual(['OK', ''])
  expect(await at(west, 'west 2')).toEqual(['REFUSED', 'already_checked_in'])
})

it.each([
  ['not_yet_valid', { start_time: new Date('2098-01-01T00:00:00Z') }, {}],
  ['expired', { start_time: ago(3), end_time: ago(2), validity_period: ago(1) }, {}],
  ['wrong_store', { store_keys: ['berlin'] }, { store: 'Hamburg' }],
  ['wrong_store', { store_keys: ['berlin'] }, {}],
  ['removed', { deleted: true, used_count: 3 }, {}],
])('a verification is refused as %s and recorded', async (reason, row, request) => {
  const { id } = await calls.create('promoCodeCards')
  await calls.alter(id, row)
  expect(await calls.verify('promoCodeCards', { id, ...request })).toMatchObject({
    result: 'REFUSED',
    reason,
    cardId: id,
    action: 'REDEEM',
    program: 'promoCodeCards',
  })
  expect(await recordsOf('promoCodeCards', id)).toMatchObject({ totalRow: 1, list: [{ reason }] })
  const row_ = await gateway.owner.system
    .selectFrom('gateway.cards')
    .select('used_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row_.used_count).toBe(reason === 'removed' ? 3 : 0)
})

it('a verification succeeds until the extended validity ends', async () => {
  const { id } = await calls.create('promoCodeCards')
  await calls.alter(id, {
    start_time: ago(3),
    end_time: ago(2),
    validity_period: new Date(Date.now() + day),
  })
  expect(outcome(await calls.verify('promoCodeCards', { id }))).toEqual(['OK', ''])
})

it('a verification records every field of the request and its time', async () => {
  const { id } = await calls.create('eventCards', { applicableStores: ['Berlin', 'Hamburg'] })
  const before = Date.now() - 1000
  const request = { id, nonce: 'n-1', store: 'Hamburg', verifier: 'Ada', device: 'scanner 7' }
  const record = await calls.verify('eventCards', request)
  expect(record).toEqual({
    actor: `key:${gateway.key.apiKey}`,
    reversedBy: 0,
    reverses: 0,
    id: record.id,
    cardId: id,
    projectId: gateway.key.projectId,
    program: 'eventCards',
    action: 'CHECK_IN',
    result: 'OK',
    reason: '',
    nonce: 'n-1',
    store: 'Hamburg',
    verifier: 'Ada',
    device: 'scanner 7',
    createTime: record.createTime,
    createTimeLong: Date.parse(record.createTime),
    usedCount: 0,
  })
  expect(record.createTimeLong).toBeGreaterThan(before)
})

it('a verification of a missing card or a card of another program is recorded as unknown', async () => {
  const event = await calls.create('eventCards')
  for (const request of [
    { id: 999_999_999 },
    { id: event.id },
    { qrCode: codeOf(event) },
    { qrCode: 'https://shop.example/somewhere-else' },
    { qrCode: `${TEST_URL}/c/1/${'x'.repeat(27)}` },
  ]) {
    const record = await calls.verify('promoCodeCards', request)
    expect(record).toMatchObject({ result: 'REFUSED', reason: 'unknown', cardId: 0 })
  }
  expect((await calls.get('eventCards', `/${event.id}`)).json.data).toMatchObject({ isCheckedIn: false })
})

it('a verification accepts the address of the card’s page or of its picture on any host', async () => {
  const card = await calls.create('promoCodeCards', { totalIssued: 6 })
  for (const qrCode of [
    codeOf(card),
    `${TEST_URL}/c/${gateway.key.projectId}/${codeOf(card)}`,
    `https://old.example/gateway/c/${gateway.key.projectId}/${codeOf(card)}`,
    ` HTTPS://OLD.EXAMPLE/C/${gateway.key.projectId}/${codeOf(card)}/?from=print `,
    card.qrCodeUrl,
    `https://old.example/gateway/qr/${gateway.key.projectId}/${codeOf(card)}.svg`,
  ]) {
    expect(await calls.verify('promoCodeCards', { qrCode })).toMatchObject({
      result: 'OK',
      cardId: card.id,
    })
  }
})

describe('the list of verifications', () => {
  it('the list of verifications filters by card, store, verifier and time, the newest first', async () => {
    const { id } = await calls.create('membershipCards')
    for (const [store, verifier] of [
      ['S1', 'Ada'],
      ['S1', 'Bob'],
      ['S2', 'Ada'],
    ]) {
      await calls.verify('membershipCards', { id, store, verifier })
    }
    const list = async (query: Record<string, string>) => {
      const { data } = (await calls.get('membershipCards', '/verification/page', query)).json
      return (data.list as { store: string; verifier: string }[]).map(
        (each) => `${each.store} ${each.verifier}`,
      )
    }
    const cardId = String(id)
    expect(await list({ cardId })).toEqual(['S2 Ada', 'S1 Bob', 'S1 Ada'])
    expect(await list({ cardId, orderBy: 'createTime' })).toEqual(['S1 Ada', 'S1 Bob', 'S2 Ada'])
    expect(await list({ cardId, store: 'S1' })).toEqual(['S1 Bob', 'S1 Ada'])
    expect(await list({ cardId, verifier: 'Ada' })).toEqual(['S2 Ada', 'S1 Ada'])
    for (const [verifier, created_at] of [
      ['Ada', new Date('2026-03-01T00:00:00Z')],
      ['Bob', new Date('2026-03-02T00:00:00Z')],
    ] as const) {
      await gateway.owner.system
        .updateTable('gateway.card_verifications')
        .set({ created_at })
        .where('card_id', '=', id)
        .where('verifier', '=', verifier)
        .execute()
    }
    expect(await list({ cardId, from: '2026-03-02T00:00:00Z' })).toEqual(['S1 Bob'])
    expect(await list({ cardId, to: '2026-03-02T00:00:00Z' })).toEqual(['S2 Ada', 'S1 Ada'])
  })
})
