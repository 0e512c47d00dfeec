import { isMintmarkError } from '@mintmark/envelope'
import { couponCodes, type Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOwnedToken } from '../../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'coupon properties')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

/** What can happen; numbers choose among what there is by then. */
type Step =
  | { do: 'order'; wallet: number; listing: number; code: number }
  | { do: 'cancel' | 'outwait' | 'pay'; order: number }
  | { do: 'verify' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      wallet: fc.nat(2),
      listing: fc.nat(1),
      code: fc.nat(2),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'outwait' as const, 'pay' as const),
      order: fc.nat(20),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('verify' as const) }) },
)

interface World {
  readonly couponId: number
  readonly codes: readonly string[]
  readonly listings: readonly Listing[]
  readonly wallets: readonly string[]
  readonly placed: Order[]
}

/** A coupon for three orders, two a wallet, that two listings take. */
async function begin(): Promise<World> {
  const terms = { couponType: 1, value: '5000', maxRedemptions: 3, maxPerWallet: 2, count: 2 } as const
  const { coupon, codes } = await couponCodes.create(project.client, terms)
  const listings: Listing[] = []
  for (let at = 0; at < 2; at += 1) {
    const token = await createOwnedToken(gateway, project.projectId, { quantity: 8 })
    const sale = { ...token, quantity: 8, payPrice: '1000', couponId: coupon.id }
    listings.push(await couponCodes.putOnShelf(project.client, sale))
  }
  const wallets = Array.from({ length: 3 }, newAddress)
  return { couponId: coupon.id, codes, listings, wallets, placed: [] }
}

async function perform(world: World, each: Step): Promise<void> {
  const chosen = 'order' in each ? world.placed[each.order % Math.max(1, world.placed.length)] : undefined
  switch (each.do) {
    case 'order': {
      const [listing, recipient] = [world.listings[each.listing], world.wallets[each.wallet]]
      if (listing === undefined || recipient === undefined) return
      const couponCode = world.codes[each.code] ?? ''
      const { id: listingId, marketType } = listing
      const request = { marketType, listingId, quantity: 1, recipient, couponCode }
      world.placed.push(await orders.preOrder(project.client, request))
      return
    }
    case 'cancel':
      if (chosen) await orders.cancel(project.client, { orderNo: chosen.orderNo })
      return
    case 'outwait':
      if (chosen && (await orderFixture.readState(chosen)).status === 'PRE') await orderFixture.expire(chosen)
      return
    case 'pay': {
      if (!chosen) return
      const hash = newHash()
      const outcome = each.order % 4 === 0 ? 'reverted' : 'paid'
      const mined = { kind: 'mined', block: 101, blockHash: newHash(), final: true, outcome } as const
      gateway.chain.sightings.set(hash, mined)
      await orderFixture.pay(chosen, hash)
      return
    }
    case 'verify':
      await orderFixture.verify()
  }
}

/** Refusals are part of the game; anything else is not. */
async function tryTo(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
  })
}

/**
 * A use is reserved while its order holds stock, redeemed with what was sold, and back with what was given
 * back.
 */
async function expectSound({ couponId }: World): Promise<void> {
  const { rows } = await sql<Record<'used' | 'redeemed' | 'held' | 'taken' | 'odd' | 'wallets', number>>`
    select c.used::int, c.redeemed::int,
      count(*) filter (where u.status = 'RESERVED')::int as held,
      count(*) filter (where u.status = 'REDEEMED')::int as taken,
      count(*) filter (where (o.stock, u.status) not in
        (('reserved', 'RESERVED'), ('committed', 'REDEEMED'), ('released', 'RELEASED')))::int as odd,
      (select count(*)::int from gateway.coupon_wallets w where w.coupon_id = c.id and (w.used > 2 or w.used <> (
        select count(*) from gateway.coupon_uses x
        where x.coupon_id = c.id and x.wallet = w.wallet and x.status <> 'RELEASED'))) as wallets
    from gateway.coupons c
    left join gateway.coupon_uses u on u.coupon_id = c.id
    left join gateway.orders o on o.id = u.order_id
    where c.id = ${couponId} group by c.project_id, c.id`.execute(gateway.owner.system)
  const [states] = rows
  if (states === undefined) throw new Error('the coupon is gone')
  expect(states.used).toBeLessThanOrEqual(3)
  expect(states).toMatchObject({
    used: states.held + states.taken,
    redeemed: states.taken,
    odd: 0,
    wallets: 0,
  })
}

const runs = Number(process.env.PROPERTY_RUNS ?? 3)

it('counts exactly the uses of a coupon’s orders, within its limits, under any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const world = await begin()
      for (const each of steps) {
        await tryTo(perform(world, each))
        if (each.do === 'verify') await expectSound(world)
      }
      await expectSound(world)
    }),
    { numRuns: runs, seed: 20260119 },
  )
})

it('counts exactly the uses of a coupon’s orders under concurrent events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 3, maxLength: 8 }), { minLength: 3, maxLength: 6 }),
      async (rounds) => {
        const world = await begin()
        for (const steps of rounds) await Promise.all(steps.map((each) => tryTo(perform(world, each))))
        await orderFixture.verify()
        await expectSound(world)
      },
    ),
    { numRuns: runs, seed: 20260120 },
  )
})

it('covers uses in every state by the sequences above', async () => {
  const states = await gateway.owner.system
    .selectFrom('gateway.coupon_uses')
    .select('status')
    .distinct()
    .orderBy('status')
    .execute()
  expect(states.map(({ status }) => status)).toEqual(['REDEEMED', 'RELEASED', 'RESERVED'])
})
