import { createHash } from 'node:crypto'
import { campaigns, eventCards, promoCodeCards, verifications } from '@mintmark/cards'
import { isMintmarkError } from '@mintmark/envelope'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import type { SampleProject } from '../../../testing/samples/sample.ts'

/** The sequences: few in tests, and as many as the variable says at night. */
const SEQUENCES = Number(process.env.CARD_SEQUENCES ?? 12)
const CALLERS = 8
const STEPS = 6

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'uses')
})
afterAll(() => gateway.close())

/** Draws numbers from a seed, so that a failure can be repeated. */
function createRandom(seed: string): (below: number) => number {
  let count = 0
  return (below) => {
    count += 1
    return createHash('sha256').update(`${seed}/${count}`).digest().readUInt32BE() % below
  }
}

const unlessRefused = async <Result>(call: Promise<Result>): Promise<Result | undefined> =>
  await call.catch((error: unknown) => {
    if (isMintmarkError(error) && error.status === 409) return undefined
    throw error
  })

type Random = ReturnType<typeof createRandom>

/** Runs the steps of all callers concurrently. */
async function runCallers(
  seed: string,
  call: (random: Random, nonce: string) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const random = createRandom(`${seed}/${caller}`)
      for (let step = 0; step < STEPS; step += 1) await call(random, `${seed}/${caller}/${step}`)
    }),
  )
}

async function createCard(total: number): Promise<{ campaign: number; id: number }> {
  const { client } = project
  const card = {
    name: 'x',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
    totalIssued: total,
  }
  const input = { name: 'x', program: 'promoCodeCards', cards: 1, card } as const
  const { id: campaign } = await campaigns.create(client, input)
  await campaigns.issue(client, { id: campaign, count: 1 })
  const { list } = await promoCodeCards.search(client, { campaignId: campaign })
  const [only] = list
  if (only === undefined) throw new Error('The campaign has no card')
  return { campaign, id: only.id }
}

it('explains the uses of a card by its records after any sequence of concurrent calls', {
  timeout: SEQUENCES * 20_000,
}, async () => {
  const { client } = project
  for (let seed = 0; seed < SEQUENCES; seed += 1) {
    const total = 1 + (seed % 4)
    const { campaign, id } = await createCard(total)
    const accepted: number[] = []
    const call = async (random: Random, nonce: string) => {
      const steps = [
        async () => {
          const record = await promoCodeCards.createVerification(client, { id, action: 'REDEEM', nonce })
          if (record.result === 'OK') accepted.push(record.id)
        },
        async () => {
          const verification = accepted[random(Math.max(1, accepted.length))]
          if (verification !== undefined)
            await unlessRefused(verifications.reverse(client, { id: verification, nonce, reason: 'Mistake' }))
        },
        () => unlessRefused(promoCodeCards.update(client, { id, totalIssued: 1 + random(5) })),
        () =>
          promoCodeCards.update(client, {
            id,
            endTime: random(2) === 0 ? '2026-02-01T00:00:00Z' : '2099-01-01T00:00:00Z',
          }),
        () => (random(2) === 0 ? campaigns.pause : campaigns.resume)(client, { id: campaign }),
      ]
      // Half of the calls redeem, so that cards are used up.
      await steps[random(2) === 0 ? 0 : random(steps.length)]?.()
    }
    await runCallers(String(seed), call)
    const card = await promoCodeCards.get(client, { id })
    const records = await promoCodeCards.verifications(client, { cardId: id, pageSize: 100 })
    const count = (result: string) => records.list.filter((each) => each.result === result).length
    const context = `seed ${seed}`
    expect(card.usedCount, context).toBe(count('OK') - count('REVERSED'))
    expect(card.usedCount, context).toBeGreaterThanOrEqual(0)
    expect(card.usedCount, context).toBeLessThanOrEqual(card.totalIssued)
    const reversed = records.list.flatMap(({ reverses }) => (reverses === 0 ? [] : [reverses]))
    expect(new Set(reversed).size, context).toBe(reversed.length)
    const totals = await campaigns.get(client, { id: campaign })
    const refused = totals.refused.reduce((sum, each) => sum + each.count, 0)
    expect([totals.used, refused], context).toEqual([card.usedCount, count('REFUSED')])
    // A project has at most 1,000 campaigns that have not ended.
    await campaigns.end(client, { id: campaign })
  }
})

it('explains the check-in of an event card by its records after any sequence of concurrent calls', {
  timeout: SEQUENCES * 20_000,
}, async () => {
  const { client } = project
  for (let seed = 0; seed < SEQUENCES; seed += 1) {
    const { id } = await eventCards.create(client, {
      name: 'x',
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2099-01-01T00:00:00Z',
      totalIssued: 1,
    })
    const accepted: number[] = []
    await runCallers(`event ${seed}`, async (random, nonce) => {
      const steps = [
        async () => {
          const record = await eventCards.createVerification(client, { id, action: 'CHECK_IN', nonce })
          if (record.result === 'OK') accepted.push(record.id)
        },
        async () => {
          const verification = accepted[random(Math.max(1, accepted.length))]
          if (verification !== undefined)
            await unlessRefused(verifications.reverse(client, { id: verification, nonce, reason: 'Mistake' }))
        },
        () => eventCards.update(client, { id, isCheckedIn: false }),
      ]
      await steps[random(steps.length)]?.()
    })
    const { isCheckedIn } = await eventCards.get(client, { id })
    const { list } = await eventCards.verifications(client, { cardId: id, pageSize: 100 })
    const count = (result: string) => list.filter((each) => each.result === result).length
    expect(count('OK') - count('REVERSED'), `seed ${seed}`).toBe(isCheckedIn ? 1 : 0)
  }
})
