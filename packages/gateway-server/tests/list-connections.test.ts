import { promoCodeCards } from '@mintmark/cards'
import { walletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { sampleProject } from '../src/testing/samples/calls.ts'

/** More lists than the gateway has connections in its pool. */
const LISTS = 12
const POOL_SIZE = 10
/** How long the gateway uses a key that it has looked up. */
const KEY_CACHE_MS = 1000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

it('authenticates and serves reads by key while lists wait for a lock on every connection of the pool', async () => {
  const listing = await sampleProject(gateway, 'listing')
  const reading = await sampleProject(gateway, 'reading')
  const { address } = await walletInfo.add(reading.client, {
    address: '0x00000000000000000000000000000000000000a1',
    name: 'Ada',
  })
  const lists = await gateway.owner.system.transaction().execute(async (trx) => {
    await sql`lock table gateway.cards in access exclusive mode`.execute(trx)
    const waiting = Array.from({ length: LISTS }, () => promoCodeCards.list(listing.client))
    await vi.waitFor(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_locks l
        where l.relation = 'gateway.cards'::regclass and not l.granted`.execute(trx)
      expect(rows[0]?.count).toBe(POOL_SIZE)
    }, 170_000)
    // The gateway has to look up the key again.
    gateway.clock.ahead += KEY_CACHE_MS
    expect(await walletInfo.get(reading.client, { address })).toMatchObject({ name: 'Ada' })
    return waiting
  })
  expect((await Promise.all(lists)).map(({ totalRow }) => totalRow)).toEqual(Array(LISTS).fill(0))
})
