import { NONCE_REUSED } from '@mintmark/cards'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCardClient } from '../../../testing/cards.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
})
afterAll(() => gateway.close())

const recordsOf = async (program: 'promoCodeCards' | 'membershipCards', cardId: number) =>
  (await calls.get(program, '/verification/page', { cardId: String(cardId) })).json.data

it('a verification nonce allows one record and one use for 20 concurrent verifications', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 10 })
  const request = { id, nonce: 'impatient', device: 'scanner 1', store: 'Berlin' }
  const records = await Promise.all(Array.from({ length: 20 }, () => calls.verify('promoCodeCards', request)))
  expect(new Set(records.map((record) => JSON.stringify(record))).size).toBe(1)
  expect(await calls.verify('promoCodeCards', request)).toEqual(records[0])
  expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(1)
  expect((await calls.get('promoCodeCards', `/${id}`)).json.data).toMatchObject({ usedCount: 1 })
})

it('a verification nonce keeps a refusal although the card changes', async () => {
  const { id } = await calls.create('promoCodeCards', { totalIssued: 1 })
  await calls.verify('promoCodeCards', { id })
  const request = { id, nonce: 'second' }
  const refused = await calls.verify('promoCodeCards', request)
  expect(refused.reason).toBe('already_redeemed')
  await calls.post('promoCodeCards', '/update', { id, totalIssued: 5 })
  expect(await calls.verify('promoCodeCards', request)).toEqual(refused)
})

it.each([
  ['card', { id: 999_999_999 }],
  ['store', { store: 'Hamburg' }],
  ['verifier', { verifier: 'Eve' }],
  ['action', { action: 'REDEEM' }],
])('a verification nonce is refused with another %s', async (what, change) => {
  const { id } = await calls.create('membershipCards')
  const request = { id, nonce: `again ${what}`, store: 'Berlin', verifier: 'Ada', action: 'CHECK_IN' }
  await calls.verify('membershipCards', request)
  const { status, json } = await calls.post('membershipCards', '/verification/create', {
    ...request,
    ...change,
  })
  expect(status).toBe(409)
  expect(json).toMatchObject({
    code: NONCE_REUSED.code,
    data: { reason: NONCE_REUSED.reason },
    success: false,
  })
  expect((await recordsOf('membershipCards', id)).totalRow).toBe(1)
})

it('a verification nonce is separate for each device and program', async () => {
  const promo = await calls.create('promoCodeCards')
  const event = await calls.create('eventCards')
  const results = [
    await calls.verify('promoCodeCards', { id: promo.id, nonce: 'mine', device: 'a' }),
    await calls.verify('promoCodeCards', { id: promo.id, nonce: 'mine', device: 'b' }),
    await calls.verify('eventCards', { id: event.id, nonce: 'mine', device: 'a' }),
  ]
  expect(results.map(({ result }) => result)).toEqual(['OK', 'OK', 'OK'])
})

it('a verification nonce is available again if nothing was stored under it', async () => {
  const { id } = await calls.create('promoCodeCards')
  const request = { id, nonce: 'free', action: 'REDEEM' }
  const bad = await calls.post('promoCodeCards', '/verification/create', {
    ...request,
    store: 'x'.repeat(129),
  })
  expect(bad.status).toBe(400)
  expect(await calls.verify('promoCodeCards', request)).toMatchObject({ result: 'OK' })
})

describe('concurrent verifications in any order', () => {
  it('concurrent verifications in any order use a card once per successful redemption, never more than issued, with one record per nonce', async () => {
    const scan = fc.record({
      device: fc.constantFrom('a', 'b'),
      nonce: fc.constantFrom('1', '2', '3', '4', '5'),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.array(scan, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        async (totalIssued, rounds) => {
          run += 1
          const { id } = await calls.create('promoCodeCards', { totalIssued })
          const recordsByNonce = new Map<string, string>()
          for (const round of rounds) {
            const request = round.map(({ device, nonce }) => ({ id, device, nonce: `${run} ${nonce}` }))
            const records = await Promise.all(request.map((each) => calls.verify('promoCodeCards', each)))
            for (const record of records) {
              const key = `${record.device} ${record.nonce}`
              const text = JSON.stringify(record)
              expect(recordsByNonce.get(key) ?? text).toBe(text)
              recordsByNonce.set(key, text)
            }
          }
          const ok = [...recordsByNonce.values()].filter((text) => JSON.parse(text).result === 'OK')
          expect(ok).toHaveLength(Math.min(totalIssued, recordsByNonce.size))
          const card = (await calls.get('promoCodeCards', `/${id}`)).json.data
          expect(card).toMatchObject({ usedCount: ok.length, isRedeemed: ok.length === totalIssued })
          expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(recordsByNonce.size)
        },
      ),
      { seed: 20260115, numRuns: 40 },
    )
  })
})
