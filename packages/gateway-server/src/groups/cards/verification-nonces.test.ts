import { NONCE_REUSED } from '@mintmark/cards'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardCalls } from '../../testing/cards.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'

let gateway: TestGateway
let calls: ReturnType<typeof cardCalls>
beforeAll(async () => {
  gateway = await testGateway()
  calls = cardCalls(gateway)
})
afterAll(() => gateway.close())

const recordsOf = async (program: 'promoCodeCards' | 'membershipCards', cardId: number) =>
  (await calls.get(program, '/verification/page', { cardId: String(cardId) })).json.data

describe('a nonce', () => {
  it('stands for one verification: 20 at once are one record and one use', async () => {
    const { id } = await calls.create('promoCodeCards', { totalIssued: 10 })
    const asked = { id, nonce: 'impatient', device: 'scanner 1', store: 'Berlin' }
    const records = await Promise.all(Array.from({ length: 20 }, () => calls.verify('promoCodeCards', asked)))
    expect(new Set(records.map((record) => JSON.stringify(record))).size).toBe(1)
    expect(await calls.verify('promoCodeCards', asked)).toEqual(records[0])
    expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(1)
    expect((await calls.get('promoCodeCards', `/${id}`)).json.data).toMatchObject({ usedCount: 1 })
  })

  it('keeps a refusal as it was, whatever became of the card', async () => {
    const { id } = await calls.create('promoCodeCards', { totalIssued: 1 })
    await calls.verify('promoCodeCards', { id })
    const asked = { id, nonce: 'second' }
    const refused = await calls.verify('promoCodeCards', asked)
    expect(refused.reason).toBe('already_redeemed')
    await calls.post('promoCodeCards', '/update', { id, totalIssued: 5 })
    expect(await calls.verify('promoCodeCards', asked)).toEqual(refused)
  })

  it.each([
    ['card', { id: 999_999_999 }],
    ['store', { store: 'Hamburg' }],
    ['verifier', { verifier: 'Eve' }],
    ['action', { action: 'REDEEM' }],
  ])('that comes again with another %s is refused', async (what, change) => {
    const { id } = await calls.create('membershipCards')
    const asked = { id, nonce: `again ${what}`, store: 'Berlin', verifier: 'Ada', action: 'CHECK_IN' }
    await calls.verify('membershipCards', asked)
    const { status, json } = await calls.post('membershipCards', '/verification/create', {
      ...asked,
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

  it('is each device’s and each program’s own', async () => {
    const promo = await calls.create('promoCodeCards')
    const event = await calls.create('eventCards')
    const results = [
      await calls.verify('promoCodeCards', { id: promo.id, nonce: 'mine', device: 'a' }),
      await calls.verify('promoCodeCards', { id: promo.id, nonce: 'mine', device: 'b' }),
      await calls.verify('eventCards', { id: event.id, nonce: 'mine', device: 'a' }),
    ]
    expect(results.map(({ result }) => result)).toEqual(['OK', 'OK', 'OK'])
  })

  it('is free again when nothing was stored under it', async () => {
    const { id } = await calls.create('promoCodeCards')
    const asked = { id, nonce: 'free', action: 'REDEEM' }
    const bad = await calls.post('promoCodeCards', '/verification/create', {
      ...asked,
      store: 'x'.repeat(129),
    })
    expect(bad.status).toBe(400)
    expect(await calls.verify('promoCodeCards', asked)).toMatchObject({ result: 'OK' })
  })
})

describe('whatever scanners ask of a card, in whatever order and at once', () => {
  it('uses are the redemptions that were OK, never above what was issued, and a nonce has one record', async () => {
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
          const seen = new Map<string, string>()
          for (const round of rounds) {
            const asked = round.map(({ device, nonce }) => ({ id, device, nonce: `${run} ${nonce}` }))
            const records = await Promise.all(asked.map((each) => calls.verify('promoCodeCards', each)))
            for (const record of records) {
              const key = `${record.device} ${record.nonce}`
              const text = JSON.stringify(record)
              expect(seen.get(key) ?? text).toBe(text)
              seen.set(key, text)
            }
          }
          const ok = [...seen.values()].filter((text) => JSON.parse(text).result === 'OK')
          expect(ok).toHaveLength(Math.min(totalIssued, seen.size))
          const card = (await calls.get('promoCodeCards', `/${id}`)).json.data
          expect(card).toMatchObject({ usedCount: ok.length, isRedeemed: ok.length === totalIssued })
          expect((await recordsOf('promoCodeCards', id)).totalRow).toBe(seen.size)
        },
      ),
      { seed: 20260115, numRuns: 40 },
    )
  })
})
